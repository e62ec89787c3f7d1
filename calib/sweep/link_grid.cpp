#include "calib/sweep/sweep.h"

#include <algorithm>

namespace headroom {

namespace {

using kernels::Kernel;
using kernels::Task;

OpName nameOf(Kernel kernel)
{
    switch (kernel) {
    case Kernel::AllGather:
        return OpName::AllGather;
    case Kernel::AllToAll:
        return OpName::AllToAll;
    case Kernel::SendRecv:
        return OpName::SendRecv;
    default:
        return OpName::AllReduce;
    }
}

Task exchange(Kernel kernel, RankCount group, std::int64_t bytes)
{
    Task task{.kernel = kernel, .name = nameOf(kernel)};
    task.ranks = group.first;
    task.nodes = group.second;
    const std::int64_t share = 4 * std::int64_t(group.first); // whole numbers for every rank
    task.bytes = std::max(bytes / share, std::int64_t(1)) * share;
    return task;
}

} // namespace

std::vector<int> rankSizes(int all)
{
    std::vector<int> out;
    for (int size = 2; size < all; size *= 2)
        out.push_back(size);
    if (all > 1)
        out.push_back(all);
    return out;
}

std::vector<TaskFamily> linkFamilies(const std::vector<RankCount>& groups)
{
    std::vector<TaskFamily> out;
    for (const RankCount& group : groups) {
        std::vector<Kernel> kernels{Kernel::AllReduce, Kernel::AllGather, Kernel::AllToAll};
        if (group.first == 2)
            kernels.push_back(Kernel::SendRecv);
        TaskFamily family{.tasks = {}, .columns = kernels.size()};
        for (std::int64_t bytes = 1024; bytes <= (std::int64_t(256) << 20); bytes *= 4)
            for (const Kernel kernel : kernels)
                family.tasks.push_back(exchange(kernel, group, bytes));
        out.push_back(std::move(family));
    }
    return out;
}

std::vector<Task> linkAnchors(const kernels::Device& device, const std::vector<RankCount>& groups)
{
    const RankCount most = *std::max_element(groups.begin(), groups.end());
    constexpr std::int64_t small = 64 << 10;
    std::int64_t large = 8 << 20; // long enough for the wire to count, short enough to be looked at often
    while (large > small && !device.obstacle(exchange(Kernel::AllReduce, most, large)).empty())
        large /= 8;
    return {exchange(Kernel::AllReduce, most, small), exchange(Kernel::AllReduce, most, large)};
}

} // namespace headroom
