#include "model/advise/size.h"

#include "model/advise/compare_stated.h"
#include "model/advise/easier_end.h"
#include "model/advise/explain_plan.h"
#include "model/base/figure_text.h"
#include "model/scenario/alternatives.h"
#include "model/scenario/stated_load.h"

#include <utility>

namespace headroom {

namespace {

using Found = Result<std::shared_ptr<SizingPlan>>;

// More than a box, and more GPUs than users at once.
bool isDear(const Candidate& answer)
{
    constexpr int box = 8;
    return answer.gpus() > box && answer.gpus() > answer.deployment.layout.replicas * answer.point.users;
}

// A speed that nobody asked for is not bought at any price: where the answer is dear, half of that speed is
// taken as long as a quarter of the GPUs give it.
void takeWhatCostsLess(Found& plan, const Scenario& asked, BusiestLoad& load, const Catalogue& catalogue,
                       const SearchOptions& options, const RunControl& control)
{
    constexpr int timesFewer = 4;
    while (isDear((*plan)->answer)) {
        const std::optional<Targets> less = lessThan(load.assumed);
        if (!less)
            return;
        BusiestLoad slower = load;
        assume(slower, asked, *less);
        Found cheaper = findAnswer(asked, slower, catalogue, options, control);
        if (!cheaper || !(*cheaper)->meets || (*cheaper)->answer.gpus() * timesFewer > (*plan)->answer.gpus())
            return;
        (*cheaper)->assumptions.push_back(say("{} tokens/s for each user would take {} GPUs",
                                              *load.assumed.tokensPerSecond,
                                              groupedDigits((*plan)->answer.gpus())));
        plan = std::move(cheaper);
        load = std::move(slower);
    }
}

} // namespace

Result<std::shared_ptr<const SizingPlan>> size(const Scenario& said, const Catalogue& catalogue,
                                               const SearchOptions& options, const RunControl& control)
{
    if (Problems problems = loadProblems(said); !problems.empty())
        return refuse(std::move(problems));
    const Scenario asked = withStatedLoad(said);
    if (statesAlternatives(asked))
        return compareStated(asked, catalogue, options, control);
    Result<BusiestLoad> load = decidingLoad(asked, options.readTrace);
    if (!load)
        return refuse(load.error());
    Found plan = findAnswer(asked, *load, catalogue, options, control);
    // A speed that nobody asked for stands in nobody's way: half of it may do, or a quarter.
    while (plan && !(*plan)->meets && load->assumed.any()) {
        assume(*load, asked, lessThan(load->assumed).value_or(Targets{}));
        plan = findAnswer(asked, *load, catalogue, options, control);
    }
    if (!plan)
        return refuse(std::move(plan.error()));
    if ((*plan)->meets && load->assumed.any())
        takeWhatCostsLess(plan, asked, *load, catalogue, options, control);
    if (options.explain) {
        explain(**plan, load->scenario, catalogue, options.simulate, control);
        tellEasierEnd(**plan, asked, catalogue, options, control);
    }
    control.progress(1, "done");
    return std::shared_ptr<const SizingPlan>(*std::move(plan));
}

Result<void> explainAnswer(SizingPlan& plan, const Scenario& asked, const Catalogue& catalogue,
                           const SearchOptions& options, const RunControl& control)
{
    return decidingLoad(withStatedLoad(asked), options.readTrace).transform([&](BusiestLoad busiest) {
        assume(busiest, asked, plan.assumed);
        explain(plan, busiest.scenario, catalogue, options.simulate, control);
        tellEasierEnd(plan, asked, catalogue, options, control);
    });
}

} // namespace headroom
