#include "model/cost/forms.h"
#include "model/cost/tiles.h"
#include "model/count/op_work.h"
#include "model/efficiency/form_slot.h"
#include "tests/model/cost/planted.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

using namespace headroom;

TEST_CASE("cards of a type differ in what their clock bounds, not in what memory does")
{
    EfficiencySet set;
    set.deviceSpread = 0.04;
    OpTime time;
    time.memory = Seconds(1e-3);
    time.compute = Seconds(1e-4);
    CHECK(spreadAmongCards(time, set) == 0);
    time.compute = Seconds(2e-3);
    CHECK(spreadAmongCards(time, set) == 0.04);
    time.link = Seconds(1e-3); // an exchange
    CHECK(spreadAmongCards(time, set) == 0);
}

TEST_CASE("no figure of a file makes time run backwards")
{
    EfficiencySet set = planted::limit();
    set.decodeAttention.narrowHeads = set.decodeAttention.narrowFixed = 0;
    Op op;
    op.cls = OpClass::DecodeAttention;
    op.batch = 4;
    op.queryHeads = op.kvHeads = 8;
    op.headDim = 16;
    op.queryTokens = 1;
    op.context = 1000;
    op.kvBytes = Bytes(4 * 1000 * 2 * 8 * 16 * 2);
    const OpTime time = timeOp(op, planted::rtx4090(), planted::box(), set);
    CHECK(time.total.base() > 0);
    CHECK(time.memory.base() > 0);
}

TEST_CASE("tile occupancy: a full wave of the best tile is 1, one row is a sixteenth of its smallest tile")
{
    CHECK(tileOccupancy(128 * 2, 256 * 54, 108) == doctest::Approx(1));
    CHECK(tileOccupancy(4096, 4096, 0) == 1);
    CHECK(tileOccupancy(1, 64 * 108, 108) <= 1.0 / 16);
    CHECK(tileOccupancy(16, 64 * 108, 108) > tileOccupancy(1, 64 * 108, 108));
}

TEST_CASE("Whole tiles and whole waves are counted as integers count them")
{
    const std::array<std::array<std::int64_t, 2>, 10> tiles{{{256, 128},
                                                             {128, 256},
                                                             {128, 128},
                                                             {64, 256},
                                                             {128, 64},
                                                             {64, 128},
                                                             {64, 64},
                                                             {64, 32},
                                                             {32, 64},
                                                             {16, 64}}};
    const auto reuse = [](double rows, double columns) {
        const double harmonic = rows * columns / (rows + columns);
        return harmonic / (harmonic + 18);
    };
    const auto up = [](std::int64_t a, std::int64_t b) { return (a + b - 1) / b; };
    for (const std::int64_t sms : {1, 7, 56, 108, 132, 148})
        for (const std::int64_t m :
             {1, 15, 16, 17, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1000, 8192, 131073})
            for (const std::int64_t n : {1, 32, 33, 64, 640, 1280, 4096, 7168, 57344, 128256}) {
                double cheapest = 1e300;
                for (const auto& [rows, columns] : tiles)
                    cheapest = std::min(cheapest,
                                        double(up(up(m, rows) * up(n, columns), sms) * rows * columns)
                                            * reuse(128, 256) / reuse(double(rows), double(columns)));
                const double exact = double(m) * double(n) / (cheapest * double(sms));
                CAPTURE(m);
                CAPTURE(n);
                CAPTURE(sms);
                REQUIRE(tileOccupancy(double(m), double(n), int(sms))
                        == doctest::Approx(exact).epsilon(1e-13));
                REQUIRE(
                    tileOccupancy(double(m) - 0.25, double(n), int(sms)) // a part of a row takes a whole tile
                    == doctest::Approx(exact * (double(m) - 0.25) / double(m)).epsilon(1e-13));
            }
}

TEST_CASE("an exact shape's residual is interpolated in the logarithm of the rows and held at the ends")
{
    EfficiencySet set = planted::limit();
    Op op{.cls = OpClass::Gemm, .flops = Flops(1e12), .unit = MathUnit::Fp16, .m = 16, .n = 4096, .k = 4096};
    const double plain = timeOp(op, planted::rtx4090(), planted::box(), set).total.base();
    set.exactShapes
        = {{.n = 4096, .k = 4096, .lnRows = {std::log(8.0), std::log(32.0)}, .lnResidual = {0.1, 0.3}}};
    CHECK(timeOp(op, planted::rtx4090(), planted::box(), set).total.base()
          == doctest::Approx(plain * std::exp(0.2)));
    op.m = 1;
    CHECK(timeOp(op, planted::rtx4090(), planted::box(), set).total.base()
          == doctest::Approx(plain * std::exp(0.1)));
    op.n = 8192;
    CHECK(timeOp(op, planted::rtx4090(), planted::box(), set).total.base() == doctest::Approx(plain));
}

TEST_CASE("a tile pays for its beginning and end, and one tile's columns follow each other")
{
    EfficiencySet set = planted::limit();
    const Gpu gpu = planted::rtx4090();
    const auto multiply = [](double m, double n, double k) {
        return gemmOp(OpName::Qkv, {.m = m, .n = n, .k = k, .weightBytesPerElement = 2}, GemmClass::Half,
                      MathUnit::Fp16);
    };
    GemmForm& form = set.gemm[static_cast<std::size_t>(GemmClass::Half)];
    const Op large = multiply(8192, 8192, 1024);
    const double plain = timeOp(large, gpu, {}, set).compute.base();
    form.tileColumns = 256;
    CHECK(timeOp(large, gpu, {}, set).compute.base() == doctest::Approx(1.25 * plain));
    form.perColumn = Seconds(1e-9);
    // One narrow tile for 65,536 columns: nothing else is as long.
    CHECK(timeOp(multiply(1, 256, 65536), gpu, {}, set).total.base()
          == doctest::Approx(65536e-9).epsilon(0.2));
    CHECK(timeOp(large, gpu, {}, set).compute.base() == doctest::Approx(1.25 * plain).epsilon(1e-3));
}

TEST_CASE("idle multiprocessors share the columns of a few tiles, where that is shorter")
{
    EfficiencySet set = planted::limit();
    const Gpu gpu = planted::rtx4090(); // 128 multiprocessors
    GemmForm& form = set.gemm[static_cast<std::size_t>(GemmClass::Half)];
    form.perColumn = Seconds(1e-9);
    form.splitCombine = Seconds(2e-6);
    const auto loop = [&](double m, double n, double k) {
        const Op op = gemmOp(OpName::Qkv, {.m = m, .n = n, .k = k}, GemmClass::Half, MathUnit::Fp16);
        Op work = op;
        work.k = 0; // what is left is the work of all tiles
        const double whole = timeOp(op, gpu, {}, set).compute.base();
        const double shared = timeOp(work, gpu, {}, set).compute.base();
        return std::sqrt(whole * whole - shared * shared);
    };
    CHECK(loop(1, 256, 65536) == doctest::Approx(65536e-9 / 32 + 2e-6));
    CHECK(loop(1, 8192, 65536) == doctest::Approx(65536e-9)); // as many tiles as multiprocessors
    CHECK(loop(1, 256, 2048) == doctest::Approx(2048e-9));    // to put together takes longer
    form.vectorRows = 4;
    CHECK(loop(4, 256, 65536) == doctest::Approx(0));
    CHECK(loop(5, 8192, 65536) == doctest::Approx(65536e-9));
}

TEST_CASE("where tiles are chosen with the pieces of a sum, no multiprocessor idles")
{
    EfficiencySet set = planted::limit();
    const Gpu gpu = planted::rtx4090(); // 128 multiprocessors
    GemmForm& form = set.gemm[static_cast<std::size_t>(GemmClass::Half)];
    form.waveExponent = 1;
    form.splitCombine = Seconds(1e-9);
    const auto seconds = [&](double m, double n, double k) {
        const Op op = gemmOp(OpName::Qkv, {.m = m, .n = n, .k = k}, GemmClass::Half, MathUnit::Fp16);
        return timeOp(op, gpu, {}, set).compute.base();
    };
    // 32 tiles of 128 x 256 or as many multiples of smaller ones: at best all of 128 multiprocessors.
    const double whole = seconds(1024, 1024, 65536);
    const double flops = 2 * 1024. * 1024 * 65536;
    const double many = seconds(8192, 8192, 65536);
    form.splitFills = 1;
    CHECK(seconds(1024, 1024, 65536) < 0.9 * whole);
    CHECK(seconds(1024, 1024, 65536) == doctest::Approx(flops / 165.2e12).epsilon(0.01));
    CHECK(seconds(8192, 8192, 65536) == doctest::Approx(many)); // tiles enough
    CHECK(seconds(1024, 1024, 512) >= flops / 128 / 165.2e12);  // too few columns for two pieces
    form.splitCombine = Seconds(1);
    CHECK(seconds(1024, 1024, 65536) == doctest::Approx(whole));
}

TEST_CASE("rows that a tile has beyond the matrix cost what they are said to")
{
    EfficiencySet set = planted::limit();
    GemmForm& form = set.gemm[static_cast<std::size_t>(GemmClass::Half)];
    form.largestTile = 256;
    const Gpu gpu = planted::rtx4090();
    const auto compute = [&](double m) {
        const Op op = gemmOp(OpName::Qkv, {.m = m, .n = 4096, .k = 4096}, GemmClass::Half, MathUnit::Fp16);
        return timeOp(op, gpu, {}, set).compute.base();
    };
    const double full = compute(256);
    const double most = compute(129);
    const double last = compute(257);
    form.missingRow = Seconds(1e-11);
    CHECK(compute(256) == doctest::Approx(full));
    CHECK(compute(129) == doctest::Approx(most + 127 * 4096e-11));
    CHECK(compute(257) == doctest::Approx(last + 255 * 4096e-11));
    form.vectorRows = 4;
    form.vectorLaunch = Seconds(3e-6);
    const Op op = gemmOp(OpName::Qkv, {.m = 4, .n = 4096, .k = 4096}, GemmClass::Half, MathUnit::Fp16);
    CHECK(timeOp(op, gpu, {}, set).launch.base() == doctest::Approx(3e-6));
}

TEST_CASE("a library with one kind of tile multiplies rows that are not there")
{
    EfficiencySet set = planted::limit();
    GemmForm& form = set.gemm[static_cast<std::size_t>(GemmClass::Half)];
    form.waveExponent = 1;
    form.largestTile = 256;
    const Gpu gpu = planted::rtx4090();
    const auto compute = [&](double m) {
        const Op op = gemmOp(OpName::Qkv, {.m = m, .n = 65536, .k = 4096}, GemmClass::Half, MathUnit::Fp16);
        return timeOp(op, gpu, {}, set).compute.base();
    };
    CHECK(compute(257) == doctest::Approx(compute(512)));
    CHECK(compute(512) == doctest::Approx(2 * compute(256)));
    CHECK(compute(65) == doctest::Approx(compute(128)));
    CHECK(compute(1) == doctest::Approx(compute(64)));
}

TEST_CASE("activations come from the cache as far as it holds them, norms are read twice")
{
    EfficiencySet set = planted::limit();
    set.stream = {.memoryEfficiency = 0.5, .launch = Seconds(0)};
    Gpu gpu = planted::rtx4090();
    gpu.l2Cache = Bytes(64e6);
    const auto seconds = [&](OpName name, double bytes) {
        return timeOp(streamOp(name, 1, bytes), gpu, {}, set).total.base() * gpu.memoryBandwidth.base();
    };
    CHECK(seconds(OpName::Activation, 16e6) == doctest::Approx(32e6));
    set.stream.activationEfficiency = 2;
    CHECK(seconds(OpName::Activation, 16e6) == doctest::Approx(8e6));
    CHECK(seconds(OpName::Activation, 132e6) == doctest::Approx(16e6 + 200e6)); // half of the cache
    set.stream.normCost = 1.5;
    CHECK(seconds(OpName::Norm, 16e6) == doctest::Approx(12e6));
    CHECK(seconds(OpName::Activation, 16e6) == doctest::Approx(8e6));
}

TEST_CASE("what the cache does not keep of a matrix is read again for each piece of the rows")
{
    EfficiencySet set = planted::limit();
    GemmForm& form = set.gemm[static_cast<std::size_t>(GemmClass::WeightOnly8)];
    Gpu gpu = planted::rtx4090();
    gpu.l2Cache = Bytes(8e6);
    const auto bytes = [&](double m, double n) {
        const Op op = gemmOp(OpName::Qkv, {.m = m, .n = n, .k = 4096, .weightBytesPerElement = 1},
                             GemmClass::WeightOnly8, MathUnit::Fp16);
        return timeOp(op, gpu, {}, set).memory.base() * gpu.memoryBandwidth.base()
            - op.activationBytes.base();
    };
    const double matrix = 4096.0 * 4096; // of 8 bits
    CHECK(bytes(512, 4096) == doctest::Approx(matrix));
    form.passRows = 64;
    form.keptWeights = 0.5;
    CHECK(bytes(64, 4096) == doctest::Approx(matrix));
    CHECK(bytes(65, 4096) == doctest::Approx(2 * matrix - 4e6));
    CHECK(bytes(512, 4096) == doctest::Approx(8 * matrix - 7 * 4e6));
    CHECK(bytes(512, 512) == doctest::Approx(matrix / 8)); // all of it is kept
}

TEST_CASE("scores of an indexer take their own share of the peak, a recurrence half")
{
    EfficiencySet set = planted::limit();
    const Gpu gpu = planted::rtx4090();
    Op op{.name = OpName::Indexer, .cls = OpClass::Scan, .flops = Flops(1e12), .unit = MathUnit::Fp16};
    const auto share
        = [&] { return 1e12 / gpu.peak(op.unit).base() / timeOp(op, gpu, {}, set).compute.base(); };
    CHECK(share() == doctest::Approx(0.5));
    set.scan.indexEfficiency = 0.1;
    CHECK(share() == doctest::Approx(0.1));
    op.name = OpName::Scan;
    CHECK(share() == doctest::Approx(0.5));
}

TEST_CASE("a recurrent state comes from memory, whatever the cache holds")
{
    EfficiencySet set = planted::limit();
    set.stream = {.memoryEfficiency = 0.5, .launch = Seconds(0)};
    set.stream.activationEfficiency = 2;
    set.scan.stateBytes = 14.5;
    Gpu gpu = planted::rtx4090();
    gpu.l2Cache = Bytes(64e6);
    Op op{.name = OpName::Scan, .cls = OpClass::Stream, .kvBytes = Bytes(16e6), .unit = MathUnit::Fp16};
    CHECK(timeOp(op, gpu, {}, set).total.base() * gpu.memoryBandwidth.base() == doctest::Approx(32e6));
    op.activationBytes = Bytes(16e6);
    CHECK(timeOp(op, gpu, {}, set).total.base() * gpu.memoryBandwidth.base() == doctest::Approx(40e6));
    // Few multiprocessors hand it on no faster than 14.5 bytes a clock each.
    op.activationBytes = {};
    gpu.smCount = 10;
    gpu.boostClockHz = 1e9;
    CHECK(timeOp(op, gpu, {}, set).total.base() == doctest::Approx(16e6 / 145e9));
    set.scan.stateBytes = 0; // nothing is known of it
    CHECK(timeOp(op, gpu, {}, set).total.base() * gpu.memoryBandwidth.base() == doctest::Approx(32e6));
}
