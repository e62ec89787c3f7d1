#include "calib/measure/point_meter.h"

#include "calib/calibrate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <fmt/format.h>
#include <memory>

namespace headroom {

namespace {

using kernels::Kernel;
using kernels::Task;

// What is the same code: any number of parts above one, but not any size of tile.
std::string codeOf(const Task& task, kernels::Variant variant)
{
    variant.parts = std::min(variant.parts, 2);
    return fmt::format("{} {} {} {} d{} latent {} gated {} ranks {} nodes {} {}",
                       kernels::kernelName(task.kernel), name(task.weights), name(task.activations),
                       name(task.kv), task.headDim, task.latent, task.gated, task.ranks, task.nodes,
                       kernels::describe(variant));
}

std::int64_t atMost(std::int64_t value, std::int64_t limit) { return std::min(value, limit); }

// Multiples of 128 stay so: some types need them.
Task shrunk(const Task& task, std::int64_t rows, std::int64_t width, std::int64_t past)
{
    Task small = task;
    small.hot = true;
    small.m = atMost(task.m, rows);
    small.n = atMost(task.n, width);
    small.k = atMost(task.k, 2 * width);
    small.batch = atMost(task.batch, 3);
    small.queryTokens = atMost(task.queryTokens, rows);
    small.past = atMost(task.past, past);
    small.bytes = atMost(task.bytes, std::int64_t(1) << 20);
    small.experts = static_cast<int>(atMost(task.experts, 8));
    small.expertsPerToken = static_cast<int>(atMost(task.expertsPerToken, small.experts));
    return small;
}

bool isLayer(const SweepPoint& point) { return point.tasks.size() > 1; }

// Runs every operator of the layer once, in order.
class LayerRunner {
public:
    LayerRunner(kernels::Device& device, const SweepPoint& point, std::uint64_t seed)
    {
        // Weights of one layer follow those of another: as many layers in turn as keep caches cold.
        double bytes = 0;
        for (const Task& task : point.tasks)
            bytes += kernels::workOf(task).bytes().base();
        constexpr double mostCopies = 256;
        const double wanted
            = device.facts().coldTimes * device.facts().cache.base() / std::max(bytes, 1.0) + 1;
        m_copies = static_cast<int>(std::clamp(wanted, 1.0, mostCopies));
        for (const Task& task : point.tasks)
            m_operands.push_back(device.prepare(task, ++seed, task.hot ? 1 : m_copies));
        for (const auto& operands : m_operands)
            m_sequence.push_back(operands.get());
    }
    [[nodiscard]] Seconds time(kernels::Device& device, int rounds)
    {
        return device.timeSequence(m_sequence, rounds).perLaunch;
    }

private:
    int m_copies = 1;
    std::vector<std::unique_ptr<kernels::Prepared>> m_operands;
    std::vector<kernels::Prepared*> m_sequence;
};

} // namespace

std::vector<Task> checkShapes(const Task& task, const kernels::Variant& variant)
{
    if (kernels::isCollective(task.kernel)) {
        std::vector<Task> shapes(3, task);
        const std::int64_t share = 4 * std::int64_t(task.ranks); // one number for each rank
        constexpr std::array<std::int64_t, 3> shares{4096, 37, 1};
        for (std::size_t i = 0; i < shapes.size(); ++i)
            shapes[i].bytes = share * shares[i];
        return shapes;
    }
    std::vector<Task> shapes{shrunk(task, 24, 128, 96)};
    Task odd = shrunk(task, 7, 128, 37);
    odd.ragged = task.batch > 1;
    Task single = shrunk(task, 1, 128, 5);
    single.batch = std::min<std::int64_t>(task.batch, 1);
    for (const Task& shape : {odd, single})
        if (std::find(shapes.begin(), shapes.end(), shape) == shapes.end())
            shapes.push_back(shape);
    // Small shapes alone would choose other kernels than the large one that is timed.
    constexpr int mostParts = 3; // of a few tiles: some are empty then
    for (Task& shape : shapes) {
        shape.variant = variant;
        shape.variant->parts = std::min(variant.parts, mostParts);
    }
    return shapes;
}

std::string PointMeter::objection(const Task& task)
{
    const kernels::Variant variant = m_device.variantOf(task);
    const std::string code = codeOf(task, variant);
    if (const auto known = m_checked.find(code); known != m_checked.end())
        return known->second;
    std::string why;
    for (const Task& shape : checkShapes(task, variant)) {
        if (task.kernel == Kernel::Empty || !m_device.obstacle(shape).empty())
            continue;
        const auto prepared = m_device.prepare(shape, ++m_seed, 1);
        const double error = m_device.check(*prepared);
        const double allowed = kernels::toleranceOf(shape);
        if (!(error <= allowed)) { // NaN is refused too
            why = fmt::format("differs from the reference by {:.2g} (allowed {:.2g}) at {}", error, allowed,
                              kernels::describe(shape));
            break;
        }
    }
    return m_checked[code] = why;
}

TimedPoint PointMeter::timeOf(const SweepPoint& point, const TimeLeft& left)
{
    const Task& task = point.tasks.front();
    TimingPolicy policy = m_policy;
    if (task.sustained) {
        policy.stretch = policy.sustained;
        if (policy.longestRound.base() > 0)
            policy.mostRounds = 1; // clocks that follow the power never agree to one in seventy
    }
    if (isLayer(point)) {
        LayerRunner layer(m_device, point, m_seed);
        return timedPoint(policy, left, [&](int rounds) { return layer.time(m_device, rounds); });
    }
    const auto prepared = m_device.prepare(task, ++m_seed, 0);
    return timedPoint(policy, left,
                      [&](int launches) { return m_device.time(*prepared, launches).perLaunch; });
}

Measured PointMeter::measure(const SweepPoint& point, std::size_t index, const TimeLeft& left)
{
    Sample sample{.kind = SampleKind::Point, .index = index, .what = point.what};
    try {
        for (const Task& task : point.tasks)
            if (const std::string why = objection(task); !why.empty()) {
                sample.refused = why;
                return {.sample = sample, .needed = {}};
            }
        const TimedPoint timed = timeOf(point, left);
        if (!timed.timing)
            return {.sample = std::nullopt, .needed = timed.needed};
        sample.timing = *timed.timing;
        const double seconds = sample.timing.perLaunch.base();
        if (!std::isfinite(seconds) || seconds <= 0)
            sample.refused = fmt::format("its time is {} s", seconds);
        sample.state = m_device.state();
        return {.sample = sample, .needed = {}};
    } catch (const CalibrationBroken&) {
        throw; // a job of several processes cannot go on without one of them
    } catch (const std::exception& failure) {
        sample.refused = failure.what();
        std::replace(sample.refused.begin(), sample.refused.end(), '\n', ' ');
        sample.timing = {};
        return {.sample = sample, .needed = {}, .failed = true};
    }
}

} // namespace headroom
