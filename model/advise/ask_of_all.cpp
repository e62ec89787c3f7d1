#include "model/advise/ask_of_all.h"

#include "model/scenario/alternatives.h"

#include <tuple>

namespace headroom {

void askOfAll(SizingPlan& plan, const Scenario& one, const Scenario& asked)
{
    const auto widen = [&](Scenario& changed) {
        const auto isOfMachine = [&](const Scenario& s) {
            return std::tie(s.gpus, s.gpuCount, s.gpusPerBox, s.tp, s.pp, s.ep, s.dp, s.replicas);
        };
        // Other weights are a change of the question, but where types of them are weighed.
        const bool typesAreWeighed = !asked.weightTypes.empty();
        if (isOfMachine(changed) != isOfMachine(one) || (typesAreWeighed && changed.weights != one.weights))
            return;
        takeAlternatives(changed, asked);
        if (typesAreWeighed)
            changed.weights = asked.weights;
    };
    for (Remedy& remedy : plan.remedies)
        widen(remedy.scenario);
    for (Hint& hint : plan.hints)
        widen(hint.scenario);
}

} // namespace headroom
