#include "model/ask/rules.h"

namespace headroom::ask {

using enum Meaning;

void beginFrom(Draft& draft, const Scenario& atHand)
{
    bool gpu = false;
    bool count = false;
    bool again = false;
    bool another = false; // a model is named: a question of its own, unless it says "what about", "same with"
    bool alone = true;    // nothing but that: "and Qwen3 32B?"
    for (std::size_t i = 0; i < draft.size(); ++i) {
        again = again || draft.is(i, Again) || draft.is(i, Replaces);
        another = another || draft.isName(i, ItemKind::Model);
        alone = alone
            && (draft.isName(i, ItemKind::Model) || draft.isName(i, ItemKind::Type)
                || draft.isAny(i, {Filler, Comma, Again, YesNo, Replaces}));
        gpu = gpu || draft.isName(i, ItemKind::Gpu)
            || (draft.is(i, Vendor) && !draft.is(draft.previous(i), Not));
        count = count || draft.is(i, HowMany);
    }
    if (another && !again && !alone)
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
