#include "calib/judge/sample_fit.h"
#include "headroom_version.h"
#include "model/cost/forms.h"
#include "model/efficiency/form_slot.h"
#include "model/resolve/calibrated.h"
#include "model/yaml/efficiency_yaml.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

using namespace headroom;

namespace {

constexpr auto ncclAllReduce = static_cast<std::size_t>(CollectiveClass::NcclAllReduce);
constexpr auto sendRecv = static_cast<std::size_t>(CollectiveClass::SendRecv);

Node twoOf()
{
    Node node;
    node.id = "planted";
    node.gpusPerNode = 8;
    node.intra
        = {.name = "in", .topology = LinkTopology::Switch, .perGpuPerDirection = BytesPerSecond(450e9)};
    node.inter
        = {.name = "out", .topology = LinkTopology::Network, .perGpuPerDirection = BytesPerSecond(50e9)};
    return node;
}

EfficiencySet plantedLinks()
{
    EfficiencySet truth;
    for (auto* const forms : {&truth.intraNode, &truth.interNode}) {
        const double slower = forms == &truth.intraNode ? 1 : 3;
        for (CollectiveForm& form : *forms)
            form = {.floorBase = Seconds(8e-6 * slower),
                    .floorPerRank = Seconds(0.8e-6),
                    .perHop = Seconds(1.2e-6 * slower),
                    .linkEfficiency = 0.8 / std::sqrt(slower),
                    .pipelined = 1,
                    .uncertainty = {.source = Source::MeasuredHere}};
        (*forms)[ncclAllReduce].protocol = ExchangeProtocol::OneShot;
        (*forms)[ncclAllReduce].oneShotEfficiency = 0.35;
    }
    return truth;
}

// The families of a job of two machines with eight GPUs each, timed by the truth.
struct Timed {
    Sweep sweep;
    SampleTable table;
};
Timed timedBy(const EfficiencySet& truth, const Node& node, double noise)
{
    Timed out;
    std::mt19937_64 random(11);
    std::normal_distribution<double> normal;
    for (const TaskFamily& family : linkFamilies({{2, 1}, {4, 1}, {8, 1}, {2, 2}, {16, 2}}))
        for (const kernels::Task& task : family.tasks) {
            const double seconds = timeOp(kernels::workOf(task), Gpu{}, node, truth).total.base();
            out.sweep.points.push_back(
                {.kind = PointKind::Operator, .tasks = {task}, .what = kernels::describe(task)});
            out.table.points.emplace_back(
                Sample{.kind = SampleKind::Point,
                       .timing = {.perLaunch = Seconds(seconds * std::exp(noise * normal(random))),
                                  .lnSpread = noise}});
        }
    return out;
}

double worstError(const EfficiencySet& truth, const EfficiencySet& fitted, const Node& node,
                  CollectiveClass cls, int ranks, int nodes)
{
    double worst = 0;
    for (double bytes = 3000; bytes < 3e8; bytes *= 7) { // sizes that were not measured
        const Op op{.cls = OpClass::Collective,
                    .collective = cls,
                    .ranks = ranks,
                    .nodes = nodes,
                    .message = Bytes(bytes)};
        worst = std::max(
            worst,
            std::abs(std::log(timeOp(op, Gpu{}, node, fitted).total / timeOp(op, Gpu{}, node, truth).total)));
    }
    return worst;
}

} // namespace

TEST_CASE(
    "planted links are recovered, inside a machine and between two, in whatever order they were measured")
{
    const Node node = twoOf();
    const EfficiencySet truth = plantedLinks();
    Timed timed = timedBy(truth, node, 0.01);
    std::reverse(timed.sweep.points.begin(), timed.sweep.points.end());
    std::reverse(timed.table.points.begin(), timed.table.points.end());
    EfficiencySet prior;
    const SampleFit fit = fitSamples(timed.sweep, timed.table, {.kind = "cuda"}, Gpu{}, node, prior);
    CHECK(fit.forms.size() == 8); // four exchanges, inside and between
    for (const CollectiveClass cls : {CollectiveClass::NcclAllReduce, CollectiveClass::AllGather,
                                      CollectiveClass::AllToAll, CollectiveClass::SendRecv}) {
        CAPTURE(collectiveClassName(cls));
        const int inside = cls == CollectiveClass::SendRecv ? 2 : 8;
        const int both = cls == CollectiveClass::SendRecv ? 2 : 16;
        CHECK(worstError(truth, fit.set, node, cls, inside, 1) < 0.05);
        CHECK(worstError(truth, fit.set, node, cls, both, 2) < 0.08);
    }
    CHECK(fit.set.interNode[sendRecv].uncertainty.source == Source::MeasuredHere);
    const auto custom = static_cast<std::size_t>(CollectiveClass::CustomAllReduce);
    CHECK(fit.set.intraNode[custom].uncertainty.source == Source::Prior);
}

namespace {

EfficiencySet linksOf(const std::string& node)
{
    EfficiencySet set;
    set.id = "links";
    set.gpu = "h100-sxm-80gb";
    set.family = "hopper";
    set.implementation = "headroom";
    set.links = LinksRecord{.created = "2026-11-22",
                            .tool = "headroom " HEADROOM_VERSION,
                            .node = node,
                            .device = "NVIDIA H100",
                            .driver = "580.1",
                            .library = "NCCL 2.28.9",
                            .ranks = 16,
                            .nodes = 2,
                            .samples = 110,
                            .planned = 112,
                            .refused = 1};
    set.citations = {{.key = "links", .text = "measured", .confidence = Confidence::High}};
    set.interNode[ncclAllReduce]
        = {.linkEfficiency = 0.44, .uncertainty = {.lnSpread = 0.05, .source = Source::MeasuredHere}};
    return set;
}

EfficiencySet cardOf()
{
    EfficiencySet set = linksOf("");
    set.links.reset();
    set.citations.clear();
    set.id = "card";
    for (const char* const group : {"overheads", "machine", "run"})
        set.citations.push_back({.key = group, .text = "measured before", .confidence = Confidence::High});
    set.interNode = {};
    set.eagerLaunch = Seconds(7e-6);
    set.gemm[1]
        = {.computeEfficiency = 0.71, .uncertainty = {.lnSpread = 0.05, .source = Source::MeasuredHere}};
    set.calibration.emplace();
    set.calibration->machine = {.kind = "cuda", .name = "NVIDIA H100", .read = BytesPerSecond(3e12)};
    set.calibration->machine.units = 132;
    set.calibration->machine.memory = Bytes(8e10);
    set.calibration->machine.reads = {.full = BytesPerSecond(3.1e12), .half = Bytes(9e6)};
    set.calibration->machine.graph = {.base = Seconds(8e-6), .perNode = Seconds(1.1e-6)};
    set.calibration->run.created = "2026-11-21";
    set.calibration->run.tool = "headroom " HEADROOM_VERSION;
    set.calibration->run.mode = "generic";
    return set;
}

} // namespace

TEST_CASE("links join what a file tells of the card, and stay when the card is measured again")
{
    const EfficiencySet both = mergeCalibrations(cardOf(), linksOf("dgx-h100"));
    CHECK(both.calibration == cardOf().calibration);
    CHECK(both.eagerLaunch == Seconds(7e-6));
    CHECK(both.gemm[1].computeEfficiency == 0.71);
    CHECK(both.interNode[ncclAllReduce].linkEfficiency == 0.44);
    CHECK(both.links == linksOf("dgx-h100").links);

    EfficiencySet again = cardOf();
    again.gemm[1].computeEfficiency = 0.73;
    const EfficiencySet later = mergeCalibrations(both, again);
    CHECK(later.gemm[1].computeEfficiency == 0.73);
    CHECK(later.links == both.links);
    CHECK(later.interNode[ncclAllReduce].linkEfficiency == 0.44);
    CHECK(std::count_if(later.citations.begin(), later.citations.end(),
                        [](const Citation& c) { return c.key == "links"; })
          == 1);

    // Shares of another machine's links say nothing of these.
    const EfficiencySet moved = mergeCalibrations(linksOf("other"), [] {
        EfficiencySet set = linksOf("dgx-h100");
        set.interNode = {};
        return set;
    }());
    CHECK(moved.interNode[ncclAllReduce].uncertainty.source == Source::Prior);
}

TEST_CASE("links serve plans of their machine and leave the rest as it was known")
{
    EfficiencySet known;
    known.id = "published";
    known.eagerLaunch = Seconds(4e-6);
    known.gemm[1].computeEfficiency = 0.66;
    Gpu gpu;
    gpu.id = "h100-sxm-80gb";
    gpu.family = "hopper";
    Node node;
    node.id = "dgx-h100";
    const Calibrated used = applyCalibration(linksOf("dgx-h100"), known, gpu, node, Engine{});
    CHECK(used.warnings.empty());
    CHECK(used.assumptions.size() == 1);
    CHECK(used.efficiency.interNode[ncclAllReduce].linkEfficiency == 0.44);
    CHECK(used.efficiency.gemm[1].computeEfficiency == 0.66);
    CHECK(used.efficiency.id == "published");
    CHECK(used.efficiency.eagerLaunch == Seconds(4e-6));

    node.id = "another";
    const Calibrated elsewhere = applyCalibration(linksOf("dgx-h100"), known, gpu, node, Engine{});
    CHECK(elsewhere.efficiency.interNode == known.interNode);
    CHECK(elsewhere.warnings.size() == 1);
}

TEST_CASE("links, ramps and graphs read back as they were written")
{
    const EfficiencySet both = mergeCalibrations(cardOf(), linksOf("dgx-h100"));
    const auto back = readEfficiencySet(efficiencyYaml(both), "both.yaml");
    for (const Problem& problem : back ? Problems{} : back.error())
        MESSAGE(problem.where << ": " << problem.what.english());
    REQUIRE(back.has_value());
    CHECK(back->links == both.links);
    CHECK(back->calibration->machine.reads == both.calibration->machine.reads);
    CHECK(back->calibration->machine.graph == both.calibration->machine.graph);

    std::string text = efficiencyYaml(linksOf("dgx-h100"));
    text.replace(text.find("ranks: 16"), 9, "ranks: 1 ");
    const auto refused = readEfficiencySet(text, "broken.yaml");
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().front().where.find("links.ranks") != std::string::npos);
}
