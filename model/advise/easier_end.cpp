#include "model/advise/easier_end.h"

#include "model/advise/size.h"
#include "model/scenario/easier_ends.h"
#include "model/scenario/service_load.h"

namespace headroom {

void tellEasierEnd(SizingPlan& plan, const Scenario& asked, const Catalogue& catalogue,
                   const SearchOptions& options, const RunControl& control)
{
    const std::optional<Scenario> easier = withEasierEnds(asked);
    if (!easier)
        return;
    SearchOptions brief = options;
    brief.onlyBest = true;
    brief.explain = false;
    brief.safer = true;
    const RunControl silent{.stop = control.stop};
    const auto other = size(*easier, catalogue, brief, silent);
    const Message ends = easierEndsText(asked);
    const auto told = [&]() -> Message {
        if (!other || !(*other)->meets)
            return say("planned for the harder end of what was given as a range: {} have no answer either",
                       ends);
        const Candidate& answer = (*other)->answer;
        if (fullyLoaded((*other)->scenario))
            return say("planned for the harder end of what was given as a range: with {} it carries {:.0f} "
                       "users at once",
                       ends, (*other)->usersCarried().told);
        return say("planned for the harder end of what was given as a range: {} take {} × {}", ends,
                   answer.gpus(), answer.deployment.gpu->name);
    };
    plan.assumptions.push_back(told());
}

} // namespace headroom
