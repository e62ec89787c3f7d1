#include "calib/measure/clock_check.h"
#include "calib/measure/timing.h"
#include "calib/sweep/balanced_order.h"
#include "calib/sweep/sweep.h"
#include "fake_device.h"
#include "model/count/operators.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

using namespace headroom;
using namespace headroom::test;

TEST_CASE("an order visits every cell once, and any beginning of it is spread over rows and columns")
{
    for (const auto& [rows, columns] : {std::pair{7, 8}, {12, 4}, {24, 14}, {9, 1}}) {
        const auto order = balancedOrder(std::size_t(rows), std::size_t(columns), 7);
        CHECK(std::set<std::size_t>(order.begin(), order.end()).size() == std::size_t(rows * columns));
        std::map<std::size_t, int> inRow;
        for (std::size_t i = 0; i < order.size() / 2; ++i)
            ++inRow[order[i] / std::size_t(columns)];
        // Half of the cells: half of every row, give or take three.
        for (int row = 0; row < rows && columns > 1; ++row)
            CHECK(std::abs(inRow[std::size_t(row)] - columns / 2) <= 3);
    }
    CHECK(balancedOrder(7, 8, 1) != balancedOrder(7, 8, 2));
}

TEST_CASE("the same request gives the same sweep, points differ, and its beginning holds every family")
{
    FakeDevice device;
    const Llm llm = plainModel();
    const Sweep sweep = fakeSubject(device, llm).sweep;
    const Sweep again = fakeSubject(device, llm).sweep;
    std::set<std::string> lines;
    std::set<std::string> early;
    for (std::size_t i = 0; i < sweep.points.size(); ++i) {
        CHECK(sweep.points[i].what == again.points[i].what);
        lines.insert(sweep.points[i].what);
        const kernels::Task& task = sweep.points[i].tasks.front();
        if (i < 120)
            early.insert(std::string(kernels::kernelName(task.kernel)) + " "
                         + std::string(name(task.weights)));
    }
    CHECK(lines.size() == sweep.points.size());
    for (const char* family : {"gemm bf16", "gemm int8", "gemm int4", "gemm fp32", "decode_attention fp32",
                               "prefill_attention fp32", "norm fp32", "activation fp32", "rope_append fp32",
                               "sampling fp32", "experts bf16", "experts int4"})
        CHECK_MESSAGE(early.count(family) == 1, std::string(family));
    CHECK(sweep.points.front().kind == PointKind::Machine);
}

TEST_CASE("no matrix of a held-out layer is among the operators that forms are fitted to")
{
    FakeDevice device;
    const Llm llm = plainModel();
    std::set<std::pair<std::int64_t, std::int64_t>> fitted;
    std::set<std::pair<std::int64_t, std::int64_t>> held;
    for (const SweepPoint& point : fakeSubject(device, llm).sweep.points)
        for (const kernels::Task& task : point.tasks)
            if (task.kernel == kernels::Kernel::Gemm)
                (point.kind == PointKind::Layer ? held : fitted).insert({task.n, task.k});
    CHECK(held.size() == 4);
    for (const auto& shape : held)
        CHECK(fitted.count(shape) == 0);
}

TEST_CASE("a layer's tasks are the work that the planner counts for that layer")
{
    const Llm llm = plainModel();
    Gpu gpu;
    gpu.peaks[static_cast<std::size_t>(MathUnit::Fp32)] = FlopsPerSecond(1e12);
    Node node;
    node.gpusPerNode = 8;
    const Engine engine;
    const EfficiencySet set;
    for (const int tp : {1, 5})
        for (const bool decode : {true, false}) {
            Deployment deployment{
                .llm = &llm, .gpu = &gpu, .node = &node, .engine = &engine, .efficiency = &set};
            deployment.layout.tp = tp;
            deployment.compute = MathUnit::Fp32;
            StageLayers stage{.first = false, .last = false};
            stage.ofKind[0] = 1;
            StepShape step;
            if (decode)
                step = {.decodeSequences = 4, .decodeContext = 300};
            else
                step = {.prefillTokens = 64, .prefillSequences = 2, .prefillPast = 10};
            double flops = 0;
            double bytes = 0;
            forEachOperator(deployment, stage, step, [&](const Op& op) {
                if (op.cls == OpClass::Collective)
                    return;
                flops += op.flops.base() * op.count;
                bytes += op.bytes().base() * op.count;
            });
            double taskFlops = 0;
            double taskBytes = 0;
            for (const kernels::Task& task : layerTasks({.llm = &llm,
                                             .tp = tp,
                                             .activations = DType::Fp32,
                                             .decode = decode,
                                             .sequences = decode ? 4 : 2,
                                             .queryTokens = decode ? 1 : 32,
                                             .past = decode ? 300 : 10})) {
                taskFlops += kernels::workOf(task).flops.base();
                taskBytes += kernels::workOf(task).bytes().base();
            }
            CHECK(taskFlops == doctest::Approx(flops));
            CHECK(taskBytes == doctest::Approx(bytes));
        }
}

TEST_CASE("a layer that no kernel executes gives no tasks")
{
    Llm llm = plainModel();
    llm.kinds[0].mixer.kind = MixerKind::Mamba2;
    CHECK(layerTasks({.llm = &llm}).empty());
    llm = plainModel();
    llm.kinds[0].mixer.window = 4096;
    CHECK(layerTasks({.llm = &llm}).empty());
}

TEST_CASE("stretches that agree end a point after one round")
{
    StoppingRule rule({.replays = 5, .mostRounds = 3, .accepted = 0.015});
    for (const double us : {100.0, 101.0, 100.0, 99.0, 100.0}) {
        CHECK_FALSE(rule.enough());
        rule.add(Seconds(us * 1e-6));
    }
    CHECK(rule.enough());
    const Timing timing = rule.timing(20);
    CHECK(timing.perLaunch.base() == doctest::Approx(100e-6));
    CHECK(timing.lnSpread == 0); // the median deviation of 0, 1, 0, 1, 0
    CHECK(timing.rounds == 1);
    CHECK_FALSE(timing.noisy);
}

TEST_CASE("an outlier moves neither the time nor the spread; stretches that never agree are marked")
{
    StoppingRule one({.replays = 5, .mostRounds = 3, .accepted = 0.015});
    for (const double us : {100.0, 900.0, 100.5, 99.5, 100.0})
        one.add(Seconds(us * 1e-6));
    CHECK(one.enough());
    CHECK(one.timing(1).perLaunch.base() == doctest::Approx(100e-6));
    CHECK(one.timing(1).lnSpread == doctest::Approx(1.4826 * 0.5 / 100));

    StoppingRule wild({.replays = 2, .mostRounds = 3, .accepted = 0.015});
    for (const double us : {100.0, 200.0, 100.0, 200.0, 100.0})
        wild.add(Seconds(us * 1e-6));
    CHECK_FALSE(wild.enough());
    wild.add(Seconds(200e-6));
    CHECK(wild.enough());
    CHECK(wild.timing(1).rounds == 3);
    CHECK(wild.timing(1).noisy);
}

TEST_CASE("a stretch has as many launches as fill it")
{
    const TimingPolicy policy{.stretch = Seconds(2e-3)};
    CHECK(launchesFor(policy, Seconds(3e-6)) == 667);
    CHECK(launchesFor(policy, Seconds(1)) == 1);
    CHECK(launchesFor(policy, Seconds(0)) == 1);
}

TEST_CASE("a clock is believed when short and long stretches agree and the host saw the same")
{
    const auto readings = [](double shortDevice, double longDevice, double shortHost, double longHost) {
        return std::vector<ClockReading>{{10, Seconds(shortDevice), Seconds(shortHost)},
                                         {40, Seconds(longDevice), Seconds(longHost)}};
    };
    CHECK(clockObjection(readings(1, 4, 1.1, 4.1)).empty());
    CHECK(clockObjection(readings(1, 4, 1.5, 6)).empty()); // launching costs the host as much again
    CHECK(clockObjection(readings(1, 1, 1, 4)).find("inconsistent") != std::string::npos);
    CHECK(clockObjection(readings(1, 9, 1, 9)).find("inconsistent") != std::string::npos);
    CHECK(clockObjection(readings(0.25, 1, 1, 4)).find("disagrees") != std::string::npos);
    CHECK(clockObjection(readings(2, 8, 1, 4)).find("disagrees") != std::string::npos);
    CHECK(clockObjection(readings(0, 4, 1, 4)).find("clock gave 0") != std::string::npos);
}
