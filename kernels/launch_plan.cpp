#include "kernels/launch_plan.h"

#include <algorithm>

namespace headroom::kernels {

namespace {
// Recording and starting a launch costs the host some microseconds, once.
constexpr int mostInGraph = 1024;
// Beyond so many replays a longer graph is worth recording: each replay has a start of its own.
constexpr int mostReplays = 8;
} // namespace

LaunchPlan planLaunches(const LaunchRequest& request)
{
    LaunchPlan plan;
    if (request.launches <= 1)
        return plan;
    const bool hot = request.cold.base() <= 0;
    const bool rotates = !hot && request.set * double(request.copies) >= request.cold;
    plan.each = std::min(request.launches, mostInGraph);
    if (rotates && plan.each > request.copies)
        plan.each = plan.each / request.copies * request.copies; // whole turns
    else if (!hot && !rotates)
        plan.each = std::min(plan.each, std::max(request.copies, 1));
    const int recorded = request.recorded;
    if (recorded > 0 && recorded <= request.launches
        && (recorded == plan.each || request.launches < mostReplays * recorded))
        plan.each = recorded;
    plan.replays = (request.launches + plan.each - 1) / plan.each;
    plan.emptied = !hot && request.set * double(plan.each) < request.cold;
    return plan;
}

int copiesFor(Bytes set, Bytes cold, Bytes memory)
{
    if (cold.base() <= 0)
        return 1;
    const double one = std::max(set.base(), 1.0);
    const double wanted = cold.base() / one + 1;
    return static_cast<int>(std::clamp(std::min(wanted, memory.base() / one), 1.0, double(mostInGraph)));
}

} // namespace headroom::kernels
