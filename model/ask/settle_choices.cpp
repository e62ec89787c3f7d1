#include "model/ask/rules.h"

#include <algorithm>
#include <string>

namespace headroom::ask {

using enum Meaning;

void aimAt(Draft& draft, Settled& settled, const Place& place, std::string_view objective)
{
    const std::optional<Objective> aim = objectiveFromKey(objective);
    if (!aim)
        return;
    const ObjectiveRow row = *objectiveRow(*aim);
    const std::string value(draft.say(Wording{row.english, row.chinese}));
    if (!draft.once(draft.say("the objective"), value, place))
        return;
    settled.objectiveSaid = true;
    draft.question.scenario.objective = *aim;
    draft.note(place, value);
}

void settleObjectives(Draft& draft, Settled& settled)
{
    const Assigned* const price = settled.find("tokenPrice");
    const auto priced = [&](std::size_t i) { // "cheaper than $0.60 per million tokens"
        return price != nullptr && i >= price->span.first && i <= price->span.last;
    };
    for (const bool ofPrice : {false, true})
        for (std::size_t i = 0; i < draft.size(); ++i)
            if (priced(i) == ofPrice && !(ofPrice && settled.objectiveSaid))
                applyRule("objective", draft, settled, i);
}

} // namespace headroom::ask
