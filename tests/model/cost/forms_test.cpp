#include "model/catalogue/form_slot.h"
#include "model/cost/forms.h"
#include "model/count/op_work.h"
#include "tests/model/cost/planted.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

using namespace headroom;

TEST_CASE("keys seen by a causal chunk equal the sum over its queries")
{
    for (const double past : {0.0, 100.0, 5000.0})
        for (const double query : {1.0, 7.0, 600.0})
            for (const double limit : {0.0, 64.0, 4096.0}) {
                double sum = 0;
                for (int i = 1; i <= int(query); ++i)
                    sum += limit > 0 ? std::min(past + i, limit) : past + i;
                CHECK(meanKeysSeen(past, query, limit) == doctest::Approx(sum / query));
            }
}

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

TEST_CASE("a large all-reduce moves 2 (w-1) / w of its message over the link")
{
    const Node node = planted::box();
    const EfficiencySet set = planted::limit();
    const Op op{.cls = OpClass::Collective,
                .collective = CollectiveClass::NcclAllReduce,
                .ranks = 8,
                .message = Bytes(1e9)};
    CHECK(timeOp(op, planted::rtx4090(), node, set).total.base()
          == doctest::Approx(2 * 7 / 8.0 * 1e9 / 450e9));
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

TEST_CASE("a narrow head pays for its exponentials, and the last block of rows ends with its prompt")
{
    EfficiencySet set = planted::limit();
    Gpu gpu = planted::rtx4090();
    gpu.smCount = 100;
    const AttentionShape shape{
        .batch = 64, .queryTokens = 4096, .queryHeads = 32, .kvHeads = 8, .headDim = 128};
    const Op op = prefillAttentionOp(shape, MathUnit::Fp16);
    const double plain = timeOp(op, gpu, {}, set).total.base();
    set.prefillAttention.softmaxColumns = 64; // half of this head's columns
    CHECK(timeOp(op, gpu, {}, set).total.base() == doctest::Approx(std::hypot(1, 0.5) * plain).epsilon(1e-3));

    // One sequence with one head: 32 blocks of 128 rows for 100 multiprocessors. The last sees 4096 keys,
    // twice the mean, and a multiprocessor has a hundredth of the peak.
    set.prefillAttention.softmaxColumns = 0;
    set.prefillAttention.lastBlock = 1;
    const Op one = prefillAttentionOp(
        {.batch = 1, .queryTokens = 4096, .queryHeads = 1, .kvHeads = 1, .headDim = 128}, MathUnit::Fp16);
    const double block = 4.0 * 128 * 128 * 4096 / (gpu.peak(MathUnit::Fp16).base() / 100);
    const double spread = one.flops.base() / gpu.peak(MathUnit::Fp16).base();
    CHECK(timeOp(one, gpu, {}, set).total.base()
          == doctest::Approx(std::hypot(block, spread)).epsilon(1e-2)); // reading adds a little

    // Its 32 blocks wait for none, those of ten sequences for a part of the last.
    set.prefillAttention.tail = 0.5;
    CHECK(timeOp(one, gpu, {}, set).total.base() == doctest::Approx(std::hypot(block, spread)).epsilon(1e-2));
    const Op ten = prefillAttentionOp(
        {.batch = 10, .queryTokens = 4096, .queryHeads = 1, .kvHeads = 1, .headDim = 128}, MathUnit::Fp16);
    const double waits = 0.5 * block * (1 - 100 / 320.0);
    CHECK(timeOp(ten, gpu, {}, set).total.base()
          == doctest::Approx(std::hypot(block, 10 * spread + waits)).epsilon(1e-2));
}

TEST_CASE("a prompt's new keys are put into the cache first, and what was just written may still be near")
{
    EfficiencySet set = planted::limit();
    Gpu gpu = planted::rtx4090();
    gpu.l2Cache = Bytes(64e6);
    const auto attend = [](double tokens, double past) {
        return prefillAttentionOp(
            {.batch = 1, .queryTokens = tokens, .past = past, .queryHeads = 1, .kvHeads = 1, .headDim = 64},
            MathUnit::Fp16);
    };
    const auto seconds = [&](const Op& op) { return timeOp(op, gpu, {}, set).total.base(); };
    const Op fresh = attend(1000, 0);
    const Op after = attend(1000, 9000);
    const double freshPlain = seconds(fresh);
    const double afterPlain = seconds(after);
    set.prefillAttention.appendPasses = 3;
    const double pass = 3 * fresh.kvBytes.base() / gpu.memoryBandwidth.base();
    CHECK(seconds(fresh) == doctest::Approx(freshPlain + pass));
    CHECK(seconds(after) == doctest::Approx(afterPlain + pass)); // nine tenths were there before
    set.prefillAttention.appendPasses = 0;
    set.prefillAttention.cachedCost = 0.25;
    CHECK(timeOp(fresh, gpu, {}, set).memory.base()
          == doctest::Approx(0.25 * fresh.bytes().base() / gpu.memoryBandwidth.base()));
    const Op large = attend(1e6, 0); // 512 MB, of which the cache holds an eighth and keeps a 64th
    CHECK(timeOp(large, gpu, {}, set).memory.base()
          == doctest::Approx((1 - 0.75 / 64) * large.bytes().base() / gpu.memoryBandwidth.base()));
}

TEST_CASE("every KV head of a sequence costs a decode its item, every tile of an expert its start")
{
    EfficiencySet set = planted::limit();
    Gpu gpu = planted::rtx4090();
    gpu.smCount = 100;
    const Op decode = decodeAttentionOp(
        {.batch = 50, .past = 9999, .queryHeads = 8, .kvHeads = 8, .headDim = 128}, MathUnit::Fp16);
    const double before = timeOp(decode, gpu, {}, set).memory.base();
    set.decodeAttention.perItem = Seconds(2e-6);
    CHECK(timeOp(decode, gpu, {}, set).memory.base() == doctest::Approx(before + 2e-6 * 50 * 8 / 100));

    // 10 experts of 100 rows each: two pieces of 64 rows.
    const Op experts = expertOp({.rows = 1000, .experts = 10, .inner = 1024, .slice = 256}, GemmClass::Half,
                                MathUnit::Fp16);
    const double still = timeOp(experts, gpu, {}, set).memory.base();
    set.grouped[static_cast<std::size_t>(GemmClass::Half)].perTile = Seconds(1e-6);
    CHECK(timeOp(experts, gpu, {}, set).memory.base() == doctest::Approx(still + 1e-6 * 10 * 2));
}

TEST_CASE("keys of too few sequences are split until the card is full, and their results put together")
{
    EfficiencySet set = planted::limit();
    Gpu gpu = planted::rtx4090();
    gpu.smCount = 100;
    set.decodeAttention.perItem = Seconds(2e-6);
    const auto attend = [](double batch, double keys) {
        return decodeAttentionOp(
            {.batch = batch, .past = keys - 1, .queryHeads = 64, .kvHeads = 8, .headDim = 128},
            MathUnit::Fp16);
    };
    const auto seconds = [&](const Op& op) { return timeOp(op, gpu, {}, set).total.base(); };
    const double whole = seconds(attend(1, 100000));
    set.decodeAttention.fill = 4;
    set.decodeAttention.combine = Seconds(5e-6);
    // 8 items of 782 pieces each would be too many: 4 on each of 100 multiprocessors.
    CHECK(seconds(attend(1, 100000)) == doctest::Approx(whole + 5e-6 + 2e-6 * (4 - 8 / 100.0)).epsilon(1e-3));
    // 8 items of 2560 keys: 20 pieces of 128 keys each.
    set.decodeAttention.fill = 0;
    const double shorter = seconds(attend(1, 2560));
    set.decodeAttention.fill = 4;
    CHECK(seconds(attend(1, 2560)) == doctest::Approx(shorter + 5e-6 + 2e-6 * (160 - 8) / 100).epsilon(1e-2));
    // More sequences than pieces fit: nothing is split.
    const double many = seconds(attend(100, 2560));
    set.decodeAttention.fill = 0;
    CHECK(seconds(attend(100, 2560)) == doctest::Approx(many));
}

TEST_CASE("a kernel that splits no keys ends with its longest sequence")
{
    EfficiencySet set = planted::limit();
    Gpu gpu = planted::rtx4090();
    gpu.smCount = 100;
    set.decodeAttention.reach = 2;
    const Op one = decodeAttentionOp(
        {.batch = 1, .past = 99999, .queryHeads = 8, .kvHeads = 1, .headDim = 128}, MathUnit::Fp16);
    // One KV head of one sequence draws two hundredths of the bandwidth.
    CHECK(timeOp(one, gpu, {}, set).total.base()
          == doctest::Approx(one.kvBytes.base() / gpu.memoryBandwidth.base() * 50).epsilon(1e-3));
    // Multi-head attention has a kernel of its own, where its figures are known.
    const Op row = decodeAttentionOp(
        {.batch = 1, .past = 99999, .queryHeads = 1, .kvHeads = 1, .headDim = 128}, MathUnit::Fp16);
    set.decodeAttention.rowReach = 20;
    const double unknown = timeOp(row, gpu, {}, set).total.base();
    CHECK(unknown == doctest::Approx(row.kvBytes.base() / gpu.memoryBandwidth.base() * 50).epsilon(1e-3));
    set.decodeAttention.rowEfficiency = 1;
    CHECK(timeOp(row, gpu, {}, set).total.base() == doctest::Approx(unknown / 10).epsilon(0.03));
}

TEST_CASE("wide heads cost a decode more than their bytes, and keys are cut into pieces of some length")
{
    EfficiencySet set = planted::limit();
    Gpu gpu = planted::rtx4090();
    gpu.smCount = 100;
    const auto attend = [](double width) {
        return decodeAttentionOp(
            {.batch = 100, .past = 9999, .queryHeads = 8, .kvHeads = 1, .headDim = width}, MathUnit::Fp16);
    };
    const auto memory = [&](const Op& op) { return timeOp(op, gpu, {}, set).memory.base(); };
    const double usual = memory(attend(128));
    set.decodeAttention.wideHeads = 0.2;
    CHECK(memory(attend(128)) == doctest::Approx(usual));
    CHECK(memory(attend(256)) == doctest::Approx(2 * 1.2 * usual));
    CHECK(memory(attend(64)) == doctest::Approx(0.5 * usual));
    set.decodeAttention.narrowHeads = 1.2;
    CHECK(memory(attend(64)) == doctest::Approx(0.5 * 1.2 * usual));
    CHECK(memory(attend(96)) == doctest::Approx(0.75 * 1.1 * usual));
    // 100 items of 10,000 keys: four pieces of 2500.
    set.decodeAttention = planted::limit().decodeAttention;
    set.decodeAttention.fill = 100;
    set.decodeAttention.pieceKeys = 2500;
    set.decodeAttention.perItem = Seconds(1e-6);
    CHECK(memory(attend(128)) == doctest::Approx(usual + 4e-6));
}

TEST_CASE(
    "latent queries are put in place by a pass of their own, and arithmetic hides what it is longer than")
{
    EfficiencySet set = planted::limit();
    const Gpu gpu = planted::rtx4090();
    const Op op = decodeLatentOp({.batch = 256,
                                  .queryTokens = 1,
                                  .past = 4095,
                                  .heads = 64,
                                  .latent = 512,
                                  .rope = 64,
                                  .nope = 128,
                                  .value = 128},
                                 MathUnit::Fp16);
    const double keys = op.kvBytes.base() / gpu.memoryBandwidth.base();
    const double queries = op.activationBytes.base() / gpu.memoryBandwidth.base();
    const double work = op.flops.base() / gpu.peak(MathUnit::Fp16).base();
    set.decodeMla.queryPasses = 2;
    CHECK(timeOp(op, gpu, {}, set).total.base()
          == doctest::Approx(std::hypot(work, keys) + 2 * queries).epsilon(1e-3));
    set.decodeMla.sharpness = 6;
    CHECK(timeOp(op, gpu, {}, set).total.base()
          == doctest::Approx(std::pow(std::pow(work, 6) + std::pow(keys, 6), 1 / 6.) + 2 * queries)
                 .epsilon(1e-3));
}

namespace {

// One token each of 256 sequences of DeepSeek's latent attention.
Op latentDecode(double heads, double cacheByte)
{
    return decodeLatentOp({.batch = 256,
                           .queryTokens = 1,
                           .past = 4095,
                           .heads = heads,
                           .latent = 512,
                           .rope = 64,
                           .nope = 128,
                           .value = 128,
                           .kvBytesPerElement = cacheByte},
                          MathUnit::Fp16);
}

} // namespace

TEST_CASE("latent attention works on 64 heads at a time, and its 8-bit cache has figures of its own")
{
    EfficiencySet set = planted::limit();
    const Gpu gpu = planted::rtx4090();
    const double few = timeOp(latentDecode(16, 2), gpu, {}, set).compute.base();
    CHECK(timeOp(latentDecode(64, 2), gpu, {}, set).compute.base() == doctest::Approx(few));
    CHECK(timeOp(latentDecode(128, 2), gpu, {}, set).compute.base() == doctest::Approx(2 * few));
    set.decodeMla8.computeEfficiency = 0.5;
    CHECK(timeOp(latentDecode(128, 2), gpu, {}, set).compute.base() == doctest::Approx(2 * few));
    CHECK(timeOp(latentDecode(128, 1), gpu, {}, set).compute.base() == doctest::Approx(4 * few));
    CHECK(slotName(slotOf(latentDecode(128, 1))) == "decode mla 8-bit cache");
}

TEST_CASE("latent heads beyond a tile read the cache again, where a kernel says what that costs")
{
    EfficiencySet set = planted::limit();
    const Gpu gpu = planted::rtx4090();
    set.decodeMla.queryPasses = 1; // of its own, so that memory is the cache
    const auto keys = [&](double heads) {
        const Op op = latentDecode(heads, 2);
        return timeOp(op, gpu, {}, set).memory.base() - (op.activationBytes / gpu.memoryBandwidth).base();
    };
    const auto isTimes = [](double value) { return doctest::Approx(value).epsilon(1e-6); };
    const double once = keys(16);
    CHECK(keys(128) == isTimes(once));
    set.decodeMla.readAgain = 0.4;
    CHECK(keys(64) == isTimes(once));
    CHECK(keys(128) == isTimes(1.4 * once));
    set.decodeMla.latentRows = 16; // and another kernel for more than two of its tiles
    CHECK(keys(16) == isTimes(once));
    CHECK(keys(32) == isTimes(1.4 * once));
    CHECK(keys(64) == isTimes(once));
    CHECK(keys(128) == isTimes(once));
    const auto work
        = [&](double heads) { return timeOp(latentDecode(heads, 2), gpu, {}, set).compute.base(); };
    CHECK(work(128) == isTimes(2 * work(64)));
    set.decodeMla.latentTile = 128; // which pads 64 heads
    CHECK(work(128) == isTimes(work(64)));
}

TEST_CASE("few keys are left to the kernel of single rows")
{
    EfficiencySet set = planted::limit();
    Gpu gpu = planted::rtx4090();
    gpu.smCount = 100;
    set.decodeAttention.perItem = Seconds(1e-6);
    set.decodeAttention.rowItem = Seconds(3e-6);
    set.decodeAttention.rowEfficiency = 1;
    set.decodeAttention.launch = Seconds(4e-6);
    set.decodeAttention.rowFixed = 1.5;
    const auto time = [&](double sequences, double keys) {
        const Op op = decodeAttentionOp(
            {.batch = sequences, .past = keys - 1, .queryHeads = 8, .kvHeads = 1, .headDim = 128},
            MathUnit::Fp16);
        const double read = (op.bytes() / gpu.memoryBandwidth).base();
        return timeOp(op, gpu, {}, set).memory.base() - read;
    };
    const double ofMatrix = time(2, 1024);
    CHECK(ofMatrix == doctest::Approx(2 * 1e-6 / 100).epsilon(1e-6));
    set.decodeAttention.matrixBlocks = 0.25; // 25 blocks of 128 keys here
    CHECK(time(2, 1024) == doctest::Approx(16 * 3e-6 / 100).epsilon(1e-6));
    CHECK(time(4, 1025) == doctest::Approx(4 * 1e-6 / 100).epsilon(1e-6));
    CHECK(time(25, 16) == doctest::Approx(25 * 1e-6 / 100).epsilon(1e-6)); // no less than a block each
}

TEST_CASE("single rows are split from so many elements of keys on, and few of them read more slowly")
{
    EfficiencySet set = planted::limit();
    Gpu gpu = planted::rtx4090();
    gpu.smCount = 100;
    DecodeAttentionForm& form = set.decodeAttention;
    form.rowEfficiency = 1;
    form.fill = 8;
    form.rowSplit = 65536;
    form.combine = Seconds(1e-3);
    form.splitRoot = Seconds(1e-2); // matrix units alone
    const auto attend = [&](double keys, double width) {
        return decodeAttentionOp(
            {.batch = 50, .past = keys - 1, .queryHeads = 1, .kvHeads = 1, .headDim = width}, MathUnit::Fp16);
    };
    const auto launch = [&](double keys, double width) {
        const Op op = attend(keys, width);
        const double work = (op.bytes() / gpu.memoryBandwidth).base();
        return timeOp(op, gpu, {}, set).total.base() - work;
    };
    CHECK(launch(511, 128) < 1e-4);
    CHECK(launch(512, 128) == doctest::Approx(1e-3).epsilon(0.05));
    CHECK(launch(512, 64) < 1e-4);
    CHECK(launch(1024, 64) == doctest::Approx(1e-3).epsilon(0.05));
    const double whole = timeOp(attend(8192, 128), gpu, {}, set).memory.base();
    form.rowScatter = 0.1; // 50 of 800 items
    CHECK(timeOp(attend(8192, 128), gpu, {}, set).memory.base()
          == doctest::Approx(std::pow(16, 0.1) * whole).epsilon(1e-6));
}

TEST_CASE("pieces put together take a root of their number, and tall items take longer")
{
    EfficiencySet set = planted::limit();
    Gpu gpu = planted::rtx4090();
    gpu.smCount = 100;
    DecodeAttentionForm& form = set.decodeAttention;
    form.fill = 8;
    const auto attend = [&](double keys, double rows, double width) {
        return timeOp(decodeAttentionOp(
                          {.batch = 50, .past = keys - 1, .queryHeads = rows, .kvHeads = 1, .headDim = width},
                          MathUnit::Fp16),
                      gpu, {}, set);
    };
    const double apart = attend(2048, 8, 128).total.base();
    const double short_ = attend(255, 8, 128).total.base();
    form.splitRoot = Seconds(1e-3);
    CHECK(attend(2048, 8, 128).total.base() - apart == doctest::Approx(4e-3).epsilon(0.02)); // 16 pieces
    CHECK(attend(255, 8, 128).total.base() == doctest::Approx(short_));
    form.splitRoot = {};
    form.perItem = Seconds(1e-3);
    const double starts = 800 / 100. * 1e-3;
    CHECK(attend(8192, 8, 256).memory.base() == doctest::Approx(starts).epsilon(0.05));
    form.tallItems = 3;
    CHECK(attend(8192, 8, 256).memory.base() == doctest::Approx(starts).epsilon(0.05));
    CHECK(attend(8192, 16, 256).memory.base() == doctest::Approx(3 * starts).epsilon(0.05));
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

TEST_CASE("experts pass over the intermediate width of all ranks' rows, and odd slices take longer")
{
    EfficiencySet set = planted::limit();
    GroupedGemmForm& form = set.grouped[static_cast<std::size_t>(GemmClass::Half)];
    const Gpu gpu = planted::rtx4090();
    const auto experts = [&](double slice) {
        const Op op = expertOp({.rows = 64, .routed = 640, .experts = 8, .inner = 4096, .slice = slice},
                               GemmClass::Half, MathUnit::Fp16);
        return timeOp(op, gpu, {}, set).total.base();
    };
    const double even = experts(1024);
    const double odd = experts(1000);
    form.oddSlice = 2;
    CHECK(experts(1024) == doctest::Approx(even));
    CHECK(experts(1000) == doctest::Approx(2 * (odd - form.launch.base()) + form.launch.base()));
    form.oddSlice = 1;
    form.slicePassBytes = 6;
    CHECK(experts(1024) == doctest::Approx(even + 640 * 1024 * 6 / gpu.memoryBandwidth.base()));
}

TEST_CASE("experts of as many rows fill their tiles and end together, others leave a part of one empty")
{
    EfficiencySet set = planted::limit();
    GroupedGemmForm& form = set.grouped[static_cast<std::size_t>(GemmClass::Half)];
    const Gpu gpu = planted::rtx4090();
    const auto experts = [&](double rows, bool even) {
        const Op op = expertOp({.rows = rows, .experts = 8, .inner = 64, .slice = 16384, .even = even},
                               GemmClass::Half, MathUnit::Fp16);
        return timeOp(op, gpu, {}, set).compute.base();
    };
    form.rowTile = 64;
    CHECK(experts(8 * 100, false) == experts(8 * 100, true)); // not known: rounded up
    CHECK(experts(8 * 100, true) == doctest::Approx(experts(8 * 128, true)));
    form.partTile = 0.5;
    CHECK(experts(8 * 128, false) == doctest::Approx(1.25 * experts(8 * 128, true)));
    CHECK(experts(8 * 9, false) == doctest::Approx(experts(8 * 64, true))); // one tile at least
}

TEST_CASE(
    "narrow slices of experts are read slowly, an even choice in less time, ranks by a kernel of theirs")
{
    EfficiencySet set = planted::limit();
    GroupedGemmForm& form = set.grouped[static_cast<std::size_t>(GemmClass::Half)];
    const Gpu gpu = planted::rtx4090();
    const auto experts = [&](double slice, double routed, bool even = false) {
        const Op op = expertOp(
            {.rows = 8, .routed = routed, .experts = 8, .inner = 4096, .slice = slice, .even = even},
            GemmClass::Half, MathUnit::Fp16);
        return timeOp(op, gpu, {}, set);
    };
    const double weights = 8 * 3 * 64 * 4096 * 2 / gpu.memoryBandwidth.base();
    const double before = experts(64, 8).memory.base();
    form.narrowSlice = 48;
    CHECK(experts(64, 8).memory.base() == doctest::Approx(before + weights / 4)); // 3, 4 and 5
    form.evenTime = 0.9;
    CHECK(experts(64, 8, true).total.base() == doctest::Approx(0.9 * experts(64, 8).total.base()));
    const double alone = experts(64, 8).total.base();
    form.spreadCompute = form.spreadMemory = 0.5;
    form.spreadLaunch = Seconds(1e-3);
    CHECK(experts(64, 8).total.base() == alone);
    CHECK(experts(64, 32).total.base() > alone + 1e-3);
}

TEST_CASE("experts cover slices with whole tiles, and read again what the cache does not keep of them")
{
    EfficiencySet set = planted::limit();
    GroupedGemmForm& form = set.grouped[static_cast<std::size_t>(GemmClass::Half)];
    Gpu gpu = planted::rtx4090();
    gpu.l2Cache = Bytes(72e6);
    constexpr double count = 8;
    const auto experts = [&](double slice, double rowsOfOne) {
        const Op op = expertOp(
            {.rows = count * rowsOfOne, .experts = count, .inner = 4096, .slice = slice, .even = true},
            GemmClass::Half, MathUnit::Fp16);
        return timeOp(op, gpu, {}, set);
    };
    CHECK(experts(96, 64).compute.base() == doctest::Approx(experts(128, 64).compute.base()));
    const double once = experts(16384, 256).memory.base();
    const double fewRows = experts(16384, 8).memory.base();
    form.keptWeights = 0.5;
    CHECK(experts(129, 64).compute.base() == doctest::Approx(experts(256, 64).compute.base()));
    CHECK(experts(16384, 8).memory.base() == fewRows); // one tile
    const double beyond = count * (3.0 * 16384 * 4096 * 2 - 0.5 * gpu.l2Cache.base());
    CHECK(experts(16384, 256).memory.base()
          == doctest::Approx(once + 3 * beyond / gpu.memoryBandwidth.base()));
    gpu.l2Cache = {}; // of a card whose cache nobody stated nothing is said
    CHECK(experts(16384, 256).memory.base() == doctest::Approx(once));
    form.rowTile = 1; // the physical limit has no tiles
    CHECK(experts(129, 64).compute / experts(256, 64).compute == doctest::Approx(129.0 / 256));
}

TEST_CASE("experts with more rows than the average, which the tile is chosen for, read their weights again")
{
    EfficiencySet set = planted::limit();
    GroupedGemmForm& form = set.grouped[static_cast<std::size_t>(GemmClass::Half)];
    const Gpu gpu = planted::rtx4090();
    constexpr double held = 64;
    const auto memory = [&](double average, double used, bool even = false) {
        const Op op = expertOp({.rows = average * held,
                                .experts = used,
                                .held = held,
                                .inner = 4096,
                                .slice = 1024,
                                .even = even},
                               GemmClass::Half, MathUnit::Fp16);
        return timeOp(op, gpu, {}, set).memory.base();
    };
    const double before = memory(16, 32);
    const double beforeNext = memory(17, 32);
    const double beforeEven = memory(16, 64, true);
    form.leastTile = 16;
    form.readAgain = 0.5;
    const double weights = 32 * 3.0 * 1024 * 4096 * 2 / gpu.memoryBandwidth.base();
    // Half of the experts are used and have 32 rows on average: of tiles of 16 rows there are more, by the
    // sum of e^(-16 j / 32).
    double further = 0;
    for (int j = 1; j < 200; ++j)
        further += std::exp(-0.5 * j);
    CHECK(memory(16, 32) == doctest::Approx(before + 0.5 * further * weights));
    // One row more on average, and the tile is twice as high.
    CHECK(memory(17, 32) - beforeNext == doctest::Approx(0.5 * weights / std::expm1(32.0 / 34)));
    CHECK(memory(16, 64, true) == beforeEven); // all fit into one
}

TEST_CASE("tokens of experts are passed over before they are copied and after they are added up")
{
    EfficiencySet set = planted::limit();
    GroupedGemmForm& form = set.grouped[static_cast<std::size_t>(GemmClass::Half)];
    const Gpu gpu = planted::rtx4090();
    const auto seconds = [&](double chosen) {
        const Op op
            = expertOp({.rows = 64, .experts = 8, .tokens = 64 / chosen, .inner = 4096, .slice = 1024},
                       GemmClass::Half, MathUnit::Fp16);
        return timeOp(op, gpu, {}, set).total.base();
    };
    const double before = seconds(1);
    CHECK(seconds(8) == before);
    form.tokenPassBytes = 4;
    CHECK(seconds(1) == doctest::Approx(before + 64 * 4096 * 4 / gpu.memoryBandwidth.base()));
    CHECK(seconds(8) == doctest::Approx(before + 8 * 4096 * 4 / gpu.memoryBandwidth.base()));
}

TEST_CASE("an exchange flags its words while it is small, and meets first when it is large")
{
    const Node node = planted::box();
    EfficiencySet set = planted::limit();
    CollectiveForm& form = set.intraNode[static_cast<std::size_t>(CollectiveClass::AllGather)];
    form.floorBase = Seconds(5e-6);
    form.perHop = Seconds(10e-6);
    form.oneShotEfficiency = 0.1;
    const auto seconds = [&](double bytes) {
        const Op op{.cls = OpClass::Collective,
                    .collective = CollectiveClass::AllGather,
                    .ranks = 8,
                    .message = Bytes(bytes)};
        return timeOp(op, planted::rtx4090(), node, set).total.base();
    };
    CHECK(seconds(1e4) == doctest::Approx(5e-6 + 7e4 / 45e9));
    CHECK(seconds(1e8) == doctest::Approx(15e-6 + 7e8 / 450e9));
}

TEST_CASE("what an exchange hands to a third way takes that where it is faster")
{
    const Node node = planted::box();
    EfficiencySet set = planted::limit();
    const auto seconds = [&](CollectiveClass cls, double bytes) {
        const Op op{.cls = OpClass::Collective, .collective = cls, .ranks = 8, .message = Bytes(bytes)};
        return timeOp(op, planted::rtx4090(), node, set).total.base();
    };
    for (const CollectiveClass cls : {CollectiveClass::CustomAllReduce, CollectiveClass::NcclAllReduce}) {
        CollectiveForm& form = set.intraNode[static_cast<std::size_t>(cls)];
        form.floorBase = Seconds(5e-6);
        form.perHop = Seconds(40e-6);
        form.oneShotEfficiency = 0.1;
        form.handedStart = Seconds(12e-6);
        form.handedEfficiency = 0.4;
    }
    // Shot whole to seven others, or added up on the way.
    CHECK(seconds(CollectiveClass::CustomAllReduce, 1e4) == doctest::Approx(5e-6 + 7e4 / 45e9));
    CHECK(seconds(CollectiveClass::CustomAllReduce, 1e7) == doctest::Approx(17e-6 + 1e7 / 180e9));
    // Round the ring each way: with flags, with one for many words, after the ranks have met.
    CHECK(seconds(CollectiveClass::NcclAllReduce, 1e4) == doctest::Approx(5e-6 + 1.75e4 / 45e9));
    CHECK(seconds(CollectiveClass::NcclAllReduce, 1e6) == doctest::Approx(17e-6 + 1.75e6 / 180e9));
    CHECK(seconds(CollectiveClass::NcclAllReduce, 1e8) == doctest::Approx(45e-6 + 1.75e8 / 450e9));
    // A kernel that hands on from a size on does so whatever that costs.
    set.intraNode[static_cast<std::size_t>(CollectiveClass::CustomAllReduce)].handedFrom = 1e6;
    CHECK(seconds(CollectiveClass::CustomAllReduce, 0.99e6)
          == doctest::Approx(5e-6 + std::min(7 * 0.99e6 / 45e9, 14 * 40e-6 + 1.75 * 0.99e6 / 450e9)));
    CHECK(seconds(CollectiveClass::CustomAllReduce, 1e6) == doctest::Approx(17e-6 + 1e6 / 180e9));
}

TEST_CASE("a message in its best segments takes the square of the sum of roots")
{
    const Node node = planted::box();
    EfficiencySet set = planted::limit();
    CollectiveForm& form = set.intraNode[static_cast<std::size_t>(CollectiveClass::AllGather)];
    form.perHop = Seconds(1e-6);
    form.pipelined = 1;
    const Op op{.cls = OpClass::Collective,
                .collective = CollectiveClass::AllGather,
                .ranks = 8,
                .message = Bytes(1e6)};
    const double hops = 7e-6;
    const double wire = 7 * 1e6 / 450e9;
    const double roots = std::sqrt(hops) + std::sqrt(wire);
    CHECK(timeOp(op, planted::rtx4090(), node, set).total.base() == doctest::Approx(roots * roots));
}

TEST_CASE("cards that share bridges get the less of their links the more of them exchange")
{
    const Node node = planted::box();
    EfficiencySet set = planted::limit();
    CollectiveForm& form = set.intraNode[static_cast<std::size_t>(CollectiveClass::AllGather)];
    const auto rate = [&](int ranks) {
        const Op op{.cls = OpClass::Collective,
                    .collective = CollectiveClass::AllGather,
                    .ranks = ranks,
                    .message = Bytes(1e9)};
        return (ranks - 1) * 1e9 / timeOp(op, planted::rtx4090(), node, set).total.base();
    };
    const double full = rate(2);
    CHECK(rate(8) == doctest::Approx(full).epsilon(1e-3));
    form.sharing = 0.5;
    CHECK(rate(2) == doctest::Approx(full).epsilon(1e-3));
    CHECK(rate(8) == doctest::Approx(full / 2).epsilon(1e-3));
}

TEST_CASE("over PCIe the curves of another link say nothing, those of the card itself do")
{
    Node node = planted::box();
    node.intra.topology = LinkTopology::Pcie;
    node.intra.perGpuPerDirection = BytesPerSecond(31e9);
    EfficiencySet set = planted::limit();
    const Op op{.cls = OpClass::Collective,
                .collective = CollectiveClass::NcclAllReduce,
                .ranks = 4,
                .message = Bytes(1e9)};
    // The ring puts 2 x 3/4 of the message on each link.
    const double alone = 1.5 * 1e9 / 31e9;
    const auto seconds = [&] { return timeOp(op, planted::rtx4090(), node, set).total.base(); };
    CHECK(seconds() == doctest::Approx(alone));
    for (CollectiveForm& form : set.intraNode)
        form.uncertainty.source = Source::SameFamily;
    const double reached = alone / seconds();
    // Published: 0.43 among eight cards, 0.65 between two, 0.76 among four.
    CHECK(reached > 0.43);
    CHECK(reached < 0.76);
    // A bridge is another link: two cards keep its curves, four meet over the bus.
    node.intra.topology = LinkTopology::Pairs;
    node.host = {.topology = LinkTopology::Pcie, .perGpuPerDirection = BytesPerSecond(31e9)};
    CHECK(alone / seconds() == doctest::Approx(reached));
    Op pair = op;
    pair.ranks = 2;
    CHECK(timeOp(pair, planted::rtx4090(), node, set).total.base() == doctest::Approx(1e9 / 31e9));
}
