#include "model/advise/ask_of_all.h"

namespace headroom {

void askOfAll(SizingPlan& plan, const Scenario& one, const Scenario& asked)
{
    const auto widen = [&](Scenario& changed) {
        if (changed.gpus != one.gpus || changed.gpuCount != one.gpuCount)
            return;
        changed.gpus = asked.gpus;
        changed.gpuCount = asked.gpuCount;
        changed.gpuCounts = asked.gpuCounts;
    };
    for (Remedy& remedy : plan.remedies)
        widen(remedy.scenario);
    for (Hint& hint : plan.hints)
        widen(hint.scenario);
}

} // namespace headroom
