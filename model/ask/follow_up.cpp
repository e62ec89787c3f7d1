#include "model/ask/rules.h"

namespace headroom::ask {

void beginFrom(Draft& draft, const Scenario& atHand)
{
    const bool gpu = could("follow-gpu", draft);
    const bool count = could("follow-count", draft);
    // A model is named: a question of its own, unless it says "what about", "same with", or nothing but that:
    // "and Qwen3 32B?"
    if (could("model-there", draft) && !could("follow-again", draft) && could("follow-more", draft))
        return;
    Scenario& s = draft.question.scenario;
    s = atHand;
    draft.question.changesAtHand = true;
    if (gpu) {
        s.gpus.clear();
        s.gpuCounts.clear();
        s.node.clear();
    }
    if (count)
        s.gpuCount.reset();
    draft.assume(draft.tell("the scenario at hand: {}", s.model));
    Settled settled;
    applyRules("again", draft, settled);
}

} // namespace headroom::ask
