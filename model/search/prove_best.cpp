#include "model/search/prove_best.h"

#include "model/scenario/service_load.h"
#include "model/search/judge.h"
#include "model/search/proven_load.h"
#include "model/search/ranking.h"
#include "model/search/safe_answer.h"
#include "model/search/safe_confidence.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

namespace headroom {

namespace {

double workingReplicas(const Candidate& c, const Scenario& scenario)
{
    return std::max(1, c.deployment.layout.replicas - scenario.spares);
}

// What is told of a candidate is of the load that it was proven at.
void tellAt(Candidate& c, const ProvenLoad& proven, double usersOfOne, const Scenario& scenario)
{
    const int replicas = c.deployment.layout.replicas;
    const ReplicaCurve curve(c.deployment, c.machine->load);
    c.point = curve.at(usersOfOne, replicas);
    c.point.keepsUp = keepsUpOf(curve, scenario, usersOfOne, workingReplicas(c, scenario));
    tellServedLoad(c.point, scenario, replicas);
    c.load.batch = usersOfOne;
    c.confidence = proven.confidence;
    c.simulated = proven.simulated;
    tellReplayed(c.point, *c.simulated);
}

// As many as are safe in closed form.
double safeInClosedForm(const Candidate& c, const Scenario& scenario)
{
    const ReplicaCurve curve(c.deployment, c.machine->load);
    return std::floor(curve.capacity(scenario.targets, true).users * workingReplicas(c, scenario));
}

// Budget of replays where the most users are asked for. Where a load was stated they are an extra, with a
// smaller budget of its own.
std::shared_ptr<std::int64_t> workOfProofs(const Scenario& scenario)
{
    constexpr std::int64_t most = 5'000'000; // a third of a second
    return loadOf(scenario).stated() ? nullptr : std::make_shared<std::int64_t>(most);
}

// The most it carries has to stand a replay as the stated load has. True: it was proven.
bool proveMost(SizingPlan& plan, const Scenario& scenario, bool replay, const RunControl& control,
               const std::shared_ptr<std::int64_t>& work)
{
    Candidate& answer = plan.answer;
    const ServiceLoad load = loadOf(scenario);
    if (!plan.meets || scenario.batch || !scenario.targets.any() || answer.prompts || !scenario.trace.empty())
        return false;
    if (load.stated() && !answer.simulated)
        return false; // the load itself did not stand one
    const ReplicaCurve curve(answer.deployment, answer.machine->load);
    const int replicas = answer.deployment.layout.replicas;
    const double working = workingReplicas(answer, scenario);
    const double closedForm = answer.maxConcurrency;
    const bool several = load.stated() || closedForm >= 2; // one alone waits for nobody
    const std::optional<ProvenLoad> most
        = replay && several ? mostThatStands(answer, scenario, control, false, work) : std::nullopt;
    if (most && most->load.stated()) {
        const double rate = most->load.requestsPerSecond;
        const double each = rate > 0 ? usersAtRate(curve, rate / working, closedForm / replicas)
                                     : std::max(1.0, most->load.users / working);
        answer.maxConcurrency = rate > 0 ? each * working : most->load.users;
        answer.maxRequestsPerSecond = rate > 0 ? rate : most->simulated->requestsPerSecond;
        if (fullyLoaded(scenario))
            tellAt(answer, *most, each, scenario);
    } else if (most && !load.stated()) { // nobody is served in time, whatever the closed form says
        answer.meets = false;
        answer.reason = most->reason;
        plan.meets = false;
    }
    plan.candidates.front() = answer;
    return most && most->load.stated();
}

// The most that stood over that of the closed form, the highest of layouts of a kind. Of a kind that was not
// proven yet it may be as high as of some that were: of full batches most may wait for their first token
// (1.46 was seen).
class ProvenRatios {
public:
    void add(const Candidate& c, double ratio)
    {
        double& highest = m_highest[kindOf(c)];
        highest = std::max(highest, ratio);
    }
    [[nodiscard]] double mayCarry(const Candidate& c) const
    {
        constexpr double unproven = 1.5;
        const auto its = m_highest.find(kindOf(c));
        return c.maxConcurrency * (its != m_highest.end() ? its->second : unproven);
    }

private:
    [[nodiscard]] static std::pair<int, bool> kindOf(const Candidate& c)
    {
        return {c.deployment.layout.tp, c.deployment.layout.pp > 1};
    }

    std::map<std::pair<int, bool>, double> m_highest;
};

} // namespace

void useAllFirst(std::vector<Candidate>& candidates, const Scenario& scenario)
{
    // The highest throughput counts what stands idle by itself, and more users are more whatever stands idle.
    if (!scenario.gpuCount || scenario.objective == Objective::MostThroughput
        || scenario.objective == Objective::MostUsers)
        return;
    const auto misses
        = std::find_if(candidates.begin(), candidates.end(), [](const Candidate& c) { return !c.meets; });
    std::stable_partition(candidates.begin(), misses,
                          [&](const Candidate& c) { return c.gpus() >= *scenario.gpuCount; });
}

bool proveBest(SizingPlan& plan, const Scenario& scenario, bool replay, const RunControl& control,
               const std::shared_ptr<std::int64_t>& shared)
{
    constexpr int mostProven = 12;
    ProvenRatios ratios;
    // Where a load was stated the most is an extra: it takes nothing from what is shared.
    const std::shared_ptr<std::int64_t> work
        = shared && !loadOf(scenario).stated() ? shared : workOfProofs(scenario);
    const auto prove = [&] {
        const double closedForm = plan.answer.maxConcurrency;
        const bool stood = proveMost(plan, scenario, replay, control, work);
        if (stood && closedForm > 0)
            ratios.add(plan.answer, plan.answer.maxConcurrency / closedForm);
        return stood;
    };
    bool proven = prove();
    if (!fullyLoaded(scenario))
        return proven;
    std::vector<std::pair<const Resolved*, Layout>> known;
    const auto keyOf = [](const Candidate& c) { return std::pair(c.machine.get(), c.deployment.layout); };
    const auto isKnown
        = [&](const Candidate& c) { return std::find(known.begin(), known.end(), keyOf(c)) != known.end(); };
    const auto provenFirst = [&] { // what is proven before what is not
        std::stable_partition(plan.candidates.begin(), plan.candidates.end(),
                              [&](const Candidate& c) { return c.meets && isKnown(c); });
        plan.answer = plan.candidates.front();
    };
    while (proven || !plan.meets) {
        known.push_back(keyOf(plan.answer));
        plan.candidates = bestFirst(std::move(plan.candidates), scenario.objective);
        useAllFirst(plan.candidates, scenario);
        plan.answer = plan.candidates.front();
        const bool last = known.size() >= mostProven || control.stop.stop_requested();
        if (last)
            provenFirst();
        plan.meets = plan.answer.meets;
        if (last || !plan.meets)
            return plan.meets && isKnown(plan.answer);
        if (isKnown(plan.answer)) {
            // Whose closed form says too little may carry more than the best that was proven.
            const auto next
                = std::find_if(plan.candidates.begin(), plan.candidates.end(), [&](const Candidate& c) {
                      return c.meets && !c.prompts && !isKnown(c)
                          && ratios.mayCarry(c) > plan.answer.maxConcurrency;
                  });
            if (scenario.objective != Objective::MostUsers || next == plan.candidates.end())
                return true;
            std::rotate(plan.candidates.begin(), next, next + 1);
            plan.answer = plan.candidates.front();
        }
        complete(plan.answer, scenario);
        proven = prove();
    }
    if (!proven && work && *work <= 0) { // the runs were spent on the way to it
        provenFirst();
        return isKnown(plan.answer);
    }
    return proven;
}

namespace {

// Of the layouts that carry most in closed form where that is to be safe, the one that does in a replay, with
// what it carries so.
struct Safest {
    Candidate candidate;
    ProvenLoad load;
};
std::optional<Safest> safestOf(const SizingPlan& plan, const Scenario& scenario, const RunControl& control)
{
    constexpr std::size_t mostLooked = 3;
    std::vector<std::pair<double, const Candidate*>> looked{{0, &plan.answer}};
    for (const Candidate& c : plan.candidates)
        if (c.meets && !c.prompts && !sameService(c, plan.answer))
            looked.emplace_back(safeInClosedForm(c, scenario), &c);
    std::stable_sort(looked.begin() + 1, looked.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    looked.resize(std::min(looked.size(), mostLooked));
    std::optional<Safest> best;
    const std::shared_ptr<std::int64_t> work = workOfProofs(scenario);
    for (const auto& [said, candidate] : looked) {
        if (best && said <= best->load.load.users)
            break;
        std::optional<ProvenLoad> safe = mostThatStands(*candidate, scenario, control, true, work);
        if (safe && safe->load.users > (best ? best->load.load.users : 0))
            best = Safest{*candidate, *std::move(safe)};
    }
    return best;
}

// As a safe service stands before one that is a gamble, as many users as are safe stand before the most.
void preferSafeUsers(SizingPlan& plan, const Scenario& scenario, const RunControl& control)
{
    std::optional<Safest> safest = safestOf(plan, scenario, control);
    plan.safeUsers = safest ? safest->load.load.users : 0;
    if (!safest)
        return;
    Candidate safe = std::move(safest->candidate);
    Candidate mostLikely = plan.answer;
    const auto toldAt = [&](Candidate& c, const ProvenLoad& load) {
        tellAt(c, load, std::max(1.0, load.load.users / workingReplicas(c, scenario)), scenario);
    };
    if (!sameService(safe, plan.answer))
        if (const auto most = mostThatStands(safe, scenario, control, false, workOfProofs(scenario));
            most && most->load.users > 0) {
            safe.maxConcurrency = most->load.users;
            safe.maxRequestsPerSecond = most->simulated->requestsPerSecond;
            if (safe.maxConcurrency > mostLikely.maxConcurrency) { // its closed form said less
                mostLikely = safe;
                toldAt(mostLikely, *most);
            }
        }
    toldAt(safe, safest->load);
    plan.answer = std::move(safe);
    plan.mostLikely = std::move(mostLikely);
    plan.candidates.insert(plan.candidates.begin(), plan.answer);
}

} // namespace

void tellSafeUsers(SizingPlan& plan, const Scenario& scenario, bool proven, const RunControl& control)
{
    const Candidate& answer = plan.answer;
    if (!plan.meets || loadOf(scenario).stated() || scenario.batch || !scenario.targets.any()
        || answer.prompts || answer.maxConcurrency <= 0)
        return;
    if (!proven)
        plan.safeUsers = safeInClosedForm(answer, scenario);
    else if (scenario.objective == Objective::MostUsers && answer.confidence < leastConfidence)
        preferSafeUsers(plan, scenario, control);
    else if (const std::optional<ProvenLoad> safe
             = mostThatStands(answer, scenario, control, true, workOfProofs(scenario)))
        plan.safeUsers = std::min(safe->load.users, answer.maxConcurrency);
    else
        plan.safeUsers = 0;
}

UsersCarried SizingPlan::usersCarried() const
{
    UsersCarried out{.told = answer.maxConcurrency, .mostLikely = answer.maxConcurrency};
    if (mostLikely) {
        out.mostLikely = mostLikely->maxConcurrency;
        if (!sameService(*mostLikely, answer))
            out.elsewhere = &*mostLikely;
    }
    // Sure of the most nobody is but where it is the memory that says how many.
    const bool gamble = mostLikely || !fullyLoaded(scenario) || answer.confidence < leastConfidence;
    if (gamble && safeUsers && *safeUsers >= 1 && *safeUsers < out.mostLikely) {
        out.told = *safeUsers;
        out.safe = true;
    }
    return out;
}

} // namespace headroom
