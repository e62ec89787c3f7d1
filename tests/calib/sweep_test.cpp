#include "calib/measure/clock_check.h"
#include "calib/measure/timing.h"
#include "calib/sweep/balanced_order.h"
#include "calib/sweep/sweep.h"
#include "fake_device.h"
#include "model/count/operators.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <random>
#include <set>

using namespace headroom;
using namespace headroom::test;

namespace {

// How far the share of `cells` in any corner of the grid is from that corner's share of the grid: the star
// discrepancy, by looking at every corner.
double discrepancyOf(const std::vector<std::size_t>& cells, std::size_t rows, std::size_t columns)
{
    double worst = 0;
    for (std::size_t height = 1; height <= rows; ++height)
        for (std::size_t width = 1; width <= columns; ++width) {
            const auto inside = std::count_if(cells.begin(), cells.end(), [&](std::size_t cell) {
                return cell / columns < height && cell % columns < width;
            });
            worst = std::max(worst,
                             std::abs(double(inside) / double(cells.size())
                                      - double(height * width) / double(rows * columns)));
        }
    return worst;
}

std::string familyOf(const kernels::Task& task)
{
    return fmt::format("{} {} {} {}", kernels::kernelName(task.kernel), name(task.weights),
                       name(task.activations), name(task.kv));
}

} // namespace

TEST_CASE("an order visits every cell once, and every beginning of it is balanced over rows and columns")
{
    for (const auto& [rows, columns] : {std::pair{7, 8}, {12, 4}, {24, 14}, {18, 3}, {30, 5}, {9, 1}}) {
        const auto order = balancedOrder(std::size_t(rows), std::size_t(columns), 7);
        CHECK(std::set<std::size_t>(order.begin(), order.end()).size() == std::size_t(rows * columns));
        std::vector<int> inRow(std::size_t(rows), 0);
        std::vector<int> inColumn(std::size_t(columns), 0);
        int widest = 0;
        for (const std::size_t cell : order) {
            ++inRow[cell / std::size_t(columns)];
            ++inColumn[cell % std::size_t(columns)];
            for (const std::vector<int>& counts : {inRow, inColumn}) {
                const auto [few, many] = std::minmax_element(counts.begin(), counts.end());
                widest = std::max(widest, *many - *few);
            }
        }
        CHECK(widest == 1);
    }
    CHECK(balancedOrder(7, 8, 1) != balancedOrder(7, 8, 2));
}

TEST_CASE("the beginning of an order is spread over the grid better than cells drawn at random")
{
    for (const auto& [rows, columns] : {std::pair<std::size_t, std::size_t>{7, 8}, {24, 14}, {8, 6}})
        for (const std::size_t cells : {8U, 16U, 32U}) {
            double mine = 0;
            double drawn = 0;
            std::vector<std::size_t> shuffled(rows * columns);
            std::iota(shuffled.begin(), shuffled.end(), 0);
            std::mt19937_64 random(1);
            for (std::uint64_t seed = 0; seed < 20; ++seed) {
                const auto order = balancedOrder(rows, columns, seed);
                const auto end = std::ptrdiff_t(cells);
                mine += discrepancyOf({order.begin(), order.begin() + end}, rows, columns);
                std::shuffle(shuffled.begin(), shuffled.end(), random);
                drawn += discrepancyOf({shuffled.begin(), shuffled.begin() + end}, rows, columns);
            }
            CHECK(mine < 0.75 * drawn);
        }
}

TEST_CASE("the same request gives the same sweep, and no two of its points are one")
{
    FakeDevice device;
    const Llm llm = plainModel();
    const Sweep sweep = fakeSubject(device, llm).sweep;
    const Sweep again = fakeSubject(device, llm).sweep;
    std::set<std::string> lines;
    for (std::size_t i = 0; i < sweep.points.size(); ++i) {
        CHECK(sweep.points[i].what == again.points[i].what);
        lines.insert(sweep.points[i].what);
    }
    CHECK(lines.size() == sweep.points.size());
    CHECK(sweep.points.front().kind == PointKind::Machine);
}

TEST_CASE("the first sixty points hold every family of operators, on either kind of device")
{
    FakeDevice device;
    const Llm llm = plainModel();
    for (const std::string kind : {"cpu", "cuda"}) {
        const Sweep sweep = sweepFor(device, {.deviceKind = kind, .holdOut = {}, .model = &llm, .seed = 7});
        std::set<std::string> all;
        std::set<std::string> early;
        for (std::size_t i = 0; i < sweep.points.size(); ++i)
            if (sweep.points[i].kind == PointKind::Operator) {
                const std::string family = familyOf(sweep.points[i].tasks.front());
                all.insert(family);
                if (i < 60)
                    early.insert(family);
            }
        CHECK(all.size() >= 13);
        CHECK(early == all);
    }
}

TEST_CASE("the first eighty points hold ten whole layers to be judged by")
{
    FakeDevice device;
    const Llm llm = plainModel();
    const Sweep sweep = fakeSubject(device, llm).sweep;
    const auto layers = std::count_if(sweep.points.begin(), sweep.points.begin() + 80,
                                      [](const SweepPoint& p) { return p.kind == PointKind::Layer; });
    CHECK(layers >= 10);
}

TEST_CASE("families take turns: none has its third before another has had its first")
{
    FakeDevice device;
    const Llm llm = plainModel();
    const Sweep sweep = fakeSubject(device, llm).sweep;
    std::map<std::string, int> seen;
    std::set<std::string> all;
    for (const SweepPoint& point : sweep.points)
        if (point.kind == PointKind::Operator)
            all.insert(familyOf(point.tasks.front()));
    for (const SweepPoint& point : sweep.points) {
        if (point.kind != PointKind::Operator)
            continue;
        const int turns = ++seen[familyOf(point.tasks.front())];
        if (turns > 2) {
            CHECK(seen.size() == all.size());
            break;
        }
    }
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
    llm.kinds[0].mixer = Mamba2{};
    CHECK(layerTasks({.llm = &llm}).empty());
    llm = plainModel();
    llm.kinds[0].attention().window = 4096;
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

TEST_CASE("where half of the stretches count, it is the faster half")
{
    StoppingRule rule({.replays = 7, .mostRounds = 3, .accepted = 0.015, .kept = 0.5});
    for (const double us : {300.0, 100.0, 101.0, 180.0, 100.0, 101.0, 250.0})
        rule.add(Seconds(us * 1e-6));
    CHECK(rule.enough()); // 100, 100, 101 and 101: the rest was somebody else's work
    CHECK(rule.timing(1).perLaunch.base() == doctest::Approx(100.5e-6));
    CHECK(rule.timing(1).lnSpread == doctest::Approx(1.4826 * 0.5 / 100.5));
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
    CHECK(clockObjection(readings(1, 1, 1, 4)).english().find("inconsistent") != std::string::npos);
    CHECK(clockObjection(readings(1, 9, 1, 9)).english().find("inconsistent") != std::string::npos);
    CHECK(clockObjection(readings(0.25, 1, 1, 4)).english().find("disagrees") != std::string::npos);
    CHECK(clockObjection(readings(2, 8, 1, 4)).english().find("disagrees") != std::string::npos);
    CHECK(clockObjection(readings(0, 4, 1, 4)).english().find("clock gave 0") != std::string::npos);
    // One stretch of each length that nothing else disturbed is enough.
    auto disturbed = readings(1, 4, 1.1, 4.1);
    for (const auto& [launches, seconds] : {std::pair{10, 1.9}, {40, 11.0}, {40, 14.0}})
        disturbed.push_back({launches, Seconds(seconds), Seconds(seconds + 0.1)});
    CHECK(clockObjection(disturbed).empty());
}
