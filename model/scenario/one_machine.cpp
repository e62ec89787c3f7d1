#include "model/scenario/one_machine.h"

#include <fmt/format.h>

namespace headroom {

Scenario ofOneMachine(const Scenario& scenario, std::size_t which)
{
    Scenario one = scenario;
    if (which < scenario.gpus.size())
        one.gpus = {scenario.gpus[which]};
    if (which < scenario.gpuCounts.size())
        one.gpuCount = scenario.gpuCounts[which];
    one.gpuCounts.clear();
    return one;
}

bool comparesAccelerators(const Scenario& scenario)
{
    constexpr std::size_t few = 6;
    return scenario.gpus.size() > 1 && scenario.gpus.size() <= few;
}

Problems countedTwice(const Scenario& scenario)
{
    if (scenario.gpuCounts.empty())
        return {};
    if (scenario.gpuCounts.size() != scenario.gpus.size())
        return {{"gpus", "there are not as many numbers as accelerators",
                 "for example 8xh100-sxm-80gb,4xb200-sxm-180gb"}};
    if (!scenario.gpuCount)
        return {};
    return {{"gpus", say("{} are asked for, but every accelerator has its own number", *scenario.gpuCount),
             "for example --gpu 8xh100-sxm-80gb,4xb200-sxm-180gb without --gpus"}};
}

} // namespace headroom
