#include "calib/fit/machine_fit.h"
#include "calib/judge/machine.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

using namespace headroom;

namespace {

struct PlantedLine {
    double start = 0;
    double perSize = 0;
    double noise = 0;
    bool outlier = false;

    [[nodiscard]] std::vector<SizedTime> at(const std::vector<double>& sizes, unsigned seed) const
    {
        std::mt19937_64 random(seed);
        std::normal_distribution<double> normal;
        std::vector<SizedTime> out;
        for (const double size : sizes)
            out.push_back({.size = size,
                           .time = Seconds((start + size * perSize) * std::exp(noise * normal(random))),
                           .lnSpread = noise});
        if (outlier)
            out[out.size() / 2].time = out[out.size() / 2].time * 3.0;
        return out;
    }
};

// As the sweep of a CUDA device has them.
const std::vector<double> moves{65536, 524288, 4194304, 33554432, 268435456, 2147483648};
const std::vector<double> graphs{1, 10, 100, 1000};

} // namespace

TEST_CASE(
    "a ramp's full rate and the size that reaches half of it are recovered, whatever machine they are of")
{
    for (const double full : {2e11, 3.1e12, 7e12})
        for (const double start : {1e-6, 4e-6, 2e-5}) {
            CAPTURE(full);
            CAPTURE(start);
            const PlantedLine truth{.start = start, .perSize = 1 / full, .noise = 0.01};
            const Ramp ramp = fitRamp(truth.at(moves, 3));
            CHECK(ramp.full.base() == doctest::Approx(full).epsilon(0.04));
            CHECK(ramp.half.base() == doctest::Approx(start * full).epsilon(0.06));
            // At that size half of the rate is reached: bytes / t = full / 2.
            const double t = start + ramp.half.base() / full;
            CHECK(ramp.half.base() / t == doctest::Approx(full / 2).epsilon(0.05));
        }
}

TEST_CASE("one move three times too slow does not bend a ramp")
{
    const PlantedLine truth{.start = 4e-6, .perSize = 1 / 3e12, .noise = 0.005, .outlier = true};
    const Ramp ramp = fitRamp(truth.at(moves, 5));
    CHECK(ramp.full.base() == doctest::Approx(3e12).epsilon(0.1));
    CHECK(ramp.half.base() == doctest::Approx(1.2e7).epsilon(0.2));
}

TEST_CASE("what a graph costs to start and a launch costs within it are told apart")
{
    for (const auto& [base, node] : {std::pair{6e-6, 0.9e-6}, {12e-6, 1.6e-6}, {40e-6, 3e-6}}) {
        CAPTURE(base);
        const GraphCost cost
            = fitGraphCost(PlantedLine{.start = base, .perSize = node, .noise = 0.01}.at(graphs, 2));
        CHECK(cost.base.base() == doctest::Approx(base).epsilon(0.06));
        CHECK(cost.perNode.base() == doctest::Approx(node).epsilon(0.04));
    }
}

TEST_CASE("too few sizes say nothing")
{
    const PlantedLine truth{.start = 4e-6, .perSize = 1e-12};
    CHECK(fitRamp(truth.at({1e6, 1e7, 1e8}, 1)) == Ramp{});
    CHECK(fitRamp(truth.at({1e6, 1e6, 1e7, 1e8}, 1)) == Ramp{});
    CHECK(fitGraphCost(truth.at({1, 1000}, 1)) == GraphCost{});
    CHECK(fitRamp({}) == Ramp{});
}

TEST_CASE("the machine's own points become its ramps and what its graphs cost")
{
    Sweep sweep;
    for (const kernels::Task& task : cudaMachineTasks())
        sweep.points.push_back(
            {.kind = PointKind::Machine, .tasks = {task}, .what = kernels::describe(task)});
    SampleTable table;
    for (const SweepPoint& point : sweep.points) {
        const kernels::Task& task = point.tasks.front();
        const double bytes = kernels::workOf(task).bytes().base();
        double seconds = 1e-6; // what is not looked at here
        if (task.kernel == kernels::Kernel::Read)
            seconds = 3e-6 + bytes / 2e12;
        if (task.kernel == kernels::Kernel::Copy)
            seconds = 5e-6 + bytes / 1.5e12;
        if (task.graphNodes > 0)
            seconds = 9e-6 + task.graphNodes * 1.2e-6;
        table.points.emplace_back(
            Sample{.kind = SampleKind::Point, .timing = {.perLaunch = Seconds(seconds)}});
    }
    const MeasuredMachine machine = machineFrom({.kind = "cuda"}, sweep, table);
    CHECK(machine.reads.full.base() == doctest::Approx(2e12).epsilon(0.02));
    CHECK(machine.reads.half.base() == doctest::Approx(6e6).epsilon(0.03));
    CHECK(machine.copies.full.base() == doctest::Approx(1.5e12).epsilon(0.02));
    CHECK(machine.graph.base.base() == doctest::Approx(9e-6).epsilon(0.03));
    CHECK(machine.graph.perNode.base() == doctest::Approx(1.2e-6).epsilon(0.02));
    CHECK(machine.emptyLaunch.base() == doctest::Approx(1e-6)); // of the graph of many, not of one alone
}
