#include "calib/fit/form_fit.h"
#include "model/cost/forms.h"
#include "model/count/op_work.h"
#include "tests/calib/planted_timings.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace headroom;
using namespace headroom::planted;

TEST_CASE("samples of an exchange say whether it goes round in segments or in one of two ways")
{
    const FormSlot slot{.cls = OpClass::Collective, .collective = CollectiveClass::AllToAll};
    constexpr auto at = static_cast<std::size_t>(CollectiveClass::AllToAll);
    std::vector<Op> ops;
    for (const int ranks : {2, 4, 8})
        for (double bytes = 1024; bytes < 1e9; bytes *= 2)
            ops.push_back({.cls = OpClass::Collective,
                           .collective = CollectiveClass::AllToAll,
                           .ranks = ranks,
                           .message = Bytes(bytes)});
    EfficiencySet truth;
    truth.intraNode[at] = {.protocol = ExchangeProtocol::LlSimple,
                           .floorBase = Seconds(6e-6),
                           .floorPerRank = Seconds(0.3e-6),
                           .perHop = Seconds(9e-6),
                           .linkEfficiency = 0.8,
                           .oneShotEfficiency = 0.05};
    EfficiencySet set;
    (void)fitForm(set, slot, timed(ops, truth, 0.01), bigGpu(), bigNode());
    CHECK(set.intraNode[at].linkEfficiency == doctest::Approx(0.8).epsilon(0.05));
    CHECK(set.intraNode[at].oneShotEfficiency == doctest::Approx(0.05).epsilon(0.1));
    CHECK(set.intraNode[at].perHop.base() == doctest::Approx(9e-6).epsilon(0.15));

    truth.intraNode[at] = {.floorBase = Seconds(8e-6),
                           .floorPerRank = Seconds(0.8e-6),
                           .perHop = Seconds(1.2e-6),
                           .linkEfficiency = 0.7,
                           .pipelined = 1};
    (void)fitForm(set, slot, timed(ops, truth, 0.01), bigGpu(), bigNode());
    CHECK(set.intraNode[at].protocol == ExchangeProtocol::Ring);
    CHECK(set.intraNode[at].linkEfficiency == doctest::Approx(0.7).epsilon(0.05));

    truth.intraNode[at] = {.protocol = ExchangeProtocol::LlLl128Simple,
                           .floorBase = Seconds(6e-6),
                           .floorPerRank = Seconds(0.3e-6),
                           .perHop = Seconds(40e-6),
                           .linkEfficiency = 0.8,
                           .oneShotEfficiency = 0.05,
                           .handedStart = Seconds(8e-6),
                           .handedEfficiency = 0.4};
    (void)fitForm(set, slot, timed(ops, truth, 0.01), bigGpu(), bigNode());
    CHECK(set.intraNode[at].handedEfficiency == doctest::Approx(0.4).epsilon(0.05));
    CHECK(set.intraNode[at].handedStart.base() == doctest::Approx(8e-6).epsilon(0.15));
    CHECK(set.intraNode[at].perHop.base() == doctest::Approx(40e-6).epsilon(0.15));
}

TEST_CASE("samples of an engine's own exchange say which messages it leaves to NCCL")
{
    const FormSlot slot{.cls = OpClass::Collective, .collective = CollectiveClass::CustomAllReduce};
    constexpr auto at = static_cast<std::size_t>(CollectiveClass::CustomAllReduce);
    constexpr auto nccl = static_cast<std::size_t>(CollectiveClass::NcclAllReduce);
    std::vector<Op> ops;
    for (const int ranks : {2, 4, 8})
        for (double bytes = 1024; bytes < 1e9; bytes *= 2)
            ops.push_back({.cls = OpClass::Collective,
                           .collective = CollectiveClass::CustomAllReduce,
                           .ranks = ranks,
                           .message = Bytes(bytes)});
    EfficiencySet truth;
    truth.intraNode[nccl] = {.floorBase = Seconds(12e-6),
                             .floorPerRank = Seconds(2e-6),
                             .perHop = Seconds(1e-6),
                             .linkEfficiency = 0.6,
                             .uncertainty = {.source = Source::MeasuredPublished}};
    truth.intraNode[at] = {.protocol = ExchangeProtocol::OneShot,
                           .floorBase = Seconds(4e-6),
                           .floorPerRank = Seconds(0.3e-6),
                           .perHop = Seconds(1e-6),
                           .linkEfficiency = 0.5,
                           .oneShotEfficiency = 0.6,
                           .ncclFrom = 4 * 1048576,
                           .pipelined = 1,
                           .uncertainty = {.source = Source::MeasuredPublished}};
    EfficiencySet set;
    set.intraNode[nccl] = truth.intraNode[nccl];
    (void)fitForm(set, slot, timed(ops, truth, 0.01), bigGpu(), bigNode());
    CHECK(set.intraNode[at].ncclFrom == 4 * 1048576);
    CHECK(set.intraNode[at].ncclBeyond == 0);
    CHECK(set.intraNode[at].protocol == ExchangeProtocol::OneShot);
    CHECK(set.intraNode[nccl] == truth.intraNode[nccl]);

    truth.intraNode[at].ncclBeyond = 2;
    (void)fitForm(set, slot, timed(ops, truth, 0.01), bigGpu(), bigNode());
    CHECK(set.intraNode[at].ncclBeyond == 2);
    CHECK(set.intraNode[at].oneShotEfficiency == doctest::Approx(0.6).epsilon(0.1));
}

TEST_CASE("a collective's floor, hop and link rate are recovered, and other forms stay untouched")
{
    EfficiencySet truth;
    truth.intraNode[static_cast<std::size_t>(CollectiveClass::NcclAllReduce)]
        = {.protocol = ExchangeProtocol::OneShot,
           .floorBase = Seconds(9e-6),
           .floorPerRank = Seconds(1e-6),
           .perHop = Seconds(1.4e-6),
           .linkEfficiency = 0.9,
           .oneShotEfficiency = 0.4,
           .pipelined = 1};
    std::vector<Op> ops;
    for (const int ranks : {2, 4, 8})
        for (double bytes = 1024; bytes < 1e9; bytes *= 2)
            ops.push_back({.cls = OpClass::Collective,
                           .collective = CollectiveClass::NcclAllReduce,
                           .ranks = ranks,
                           .message = Bytes(bytes)});
    EfficiencySet set;
    const EfficiencySet before = set;
    const FormSlot slot{.cls = OpClass::Collective, .collective = CollectiveClass::NcclAllReduce};
    const FormFit fit = fitForm(set, slot, timed(ops, truth, 0.01), bigGpu(), bigNode());
    CHECK(set.intraNode[1].linkEfficiency == doctest::Approx(0.9).epsilon(0.03));
    CHECK(fit.crossValidated.median < 0.05);
    CHECK(set.gemm == before.gemm);
    CHECK(set.intraNode[0] == before.intraNode[0]);
    CHECK(set.interNode == before.interNode);
}
