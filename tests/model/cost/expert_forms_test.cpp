#include "model/cost/forms.h"
#include "model/count/op_work.h"
#include "model/efficiency/form_slot.h"
#include "tests/model/cost/planted.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace headroom;

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
    form.expertTiles = ExpertTiles::Fixed;
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
    form.spreadExperts = SpreadExperts::OwnKernel;
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
    form.expertWeights = ExpertWeights::WholeTiles;
    form.keptWeights = 0.5;
    CHECK(experts(129, 64).compute.base() == doctest::Approx(experts(256, 64).compute.base()));
    CHECK(experts(16384, 8).memory.base() == fewRows); // one tile
    const double beyond = count * (3.0 * 16384 * 4096 * 2 - 0.5 * gpu.l2Cache.base());
    CHECK(experts(16384, 256).memory.base()
          == doctest::Approx(once + 3 * beyond / gpu.memoryBandwidth.base()));
    gpu.l2Cache = {}; // of a card whose cache nobody stated nothing is said
    CHECK(experts(16384, 256).memory.base() == doctest::Approx(once));
    form.expertTiles = ExpertTiles::None; // the physical limit has no tiles
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

TEST_CASE("kernels that put rows of experts in order are launches of their own, whatever the experts take")
{
    EfficiencySet set = planted::limit();
    set.stream.launch = Seconds(2e-6);
    const Gpu gpu = planted::rtx4090();
    const auto experts = [&](double rows, double ordering) {
        Op op = expertOp({.rows = rows, .experts = 8, .inner = 4096, .slice = 1024}, GemmClass::Half,
                         MathUnit::Fp16);
        op.ordering = ordering;
        return timeOp(op, gpu, {}, set).total.base();
    };
    CHECK(experts(8, 10) - experts(8, 0) == doctest::Approx(20e-6).epsilon(1e-9));
    CHECK(experts(8000, 10) - experts(8000, 0) == doctest::Approx(20e-6).epsilon(1e-9));
}
