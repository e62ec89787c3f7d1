#include "model/advise/plain_changes.h"

#include "model/advise/usual_changes.h"

namespace headroom {

std::vector<PlainChange> plainChanges(const Scenario& asked, const Deployment& answer)
{
    std::vector<PlainChange> out;
    const auto add = [&](double size, Message change, auto apply) {
        Scenario s = asked;
        apply(s);
        out.push_back({std::move(s), std::move(change), size});
    };
    if (asked.speculation.empty() && answer.engine->speculative && answer.llm->mtp.layers > 0)
        add(1.8, ownDraftsText, [](Scenario& s) { s.speculation = ownDrafts; });
    if (asked.prefill.pools == Disaggregation::No && answer.engine->disaggregates && !asked.replicas)
        add(1.1, ownPromptsText, [](Scenario& s) { s.prefill.pools = Disaggregation::Only; });
    if (asked.tp || asked.pp || asked.ep || asked.dp || asked.replicas)
        add(1.2, "another layout", [](Scenario& s) {
            s.tp.reset();
            s.pp.reset();
            s.ep.reset();
            s.dp.reset();
            s.replicas.reset();
        });
    if (!asked.node.empty() || asked.gpusPerBox)
        add(1.3, "the accelerator's usual boxes", [](Scenario& s) {
            s.node.clear();
            s.gpusPerBox.reset();
        });
    return out;
}

} // namespace headroom
