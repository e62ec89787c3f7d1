#include "model/advise/size.h"

#include "model/advise/compare_fixed_machines.h"
#include "model/advise/easier_end.h"
#include "model/advise/explain_plan.h"
#include "model/scenario/stated_load.h"

#include <utility>

namespace headroom {

Result<std::shared_ptr<const SizingPlan>> size(const Scenario& said, const Catalogue& catalogue,
                                               const SearchOptions& options, const RunControl& control)
{
    if (Problems problems = loadProblems(said); !problems.empty())
        return refuse(std::move(problems));
    const Scenario asked = withStatedLoad(said);
    if (!asked.gpuCounts.empty())
        return compareFixedMachines(asked, catalogue, options, control);
    Result<BusiestLoad> load = decidingLoad(asked, options.readTrace);
    if (!load)
        return refuse(load.error());
    auto plan = findAnswer(asked, *load, catalogue, options, control);
    // A speed that nobody asked for stands in nobody's way: half of it may do, or a quarter.
    while (plan && !(*plan)->meets && load->assumed.any()) {
        assume(*load, asked, lessThan(load->assumed).value_or(Targets{}));
        plan = findAnswer(asked, *load, catalogue, options, control);
    }
    if (!plan)
        return refuse(std::move(plan.error()));
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
