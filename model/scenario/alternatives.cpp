#include "model/scenario/alternatives.h"

#include "model/scenario/stated_layout.h"

#include <algorithm>
#include <utility>

namespace headroom {

namespace {

std::vector<Scenario> inEachType(Scenario scenario)
{
    const std::vector<DType> types = std::exchange(scenario.weightTypes, {});
    if (types.empty())
        return {std::move(scenario)};
    std::vector<Scenario> out(types.size(), scenario);
    for (std::size_t i = 0; i < types.size(); ++i)
        out[i].weights = types[i];
    return out;
}

std::vector<Scenario> inEachLayout(const Scenario& scenario)
{
    if (scenario.layouts.empty())
        return inEachType(scenario);
    std::vector<Scenario> out;
    for (const StatedLayout& layout : scenario.layouts) {
        Scenario one = scenario;
        one.layouts.clear();
        for (const LayoutPart& part : layoutParts) {
            const bool named = std::any_of(scenario.layouts.begin(), scenario.layouts.end(),
                                           [&](const StatedLayout& other) { return other.*(part.size); });
            if (named)
                one.*(part.key) = (layout.*(part.size)).value_or(1);
        }
        for (Scenario& typed : inEachType(std::move(one)))
            out.push_back(std::move(typed));
    }
    return out;
}

Problems layoutsStatedTwice(const Scenario& scenario)
{
    if (scenario.gpuLayouts.empty())
        return {};
    if (scenario.gpuLayouts.size() != scenario.gpus.size())
        return {{"gpus", "there are not as many layouts as accelerators",
                 "for example 16xh200-sxm-141gb:tp8pp2,72xgb200"}};
    const bool shared = !scenario.layouts.empty()
        || std::any_of(layoutParts.begin(), layoutParts.end(), [&](const LayoutPart& part) {
               return scenario.*(part.key)
                   && std::any_of(scenario.gpuLayouts.begin(), scenario.gpuLayouts.end(),
                                  [&](const StatedLayout& own) { return own.*(part.size); });
           });
    if (shared)
        return {{"gpus", "a layout is stated beside accelerators that have their own",
                 "for example --gpu 16xh200-sxm-141gb:tp8pp2,72xgb200 without --layouts, --tp and --pp"}};
    return {};
}

} // namespace

bool statesAlternatives(const Scenario& scenario)
{
    return !scenario.gpuCounts.empty() || !scenario.layouts.empty() || !scenario.gpuLayouts.empty()
        || !scenario.weightTypes.empty();
}

std::vector<Scenario> alternativesOf(const Scenario& scenario)
{
    if (scenario.gpuCounts.empty() && scenario.gpuLayouts.empty())
        return inEachLayout(scenario);
    std::vector<Scenario> out;
    for (std::size_t i = 0; i < scenario.gpus.size(); ++i)
        for (Scenario& one : inEachLayout(ofOneMachine(scenario, i)))
            out.push_back(std::move(one));
    return out;
}

void forgetAlternatives(Scenario& scenario)
{
    scenario.gpuCounts.clear();
    scenario.boxSizes.clear();
    scenario.layouts.clear();
    scenario.gpuLayouts.clear();
    scenario.weightTypes.clear();
}

Scenario ofOneMachine(const Scenario& scenario, std::size_t which)
{
    Scenario one = scenario;
    if (which < scenario.gpus.size())
        one.gpus = {scenario.gpus[which]};
    if (which < scenario.gpuCounts.size())
        one.gpuCount = scenario.gpuCounts[which];
    if (which < scenario.boxSizes.size())
        one.gpusPerBox = scenario.boxSizes[which];
    if (which < scenario.gpuLayouts.size())
        for (const LayoutPart& part : layoutParts)
            if (const std::optional<int>& size = scenario.gpuLayouts[which].*(part.size))
                one.*(part.key) = size;
    one.gpuCounts.clear();
    one.boxSizes.clear();
    one.gpuLayouts.clear();
    return one;
}

bool comparesAccelerators(const Scenario& scenario)
{
    constexpr std::size_t few = 6;
    return scenario.gpus.size() > 1 && scenario.gpus.size() <= few;
}

void takeAlternatives(Scenario& scenario, const Scenario& asked)
{
    scenario.gpus = asked.gpus;
    scenario.gpuCount = asked.gpuCount;
    scenario.gpuCounts = asked.gpuCounts;
    scenario.gpusPerBox = asked.gpusPerBox;
    scenario.boxSizes = asked.boxSizes;
    scenario.layouts = asked.layouts;
    scenario.gpuLayouts = asked.gpuLayouts;
    scenario.weightTypes = asked.weightTypes;
    for (const LayoutPart& part : layoutParts)
        scenario.*(part.key) = asked.*(part.key);
}

Problems statedTwice(const Scenario& scenario)
{
    Problems problems = layoutsStatedTwice(scenario);
    for (const LayoutPart& part : layoutParts)
        for (const StatedLayout& layout : scenario.layouts)
            if (layout.*(part.size) && scenario.*(part.key) && problems.empty())
                problems.push_back({"layouts",
                                    "a part of a layout is stated beside layouts that have their own",
                                    "for example --layouts tp8pp2,tp16 without --tp and --pp"});
    if (scenario.gpuCounts.empty())
        return problems;
    if (scenario.gpuCounts.size() != scenario.gpus.size())
        problems.push_back({"gpus", "there are not as many numbers as accelerators",
                            "for example 8xh100-sxm-80gb,4xb200-sxm-180gb"});
    else if (scenario.gpuCount)
        problems.push_back(
            {"gpus", say("{} are asked for, but every accelerator has its own number", *scenario.gpuCount),
             "for example --gpu 8xh100-sxm-80gb,4xb200-sxm-180gb without --gpus"});
    if (!scenario.boxSizes.empty() && scenario.gpusPerBox)
        problems.push_back(
            {"gpus-per-box",
             say("boxes of {} are asked for, but accelerators have boxes of their own", *scenario.gpusPerBox),
             "for example --gpu 2x8xh100-sxm-80gb,3x4xgh200-96gb without --gpus-per-box"});
    return problems;
}

} // namespace headroom
