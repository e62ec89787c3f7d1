#include "calib/fit/form_fit.h"
#include "model/cost/forms.h"
#include "model/count/op_work.h"
#include "model/yaml/efficiency_yaml.h"
#include "tests/calib/planted_timings.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace headroom;
using namespace headroom::planted;

TEST_CASE("a GEMM fit recovers the efficiencies that made the timings")
{
    EfficiencySet truth;
    truth.gemm[static_cast<std::size_t>(GemmClass::Half)] = {.computeEfficiency = 0.66,
                                                             .memoryEfficiency = 0.92,
                                                             .launch = Seconds(7e-6),
                                                             .sharpness = 2.6,
                                                             .waveExponent = 0.8};
    EfficiencySet set;
    const FormSlot slot{.cls = OpClass::Gemm, .gemm = GemmClass::Half};
    const FormFit fit
        = fitForm(set, slot, timed(gemmGrid(GemmClass::Half), truth, 0.01), bigGpu(), bigNode());
    const GemmForm& found = set.form(GemmClass::Half);
    CHECK(found.computeEfficiency == doctest::Approx(0.66).epsilon(0.03));
    CHECK(found.memoryEfficiency == doctest::Approx(0.92).epsilon(0.03));
    CHECK(found.launch.base() == doctest::Approx(7e-6).epsilon(0.06));
    CHECK(found.waveExponent == doctest::Approx(0.8).epsilon(0.15));
    CHECK(fit.crossValidated.median < 0.03);
    CHECK(found.uncertainty.source == Source::MeasuredPublished);
    CHECK(found.uncertainty.lnSpread < 0.05);
}

TEST_CASE("what a tile pays and what follows in one tile are told from each other")
{
    EfficiencySet truth;
    truth.gemm[static_cast<std::size_t>(GemmClass::Half)] = {.computeEfficiency = 0.7,
                                                             .memoryEfficiency = 0.85,
                                                             .launch = Seconds(4e-6),
                                                             .tileColumns = 600,
                                                             .perColumn = Seconds(1.5e-9)};
    std::vector<Op> ops = gemmGrid(GemmClass::Half);
    for (const double m : {1., 16., 128., 1024., 8192.})
        for (const auto& [n, k] : {std::pair{256., 65536.}, {512., 16384.}, {8192., 512.}, {65536., 256.}})
            ops.push_back(gemm(m, n, k, GemmClass::Half));
    EfficiencySet set;
    const FormSlot slot{.cls = OpClass::Gemm, .gemm = GemmClass::Half};
    (void)fitForm(set, slot, timed(ops, truth, 0.01), bigGpu(), bigNode());
    CHECK(set.form(GemmClass::Half).tileColumns == doctest::Approx(600).epsilon(0.1));
    CHECK(set.form(GemmClass::Half).perColumn.base() == doctest::Approx(1.5e-9).epsilon(0.1));
    CHECK(set.form(GemmClass::Half).computeEfficiency == doctest::Approx(0.7).epsilon(0.03));
}

TEST_CASE("samples say whether a library chooses its tiles, and what a split of columns costs")
{
    EfficiencySet truth;
    GemmForm& planted = truth.gemm[static_cast<std::size_t>(GemmClass::Half)];
    planted = {.computeEfficiency = 0.7,
               .memoryEfficiency = 0.85,
               .launch = Seconds(4e-6),
               .waveExponent = 0.9,
               .perColumn = Seconds(1.5e-9),
               .splitCombine = Seconds(5e-6)};
    std::vector<Op> ops = gemmGrid(GemmClass::Half);
    for (const double m : {1., 16., 65., 129., 257., 513., 1025.})
        for (const auto& [n, k] : {std::pair{256., 65536.}, {512., 16384.}, {1024., 8192.}, {65536., 1024.}})
            ops.push_back(gemm(m, n, k, GemmClass::Half));
    const FormSlot slot{.cls = OpClass::Gemm, .gemm = GemmClass::Half};
    for (const double tile : {0., 256.}) {
        planted.largestTile = tile;
        EfficiencySet set;
        (void)fitForm(set, slot, timed(ops, truth, 0.01), bigGpu(), bigNode());
        const GemmForm& found = set.form(GemmClass::Half);
        CHECK(found.largestTile == tile);
        CHECK(found.splitCombine.base() == doctest::Approx(5e-6).epsilon(0.2));
        CHECK(found.computeEfficiency == doctest::Approx(0.7).epsilon(0.04));
    }
}

TEST_CASE("a decode kernel's split, its reach and its single rows are recovered")
{
    EfficiencySet truth;
    truth.decodeAttention = {.memoryEfficiency = 0.9,
                             .computeEfficiency = 0.4,
                             .floor = Seconds(5e-6),
                             .launch = Seconds(6e-6),
                             .perItem = Seconds(3e-6),
                             .fill = 1.5,
                             .combine = Seconds(4e-6),
                             .reach = 12,
                             .rowEfficiency = 0.005,
                             .rowItem = Seconds(1e-6),
                             .rowReach = 0.4,
                             .regroup = Seconds(6e-6)};
    std::vector<Op> ops;
    for (const double batch : {1., 4., 16., 64., 256.})
        for (const double keys : {128., 1024., 8192., 65536.})
            for (const auto& [heads, kvHeads] : {std::pair{8., 1.}, {32., 8.}, {1., 1.}, {32., 32.}})
                ops.push_back(decodeAttentionOp({.batch = batch,
                                                 .past = keys - 1,
                                                 .queryHeads = heads,
                                                 .kvHeads = kvHeads,
                                                 .headDim = 128},
                                                MathUnit::Bf16));
    EfficiencySet set;
    const FormFit fit
        = fitForm(set, {.cls = OpClass::DecodeAttention}, timed(ops, truth, 0.01), bigGpu(), bigNode());
    CHECK(fit.crossValidated.median < 0.03);
    CHECK(set.decodeAttention.memoryEfficiency == doctest::Approx(0.9).epsilon(0.05));
    CHECK(set.decodeAttention.reach == doctest::Approx(12).epsilon(0.2));
    CHECK(set.decodeAttention.rowReach == doctest::Approx(0.4).epsilon(0.1));
    CHECK(set.decodeAttention.rowEfficiency == doctest::Approx(0.005).epsilon(0.15));
    CHECK(set.decodeAttention.perItem.base() == doctest::Approx(3e-6).epsilon(0.2));
    CHECK(set.decodeAttention.fill == doctest::Approx(1.5).epsilon(0.3));
    CHECK(set.decodeAttention.regroup.base() == doctest::Approx(6e-6).epsilon(0.25));
    CHECK(set.decodeAttention.matrixBlocks == 0);
    CHECK(set.decodeMla == EfficiencySet{}.decodeMla);
}

TEST_CASE("a prefill kernel's tail, its cache and its pass over new keys are recovered")
{
    EfficiencySet truth;
    truth.prefillAttention = {.computeEfficiency = 0.7,
                              .memoryEfficiency = 0.8,
                              .halfLength = 400,
                              .softmaxColumns = 60,
                              .lastBlock = 1.2,
                              .tail = 0.8,
                              .cachedCost = 0.3,
                              .appendPasses = 4,
                              .launch = Seconds(9e-6)};
    std::vector<Op> ops;
    for (const double batch : {1., 4., 16., 64.})
        for (const double tokens : {64., 256., 1024., 4096., 16384.})
            for (const auto& [heads, kvHeads, width] : {std::tuple{8., 1., 128.},
                                                        {32., 8., 128.},
                                                        {4., 4., 64.},
                                                        {32., 32., 128.},
                                                        {16., 2., 256.}})
                ops.push_back(prefillAttentionOp({.batch = batch,
                                                  .queryTokens = tokens,
                                                  .queryHeads = heads,
                                                  .kvHeads = kvHeads,
                                                  .headDim = width},
                                                 MathUnit::Bf16));
    Gpu gpu = bigGpu();
    gpu.l2Cache = Bytes(50e6);
    EfficiencySet set;
    const FormFit fit
        = fitForm(set, {.cls = OpClass::PrefillAttention}, timed(ops, truth, 0.01, gpu), gpu, bigNode());
    CHECK(fit.crossValidated.median < 0.03);
    CHECK(set.prefillAttention.computeEfficiency == doctest::Approx(0.7).epsilon(0.05));
    CHECK(set.prefillAttention.tail == doctest::Approx(0.8).epsilon(0.3));
    CHECK(set.prefillAttention.appendPasses == doctest::Approx(4).epsilon(0.15));
    CHECK(set.prefillAttention.cachedCost == doctest::Approx(0.3).epsilon(0.3));
}

TEST_CASE("the quantise pass of FP8 is told from its multiplication")
{
    EfficiencySet truth;
    truth.gemm[static_cast<std::size_t>(GemmClass::Fp8)] = {.computeEfficiency = 0.7,
                                                            .memoryEfficiency = 0.85,
                                                            .launch = Seconds(6e-6),
                                                            .quantiseEfficiency = 0.35};
    EfficiencySet set;
    set.gemm[static_cast<std::size_t>(GemmClass::Fp8)].quantiseEfficiency = 0.6; // a wrong first guess
    const FormSlot slot{.cls = OpClass::Gemm, .gemm = GemmClass::Fp8};
    (void)fitForm(set, slot, timed(gemmGrid(GemmClass::Fp8), truth, 0.01), bigGpu(), bigNode());
    CHECK(set.form(GemmClass::Fp8).quantiseEfficiency == doctest::Approx(0.35).epsilon(0.1));
    CHECK(set.form(GemmClass::Fp8).computeEfficiency == doctest::Approx(0.7).epsilon(0.05));
}

TEST_CASE("a calibration file reads back as the set that was written")
{
    EfficiencySet set;
    set.id = "planted";
    set.gpu = "h100-sxm-80gb";
    set.family = "hopper";
    set.implementation = "trtllm";
    set.citations = {{.key = "fit", .text = "a public table", .confidence = Confidence::High}};
    set.gemm[1] = {.computeEfficiency = 0.7123,
                   .uncertainty = {.lnSpread = 0.07, .source = Source::MeasuredPublished}};
    set.decodeAttention8 = {.floor = Seconds(4.2e-6),
                            .uncertainty = {.lnBias = 0.02, .lnSpread = 0.1, .source = Source::MeasuredHere}};
    set.records = {{.form = "gemm 16-bit",
                    .samples = 12,
                    .medianError = 0.05,
                    .meanError = 0.06,
                    .p90Error = 0.1,
                    .coverage = 0.9,
                    .domain = "m 1 to 8192",
                    .origin = "table x"}};
    set.exactShapes = {
        {.gemm = GemmClass::Half, .n = 4096, .k = 4096, .lnRows = {0, 1, 2}, .lnResidual = {0.1, -0.1, 0}}};
    const Result<EfficiencySet> back = readEfficiencySet(efficiencyYaml(set), "planted.yaml");
    REQUIRE(back.has_value());
    CHECK(*back == set);
}

TEST_CASE("a family lends what it measured, wider, and nothing else")
{
    EfficiencySet first;
    first.gemm[1]
        = {.computeEfficiency = 0.8, .uncertainty = {.lnSpread = 0.1, .source = Source::MeasuredPublished}};
    EfficiencySet second;
    second.gemm[1]
        = {.computeEfficiency = 0.6, .uncertainty = {.lnSpread = 0.1, .source = Source::MeasuredPublished}};
    EfficiencySet target;
    target.gemm[2]
        = {.computeEfficiency = 0.5, .uncertainty = {.lnSpread = 0.05, .source = Source::MeasuredHere}};
    first.gemm[2].uncertainty = {.lnSpread = 0.1, .source = Source::MeasuredPublished};
    const EfficiencySet before = target;
    borrowForms(target, {&first, &second}, 1.5);
    CHECK(target.gemm[1].computeEfficiency == doctest::Approx(std::sqrt(0.8 * 0.6)));
    CHECK(target.gemm[1].uncertainty.lnSpread == doctest::Approx(0.15));
    first.gemm[1].splitCombine = Seconds(4e-6);
    EfficiencySet another;
    first.gemm[1].uncertainty.lnSpread = 0.05; // it weighs more, and the other does not know
    borrowForms(another, {&first, &second}, 1.5);
    CHECK(another.gemm[1].splitCombine.base() == doctest::Approx(4e-6));
    CHECK(target.gemm[1].uncertainty.source == Source::SameFamily);
    CHECK(target.gemm[2] == before.gemm[2]); // its own measurement stands
    CHECK(target.stream == before.stream);   // nobody measured it
}
