#include "model/cost/power.h"

#include <algorithm>

namespace headroom {

// An estimate, and wide because of that: data-centre GPUs idle at about a fifth of their limit; Splitwise
// (ISCA 2024) measured prompt phases close to the limit and token phases well below it, with power following
// memory traffic. 0.2 idle + 0.5 for saturated memory + 0.8 for saturated matrix units, at most the limit.
Estimate<Watts> powerPerGpu(const Gpu& gpu, const Node& node, double computeUtilisation,
                            double memoryUtilisation)
{
    if (!(gpu.tdp > Watts()))
        return {Watts(), Watts(), Watts(), Source::Prior};
    constexpr double idle = 0.2;
    constexpr double memoryShare = 0.5;
    constexpr double computeShare = 0.8;
    constexpr double spread = 0.2; // of the estimate, either way
    const double busy
        = std::clamp(idle + memoryShare * memoryUtilisation + computeShare * computeUtilisation, idle, 1.0);
    const Watts host = node.hostPower / std::max(1, node.gpusPerNode);
    const auto at = [&](double share) { return gpu.tdp * std::clamp(share, idle, 1.0) + host; };
    return {at(busy), at(busy * (1 - spread)), at(busy * (1 + spread)), Source::Prior};
}

} // namespace headroom
