#include "model/search/safe_answer.h"

#include "model/scenario/service_load.h"
#include "model/scenario/stated_load.h"
#include "model/search/finalists.h"
#include "model/search/judge.h"
#include "model/search/pools.h"
#include "model/search/ranking.h"
#include "model/search/replay_ratio.h"
#include "model/search/replays.h"
#include "model/search/replica_search.h"
#include "model/search/rivals.h"
#include "model/search/safe_confidence.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace headroom {

namespace {

constexpr std::size_t mostLayouts = 6;            // that are safe in closed form are looked at
constexpr int runsToBeSure = 160;                 // the work that they take is bounded besides
constexpr int mostForSafety = 4;                  // the replicas that the targets take
constexpr std::int64_t keptForLikely = 2'000'000; // whatever the search for the safe one took

bool fixed(const Scenario& scenario) { return scenario.replicas || scenario.gpuCount; }

// A service that is as good as sure in closed form. Fewer than `fewest` replicas miss the targets.
struct Start {
    Candidate candidate;
    int fewest = 1;
    std::optional<PoolSizes> failed{}; // smaller ones of two pools
};

// The cheapest pools that are so sure, where times are as much longer than their closed form as those of its
// replay were; where none are then, that was of fuller ones. A replay makes sure of them.
std::optional<Start> startOfPools(const Candidate& like, const Scenario& scenario, double sure)
{
    Layout layout = like.deployment.layout;
    layout.replicas = 1;
    const PromptUnit unit = unitOf(*like.prompts);
    const PoolSizes from = sizesOf(like);
    if (fixed(scenario)) {
        Candidate c = judgePools(like.machine, layout, unit, scenario, false, from);
        const bool hopeful = c.meets && c.confidence >= leastConfidence;
        return hopeful ? std::optional(Start{std::move(c), 1}) : std::nullopt;
    }
    constexpr int fewMore = 4; // of pools that are small
    const PoolSizes most{scenario.prefill.replicas ? from.prompts : from.prompts * mostForSafety + fewMore,
                         from.decodes * mostForSafety + fewMore};
    const auto sizesWith = [&](const ReplayRatio& longer) {
        Scenario harder = scenario;
        harder.targets = shrunk(harder.targets, longer);
        return surePools(like.machine, layout, unit, harder, from, most, sure);
    };
    const std::optional<ReplayRatio> longer = replayRatioOf(like);
    std::optional<PoolSizes> sizes = longer ? sizesWith(*longer) : std::nullopt;
    if (!sizes)
        sizes = sizesWith({});
    if (!sizes)
        return std::nullopt;
    Candidate c = judgePools(like.machine, layout, unit, scenario, false, *sizes);
    return c.meets ? std::optional(Start{std::move(c), 1, from}) : std::nullopt;
}

// With as many replicas as that takes in closed form, its times as much longer as its own replay's were where
// any number is enough then. `played`: with as many as it takes at least; replays say how many more.
std::optional<Start> startOf(const Candidate& like, const Scenario& scenario, const ReplicaSearch& search,
                             double sure, bool played)
{
    if (like.prompts)
        return startOfPools(like, scenario, sure);
    const int fewest = like.deployment.layout.replicas;
    const int most = fixed(scenario) ? fewest : fewest * mostForSafety;
    ReplayRatio stretch = replayRatioOf(like).value_or(ReplayRatio{});
    std::optional<int> replicas = search.enough(like, stretch, fewest, most);
    if (!replicas && played) { // it was of replicas that are fuller
        stretch = {};
        replicas = search.enough(like, stretch, fewest, most);
    }
    if (!replicas)
        return std::nullopt;
    const int least = played
        ? search.enough(like, stretch, fewest, *replicas, ReplicaSearch::AsFullAs::Emptiest)
              .value_or(*replicas)
        : *replicas;
    Candidate c = judgeWith(like, least, scenario);
    if (!c.meets)
        c = judgeWith(like, *replicas, scenario);
    return c.meets ? std::optional(Start{std::move(c), fewest}) : std::nullopt;
}

// Those with two pools or those without, best first.
std::vector<const Candidate*> layoutsOf(const std::vector<Candidate>& judged,
                                        const std::vector<Candidate>& safePools, bool pools,
                                        Objective objective)
{
    std::vector<const Candidate*> out;
    const auto add = [&](const std::vector<Candidate>& some) {
        const auto before = static_cast<std::ptrdiff_t>(out.size());
        for (const Candidate& c : some)
            if (c.prompts.has_value() == pools)
                out.push_back(&c);
        std::inplace_merge(
            out.begin(), out.begin() + before, out.end(),
            [objective](const Candidate* a, const Candidate* b) { return better(*a, *b, objective); });
    };
    add(judged);
    add(safePools);
    return out;
}

// Best first.
std::vector<Start> startsOf(const std::vector<const Candidate*>& candidates, const Scenario& scenario,
                            const ReplicaSearch& search, double sure, bool played)
{
    std::vector<Start> found;
    std::vector<std::pair<const Resolved*, Layout>> seen;
    for (const Candidate* const next : candidates) {
        const Candidate& each = *next;
        const Candidate* const toBeat = found.size() < mostLayouts ? nullptr : &found.back().candidate;
        // More replicas are no better, and what follows is no better than this.
        if (!each.meets || (toBeat != nullptr && !better(each, *toBeat, scenario.objective)))
            break;
        Layout layout = each.deployment.layout;
        layout.replicas = 1;
        const std::pair key(each.machine.get(), layout);
        if (!each.prompts && std::find(seen.begin(), seen.end(), key) != seen.end())
            continue;
        if (!each.prompts)
            seen.push_back(key);
        std::optional<Start> start = startOf(each, scenario, search, sure, played);
        if (!start)
            continue;
        const auto order = [&](const Start& a, const Start& b) {
            return better(a.candidate, b.candidate, scenario.objective);
        };
        found.insert(std::upper_bound(found.begin(), found.end(), *start, order), *std::move(start));
        if (found.size() > mostLayouts)
            found.pop_back();
    }
    return found;
}

} // namespace

bool mayBeSafer(const SizingPlan& plan, const Scenario& scenario)
{
    return plan.meets && mayMiss(scenario) && !fullyLoaded(scenario);
}

bool sameService(const Candidate& a, const Candidate& b)
{
    if (a.prompts.has_value() != b.prompts.has_value())
        return false;
    const auto same = [](const Deployment& x, const Deployment& y) {
        return x.gpu == y.gpu && x.node->id == y.node->id && x.engine->id == y.engine->id
            && x.layout == y.layout && x.weights == y.weights && x.kv == y.kv;
    };
    return same(a.deployment, b.deployment)
        && (!a.prompts || same(a.prompts->deployment, b.prompts->deployment));
}

std::optional<Candidate> safeAnswer(const SizingPlan& plan, const Scenario& scenario,
                                    const std::optional<serve::Workload>& recorded,
                                    const SearchOptions& options, const RunControl& control,
                                    const std::vector<Candidate>& safePools, double sure)
{
    if (!mayBeSafer(plan, scenario) || plan.answer.confidence >= sure)
        return std::nullopt;
    Replays replays(scenario, recorded, control, runsToBeSure, options.work, options.played, sure);
    ReplicaSearch search(replays);
    bool toBePlayed = options.simulate && trafficMatters(scenario);
    std::vector<Candidate> candidates;
    for (const bool pools : {false, true}) { // what closed forms say of one kind does not keep out the other
        for (Start& start : startsOf(layoutsOf(plan.candidates, safePools, pools, scenario.objective),
                                     scenario, search, sure, toBePlayed)) {
            if (!start.candidate.prompts)
                search.begin(start.candidate, start.fewest);
            else if (start.failed)
                search.beginPools(start.candidate, *start.failed);
            candidates.push_back(std::move(start.candidate));
        }
    }
    candidates = bestFirst(std::move(candidates), scenario.objective);
    const auto wasPlayed = [](const Candidate& c) { return c.simulated.has_value(); };
    std::optional<Rivals> rivals;
    if (toBePlayed && !options.worth)
        rivals.emplace(plan.candidates, replays, search);
    if (toBePlayed
        && testBest(candidates, replays, search,
                    rivals ? &*rivals : nullptr)) // the simulator may have no such engine or traffic
        toBePlayed = std::any_of(candidates.begin(), candidates.end(), wasPlayed);
    const auto safe = std::find_if(candidates.begin(), candidates.end(), [&](const Candidate& c) {
        return c.meets && c.confidence >= sure && (!toBePlayed || wasPlayed(c));
    });
    if (safe == candidates.end())
        return std::nullopt;
    return *safe;
}

namespace {

// Fewer GPUs stand for less money, and of two kinds they may not be: nobody gambles on what costs more.
bool costsMoreThanSafe(const Candidate& unsure, const Candidate& safe, Objective objective)
{
    return objective == Objective::FewestGpus && unsure.point.prediction.service.priceKnown
        && safe.point.prediction.service.priceKnown && better(safe, unsure, Objective::CheapestHour);
}

} // namespace

void findSafeAnswer(SizingPlan& plan, const Scenario& scenario,
                    const std::optional<serve::Workload>& recorded, const SearchOptions& options,
                    const RunControl& control, const std::vector<Candidate>& safePools)
{
    plan.safe = safeAnswer(plan, scenario, recorded, options, control, safePools);
    bool spent = options.work && *options.work <= 0;
    // The runs that its own search may take had not come to it.
    const bool isBest = plan.safe
        && (better(*plan.safe, plan.answer, scenario.objective)
            || (plan.answer.confidence < leastConfidence
                && costsMoreThanSafe(plan.answer, *plan.safe, scenario.objective)));
    const bool isInPlace = plan.safe && !isBest && plan.answer.confidence < leastConfidence;
    if (isInPlace && options.likely) {
        if (options.work)
            *options.work = std::max(keptForLikely, *options.work);
        plan.likely = safeAnswer(plan, scenario, recorded, options, control, safePools, leastConfidence);
        spent = spent || (options.work && *options.work <= 0);
        if (plan.likely
            && (!better(*plan.likely, *plan.safe, scenario.objective)
                || costsMoreThanSafe(*plan.likely, *plan.safe, scenario.objective)))
            plan.likely.reset();
        if (plan.likely && plan.likely->confidence >= safeConfidence) // its closed form was less sure
            plan.safe = *std::exchange(plan.likely, std::nullopt);
        if (plan.likely)
            complete(*plan.likely, scenario);
    }
    plan.saferSought = !spent;
    if (spent)
        plan.assumptions.push_back(say("not every safer choice was tried: {}", runsSpent()));
    if (!isBest && !isInPlace)
        return;
    complete(*plan.safe, scenario);
    if (isBest)
        plan.answer = *std::exchange(plan.safe, std::nullopt);
    else
        plan.cheapest = std::exchange(plan.answer, *plan.safe);
    plan.candidates.insert(plan.candidates.begin(), plan.answer);
}

} // namespace headroom
