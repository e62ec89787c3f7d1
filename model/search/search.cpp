#include "model/search/search.h"

#include "model/base/at_once.h"
#include "model/scenario/service_load.h"
#include "model/search/answer_costs.h"
#include "model/search/candidate_text.h"
#include "model/search/describe_answer.h"
#include "model/search/finalists.h"
#include "model/search/judge.h"
#include "model/search/layouts.h"
#include "model/search/machines_to_try.h"
#include "model/search/pools.h"
#include "model/search/prove_best.h"
#include "model/search/ranking.h"
#include "model/search/replays.h"
#include "model/search/safe_answer.h"
#include "model/search/safe_confidence.h"
#include "model/search/told_once.h"
#include "model/yaml/catalogue.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace headroom {

namespace {

std::vector<Candidate> searchAll(const MachinesToTry& machines, const Scenario& scenario, bool prune,
                                 Depth depth, std::size_t threads)
{
    std::vector<Candidate> out;
    if (scenario.prefill.pools != Disaggregation::Only)
        out = searchMachines(machines.resolved, scenario, prune, depth, threads);
    if (scenario.prefill.pools == Disaggregation::No)
        return out;
    std::optional<Candidate> best;
    for (const Candidate& c : out)
        if (c.meets && (!best || better(c, *best, scenario.objective)))
            best = c;
    std::vector<Candidate> pools
        = searchPools(machines.resolved, machines.prompting, scenario, false, &best, true, threads);
    out.insert(out.end(), std::make_move_iterator(pools.begin()), std::make_move_iterator(pools.end()));
    return bestFirst(std::move(out), scenario.objective);
}

Source worstAllowed(EvidenceFloor floor)
{
    switch (floor) {
    case EvidenceFloor::Measured:
        return Source::MeasuredPublished;
    case EvidenceFloor::Family:
        return Source::SameFamily;
    case EvidenceFloor::Any:
        break;
    }
    return Source::Prior;
}

// Leaves out what rests on less than was asked for; how many that were.
std::size_t keepEvidence(std::vector<Candidate>& candidates, EvidenceFloor floor)
{
    const Source worst = worstAllowed(floor);
    return std::erase_if(candidates, [worst](const Candidate& c) {
        return c.point.prediction.memory.fits && c.evidence() > worst;
    });
}

// Of the whole catalogue nobody is sent to what nobody sells at a price, as long as something else works.
void setUnpricedAside(SizingPlan& plan, const Scenario& scenario)
{
    const auto works = [](const Candidate& c, bool priced) {
        return c.meets && c.point.prediction.service.priceKnown == priced;
    };
    std::vector<Candidate>& all = plan.candidates;
    if (!scenario.gpus.empty()
        || std::none_of(all.begin(), all.end(), [&](const Candidate& c) { return works(c, true); }))
        return;
    const auto aside
        = std::stable_partition(all.begin(), all.end(), [&](const Candidate& c) { return !works(c, false); });
    constexpr std::size_t most = 3; // the best of each accelerator
    for (auto c = aside; c != all.end() && plan.unpriced.size() < most; ++c)
        if (std::none_of(plan.unpriced.begin(), plan.unpriced.end(),
                         [&](const Candidate& other) { return other.deployment.gpu == c->deployment.gpu; }))
            plan.unpriced.push_back(std::move(*c));
    all.erase(aside, all.end());
}

// The best services of two pools whose times keep the targets even at the upper end of their ranges; none
// where nobody asks for a safer answer than there is, or the pools are as large as was stated.
std::vector<Candidate> poolsToBeSafe(const SizingPlan& plan, const MachinesToTry& machines,
                                     const Scenario& scenario, std::size_t threads)
{
    if (scenario.prefill.pools == Disaggregation::No || !mayBeSafer(plan, scenario)
        || plan.answer.confidence >= safeConfidence || scenario.gpuCount || scenario.replicas)
        return {};
    std::vector<Candidate> out
        = searchPools(machines.resolved, machines.prompting, scenario, true, nullptr, false, threads);
    keepEvidence(out, scenario.evidence);
    std::erase_if(out, [&](const Candidate& c) {
        return !c.meets
            || (plan.answer.point.prediction.service.priceKnown && !c.point.prediction.service.priceKnown);
    });
    return bestFirst(std::move(out), scenario.objective);
}

// Every layout of the machines, judged in closed form and best first; refused where nothing can run.
Result<std::shared_ptr<SizingPlan>> judgedPlan(const MachinesToTry& machines, const Scenario& scenario,
                                               bool prune, Depth depth, std::size_t threads)
{
    auto plan = std::make_shared<SizingPlan>();
    plan->candidates = searchAll(machines, scenario, prune, depth, threads);
    plan->evaluated = plan->candidates.size();
    if (const std::size_t removed = keepEvidence(plan->candidates, scenario.evidence); removed > 0
        && std::none_of(plan->candidates.begin(), plan->candidates.end(),
                        [](const Candidate& c) { return c.point.prediction.memory.fits; }))
        return refuse("evidence", "nothing here rests on such timings",
                      scenario.evidence == EvidenceFloor::Measured ? Message("--evidence family or any")
                                                                   : "--evidence any");
    if (plan->candidates.empty()) {
        const Message why = whyNoLayout(machines.resolved.front()->deployment, scenario);
        return refuse("layout", why.empty() ? Message("no layout can run this") : why, {});
    }
    setUnpricedAside(*plan, scenario);
    useAllFirst(plan->candidates, scenario);
    return plan;
}

// The nearest miss is told with its whole run: those that only said no ended early.
void tellWhole(Candidate& best, const BusiestLoad& load, const RunControl& control)
{
    if (best.simulated && best.simulated->broken)
        best = Replays(load.scenario, load.recorded, control, 1).playedWhole(best);
}

// What the answer rests on and costs. `settled`: nothing that looks better was left unplayed.
void describe(SizingPlan& plan, const Scenario& asked, const BusiestLoad& load, const MachinesToTry& machines,
              const Catalogue& catalogue, bool settled)
{
    const Scenario& scenario = load.scenario;
    tellOnce(plan);
    const std::vector<Message> ofTheSearch = std::exchange(plan.assumptions, {});
    describeChoice(plan, scenario, machines, load.assumed);
    describeLoad(plan, asked, load);
    plan.assumptions.insert(plan.assumptions.end(), ofTheSearch.begin(), ofTheSearch.end());
    if (plan.mostReplayed)
        plan.assumptions.emplace_back(
            "the most it carries stood a replay; that of the others is closed form");
    if (plan.answer.point.prediction.memory.fits)
        tellCosts(plan, scenario, catalogue);
    if (asked.objective != scenario.objective && *asked.gpuCount > 1)
        plan.assumptions.push_back(
            say("the use of the {} GPUs that is fastest for each user", *asked.gpuCount));
    if (!settled)
        plan.warnings.push_back(
            "layouts that look better in closed form were not replayed: the runs that one answer may take "
            "went to others");
}

} // namespace

Result<std::shared_ptr<SizingPlan>> findAnswer(const Scenario& asked, const BusiestLoad& load,
                                               const Catalogue& catalogue, const SearchOptions& given,
                                               const RunControl& control)
{
    const Scenario& scenario = load.scenario;
    SearchOptions options = given;
    if (!options.played)
        options.played = std::make_shared<PlayedLoads>();
    const bool asksPools = scenario.prefill.pools != Disaggregation::No;
    constexpr std::int64_t halfASecond = 12'000'000;
    const std::int64_t workOfAnAnswer = asksPools ? 2 * halfASecond : halfASecond;
    const std::int64_t keptForSafety = asksPools ? halfASecond : halfASecond / 3;
    if (!options.work)
        options.work = std::make_shared<std::int64_t>(workOfAnAnswer * 4 / 5);
    const Result<MachinesToTry> machines = machinesToTry(scenario, catalogue);
    if (!machines)
        return refuse(machines.error());
    control.progress(0.1, "search");
    // Named accelerators: every layout is worth seeing. The whole catalogue: the best of each.
    const bool prune = options.prune && machines->kinds > (scenario.gpus.empty() ? 4 : 12);
    // What shares its runs with others is planned beside them.
    const std::size_t threads = given.work ? 1 : threadsOfMachine();
    auto judged
        = judgedPlan(*machines, scenario, prune, options.onlyBest ? Depth::Verdict : Depth::Whole, threads);
    if (!judged)
        return judged;
    const std::shared_ptr<SizingPlan> plan = *std::move(judged);
    control.progress(0.3, "simulate");
    const bool settled
        = !options.simulate || simulateFinalists(plan->candidates, scenario, load.recorded, options, control);
    useAllFirst(plan->candidates, scenario);
    constexpr std::size_t mostShown = 50;
    const std::size_t shown = options.onlyBest ? 1 : mostShown;
    for (std::size_t i = 0; i < plan->candidates.size() && i < shown; ++i)
        complete(plan->candidates[i], scenario);
    tellWhole(plan->candidates.front(), load, control);
    plan->answer = plan->candidates.front();
    plan->meets = plan->answer.meets && (!options.worth || options.worth(plan->answer));
    if (options.worth && !plan->meets)
        return plan;
    const bool gamble = plan->answer.confidence < leastConfidence;
    if (!given.work) // what is safe is looked for whatever the answer took
        *options.work = std::max(keptForSafety, *options.work + workOfAnAnswer / 5);
    if (options.explain || (options.safer && (gamble || !options.onlyGambles)))
        findSafeAnswer(*plan, scenario, load.recorded, options, control,
                       poolsToBeSafe(*plan, *machines, scenario, threads));
    if (options.most || fullyLoaded(scenario)) {
        plan->mostReplayed = proveBest(*plan, scenario, options.simulate, control, given.work);
        if (options.safeUsers)
            tellSafeUsers(*plan, scenario, plan->mostReplayed, control);
    }
    describe(*plan, asked, load, *machines, catalogue, settled);
    control.progress(0.5, "explain");
    if (!plan->meets)
        plan->reason = whyNothingMeets(plan->candidates, scenario);
    return plan;
}

} // namespace headroom
