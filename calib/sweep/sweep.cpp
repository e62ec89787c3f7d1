#include "calib/sweep/sweep.h"

#include "calib/sweep/balanced_order.h"

#include <algorithm>
#include <array>
#include <deque>
#include <fmt/format.h>
#include <map>
#include <set>

namespace headroom {

namespace {

using kernels::Task;

// describe() leaves out what tells few tasks apart.
std::string lineOf(const Task& task)
{
    std::string out = kernels::describe(task);
    if (task.activations != task.weights)
        out += fmt::format(" activations={}", name(task.activations));
    if (task.kernel == kernels::Kernel::DecodeLatent)
        out += fmt::format(" latent={}", task.latent);
    if (task.experts > 0)
        out += fmt::format(" chosen={}", task.expertsPerToken);
    if (task.routingSkew > 0)
        out += fmt::format(" skew={}", task.routingSkew);
    if (task.hot)
        out += " hot";
    if (task.eager)
        out += " eager";
    if (task.sustained)
        out += " sustained";
    return out;
}

class Gatherer {
public:
    explicit Gatherer(const kernels::Device& device) : m_device(device) {}

    [[nodiscard]] bool takes(const std::vector<Task>& tasks)
    {
        for (const Task& task : tasks)
            if (const Message why = m_device.obstacle(task); !why.empty()) {
                ++m_leftOut.try_emplace(why.english(), LeftOut{why}).first->second.points;
                return false;
            }
        return !tasks.empty();
    }
    void add(SweepPoint point)
    {
        if (m_known.insert(point.what).second)
            m_points.push_back(std::move(point));
    }
    [[nodiscard]] Sweep take()
    {
        Sweep sweep{.points = std::move(m_points), .leftOut = {}};
        for (const auto& [english, left] : m_leftOut)
            sweep.leftOut.push_back(say("{}: {} points", left.why, left.points));
        return sweep;
    }
    void addOne(PointKind kind, const Task& task)
    {
        if (takes({task}))
            add({.kind = kind, .tasks = {task}, .what = lineOf(task)});
    }

private:
    const kernels::Device& m_device;
    std::vector<SweepPoint> m_points;
    struct LeftOut {
        Message why;
        int points = 0;
    };
    std::map<std::string, LeftOut> m_leftOut; // by the English of its reason
    std::set<std::string> m_known;
};

struct Queue {
    PointKind kind;
    int turn;
    std::deque<Task> tasks;
};

Queue queueOf(const TaskFamily& family, PointKind kind, std::uint64_t seed)
{
    Queue queue{.kind = kind, .turn = family.turn, .tasks = {}};
    for (const std::size_t cell : balancedOrder(family.tasks.size() / family.columns, family.columns, seed))
        if (std::find(family.without.begin(), family.without.end(), cell) == family.without.end())
            queue.tasks.push_back(family.tasks[cell]);
    return queue;
}

// Operators family by family in turn, so that a short run has some of all; then each family as often as it
// has points left, so that all end together: products alone at the end would heat a card that its power limit
// then slows down.
std::vector<std::pair<PointKind, Task>> inTurns(std::vector<Queue> queues)
{
    constexpr int rounds = 12; // a short run's
    std::vector<std::pair<PointKind, Task>> out;
    const auto take = [&](Queue& queue) {
        out.emplace_back(queue.kind, queue.tasks.front());
        queue.tasks.pop_front();
    };
    for (int round = 0; round < rounds; ++round)
        for (Queue& queue : queues)
            for (int i = 0; i < queue.turn && !queue.tasks.empty(); ++i)
                take(queue);
    std::vector<double> all;
    for (const Queue& queue : queues)
        all.push_back(static_cast<double>(std::max<std::size_t>(queue.tasks.size(), 1)));
    while (true) {
        std::size_t next = 0;
        const auto left = [&](std::size_t i) { return double(queues[i].tasks.size()) / all[i]; };
        for (std::size_t i = 1; i < queues.size(); ++i)
            if (left(i) > left(next))
                next = i;
        if (queues.empty() || queues[next].tasks.empty())
            return out;
        take(queues[next]);
    }
}

} // namespace

std::string_view pointKindName(PointKind kind)
{
    constexpr std::array<std::string_view, 4> names{"machine", "operator", "this model", "layer"};
    return names[static_cast<std::size_t>(kind)];
}

std::vector<TaskFamily> modelFamilies(const Llm& model, const std::string& deviceKind)
{
    // 32 numbers of rows with the edges of the usual tiles, where a library changes its kernel.
    static constexpr std::array<std::int64_t, 32> all{
        1,   2,   4,   8,   16,  24,  32,  48,  64,  72,   96,   128,  136,  192,  200,  256,
        264, 320, 384, 392, 512, 520, 640, 768, 776, 1024, 1040, 1536, 2048, 3072, 4096, 8192};
    static constexpr std::array<std::int64_t, 12> few{1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64};
    const bool cpu = deviceKind == "cpu";
    const std::vector<std::int64_t> rows
        = cpu ? std::vector(few.begin(), few.end()) : std::vector(all.begin(), all.end());
    const std::vector<std::pair<DType, DType>> types = cpu
        ? std::vector<std::pair<DType, DType>>{{DType::Bf16, DType::Fp32},
                                               {DType::Int8, DType::Fp32},
                                               {DType::Int4, DType::Fp32}}
        : std::vector<std::pair<DType, DType>>{{DType::Bf16, DType::Bf16}, {DType::Fp8, DType::Fp8}};
    const std::vector<MatrixShape> shapes = matricesOf(model, 1);
    std::vector<TaskFamily> out;
    for (const auto& [weights, activations] : types) {
        TaskFamily family{.tasks = {}, .columns = std::max<std::size_t>(shapes.size(), 1), .turn = 2};
        for (const std::int64_t m : rows)
            for (const MatrixShape& shape : shapes) {
                Task task{.kernel = kernels::Kernel::Gemm, .name = shape.name};
                task.weights = weights;
                task.activations = activations;
                task.m = m;
                task.n = shape.n;
                task.k = shape.k;
                family.tasks.push_back(task);
            }
        out.push_back(std::move(family));
    }
    return out;
}

std::vector<Task> anchorTasks(const std::string& deviceKind)
{
    const bool cpu = deviceKind == "cpu";
    Task gemm{.kernel = kernels::Kernel::Gemm, .name = OpName::Qkv};
    gemm.weights = gemm.activations = cpu ? DType::Fp32 : DType::Bf16;
    gemm.m = cpu ? 64 : 4096;
    gemm.n = gemm.k = cpu ? 512 : 4096;
    Task read{.kernel = kernels::Kernel::Read, .name = OpName::Embedding};
    read.bytes = std::int64_t(cpu ? 64 : 256) << 20;
    return {gemm, read};
}

Sweep linkSweep(const kernels::Device& device, const std::vector<RankCount>& groups, std::uint64_t seed)
{
    Gatherer gather(device);
    std::vector<Queue> queues;
    for (const TaskFamily& family : linkFamilies(groups))
        queues.push_back(queueOf(family, PointKind::Operator, ++seed));
    for (const auto& [kind, task] : inTurns(std::move(queues)))
        gather.addOne(kind, task);
    return gather.take();
}

Sweep sweepFor(const kernels::Device& device, const SweepRequest& request)
{
    const bool cpu = request.deviceKind == "cpu";
    Gatherer gather(device);
    for (const Task& task : cpu ? cpuMachineTasks() : cudaMachineTasks())
        gather.addOne(PointKind::Machine, task);
    for (const bool sustained : {false, true})
        for (const LayerCase& layer : request.settling) {
            std::vector<Task> tasks = layerTasks(layer);
            if (!gather.takes(tasks))
                continue;
            tasks.front().sustained = sustained;
            gather.add({.kind = PointKind::Machine,
                        .tasks = tasks,
                        .what = describe(layer) + (sustained ? " sustained" : "")});
        }

    std::vector<Queue> queues;
    std::uint64_t seed = request.seed;
    std::vector<TaskFamily> families = cpu ? cpuFamilies() : cudaFamilies();
    if (!cpu) { // a device without peers refuses them
        std::vector<RankCount> groups;
        for (const int ranks : rankSizes(std::max(device.facts().visibleDevices, 2)))
            groups.emplace_back(ranks, 1);
        for (TaskFamily& family : linkFamilies(groups))
            families.push_back(std::move(family));
    }
    for (const TaskFamily& family : families)
        queues.push_back(queueOf(family, PointKind::Operator, ++seed));
    if (request.model != nullptr)
        for (const TaskFamily& family : modelFamilies(*request.model, request.deviceKind))
            queues.push_back(queueOf(family, PointKind::ThisModel, ++seed));
    const auto operators = inTurns(std::move(queues));

    // Layers stand where they divide the operators evenly, but close enough for a short run to be judged by
    // ten of them.
    constexpr std::size_t mostBetween = 6;
    std::vector<LayerCase> layers;
    for (const std::size_t i : balancedOrder(request.holdOut.size(), 1, request.seed))
        layers.push_back(request.holdOut[i]);
    const std::size_t gap = layers.empty()
        ? 0
        : std::clamp<std::size_t>(operators.size() / (layers.size() + 1), 1, mostBetween);
    std::size_t next = 0;
    const auto addLayer = [&] {
        const LayerCase& layer = layers[next++];
        const std::vector<Task> tasks = layerTasks(layer);
        if (gather.takes(tasks))
            gather.add({.kind = PointKind::Layer, .tasks = tasks, .what = describe(layer)});
    };
    for (std::size_t i = 0; i < operators.size(); ++i) {
        gather.addOne(operators[i].first, operators[i].second);
        if (gap > 0 && (i + 1) % gap == 0 && next < layers.size())
            addLayer();
    }
    while (next < layers.size())
        addLayer();
    return gather.take();
}

TaskFamily familyOfWidths(const Task& kind, std::int64_t Task::*width, std::span<const std::int64_t> rows,
                          std::span<const std::int64_t> widths)
{
    TaskFamily family{.tasks = {}, .columns = widths.size()};
    for (const std::int64_t m : rows)
        for (const std::int64_t each : widths) {
            family.tasks.push_back(kind);
            family.tasks.back().m = m;
            family.tasks.back().*width = each;
        }
    return family;
}

} // namespace headroom
