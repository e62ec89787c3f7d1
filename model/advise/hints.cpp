#include "model/advise/hints.h"

#include "model/advise/changes_to_try.h"
#include "model/advise/choices.h"
#include "model/base/at_once.h"
#include "model/resolve/money.h"
#include "model/scenario/service_load.h"
#include "model/search/candidate_text.h"
#include "model/search/finalists.h"
#include "model/search/judge.h"
#include "model/search/ranking.h"
#include "model/search/safe_confidence.h"

#include <algorithm>
#include <cstdint>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>

namespace headroom {

namespace {

constexpr double worthAHint = 0.25;     // a quarter
constexpr double nearly = 0.8;          // of it in closed form may become one
constexpr double alike = 0.05;          // two confidences
constexpr std::size_t mostHints = 4;    // that a reader weighs
constexpr std::size_t mostPlanned = 7;  // changes
constexpr std::size_t mostMachines = 2; // other accelerators
constexpr int runsOfAHint = 64;
constexpr std::size_t atOnce = 2;                // changes that are planned beside one another
constexpr std::int64_t workOfHints = 12'000'000; // of replays for all of them
constexpr std::int64_t mostOfOne = workOfHints / 3;

bool sameGpus(const Candidate& a, const Candidate& b)
{
    const auto prompts
        = [](const Candidate& c) { return c.prompts ? c.prompts->deployment.gpu : c.deployment.gpu; };
    return a.deployment.gpu == b.deployment.gpu && prompts(a) == prompts(b);
}

// Share of what `b` costs that `a` saves; none where they cannot be compared.
std::optional<double> savedBy(const Candidate& a, const Candidate& b, Objective objective)
{
    const Service& left = a.point.prediction.service;
    const Service& right = b.point.prediction.service;
    if (left.priceKnown && right.priceKnown && objective == Objective::CheapestTokens)
        return 1 - left.dollarsPerMillionOutputTokens.value / right.dollarsPerMillionOutputTokens.value;
    if (left.priceKnown && right.priceKnown)
        return 1 - left.price / right.price;
    return sameGpus(a, b) ? std::optional(1 - double(a.gpus()) / b.gpus()) : std::nullopt;
}

// What a machine is asked to do as much of as it can.
double carriedBy(const Candidate& c, const Scenario& scenario)
{
    return scenario.objective == Objective::MostThroughput
        ? c.point.prediction.service.outputTokensPerSecond.value.base()
        : c.maxConcurrency;
}

// What is compared where as much as machines carry is asked: the most of both, however sure.
const Candidate& mostOf(const SizingPlan& plan) { return plan.mostLikely ? *plan.mostLikely : plan.answer; }

class Hints {
public:
    Hints(const SizingPlan& plan, const Scenario& scenario, const Catalogue& catalogue,
          const Replanner& replanner, const RunControl& control)
        : m_plan(plan),
          m_scenario(scenario),
          m_catalogue(catalogue),
          m_replanner(replanner),
          m_control(control),
          m_asMuch(scenario.gpuCount || fullyLoaded(scenario))
    {}

    FoundHints all()
    {
        FoundHints out;
        std::vector<Hint>& found = out.hints;
        for (Planned& each : plannedAtOnce(worthPlanning())) {
            out.all = out.all && each.whole;
            if (each.hint && beatsItsKind(*each.hint, found))
                found.push_back(*std::move(each.hint));
        }
        std::stable_sort(found.begin(), found.end(),
                         [](const Hint& a, const Hint& b) { return worth(a) > worth(b); });
        if (found.size() > mostHints)
            found.resize(mostHints);
        return out;
    }

private:
    // As a share of what is paid for the same.
    [[nodiscard]] static double worth(const Hint& hint)
    {
        return hint.saved > 0 ? hint.saved : hint.more / (1 + hint.more);
    }

    // Of two changes of the same kind the larger has to be worth another quarter.
    [[nodiscard]] static bool beatsItsKind(const Hint& hint, const std::vector<Hint>& found)
    {
        return hint.kind == Hint::Kind::Target
            || std::all_of(found.begin(), found.end(), [&](const Hint& other) {
                   return other.kind != hint.kind || 1 - worth(hint) <= (1 - worth(other)) * (1 - worthAHint);
               });
    }

    // What may be worth a hint in closed form, which knows no queues: where even so it saves too little, no
    // replay will save more. Of many the most promising, in their order.
    [[nodiscard]] std::vector<TriedChange> worthPlanning() const
    {
        std::vector<std::pair<double, TriedChange>> promising;
        std::vector<TriedChange> tried = changesOf(m_plan, m_scenario);
        std::vector<double> promises(tried.size());
        forEachAtOnce(tried.size(), atOnce,
                      [&](std::size_t i) { promises[i] = promised(tried[i].scenario); });
        for (std::size_t i = 0; i < tried.size(); ++i)
            if (promises[i] >= worthAHint * nearly)
                promising.emplace_back(promises[i], std::move(tried[i]));
        std::vector<double> gains;
        std::vector<double> ofMachines;
        for (const auto& [gain, change] : promising)
            (change.kind == Hint::Kind::Machine ? ofMachines : gains).push_back(gain);
        const auto least = [](std::vector<double>& all, std::size_t most) {
            std::sort(all.begin(), all.end(), std::greater<>());
            return all.size() > most ? all[most - 1] : 0;
        };
        const double leastGain = least(gains, mostPlanned);
        const double leastOfMachines = least(ofMachines, mostMachines);
        std::erase_if(promising, [&](const auto& each) {
            return each.first < (each.second.kind == Hint::Kind::Machine ? leastOfMachines : leastGain);
        });
        // By turns one of each kind, so that runs are spent on all of them: kinds by what the best of them
        // promises, the smaller change first in each.
        std::map<Hint::Kind, std::vector<std::pair<double, TriedChange>>> ofKind;
        for (auto& each : promising)
            ofKind[each.second.kind].push_back(std::move(each));
        std::vector<std::pair<double, std::vector<std::pair<double, TriedChange>>>> kinds;
        for (auto& [kind, changes] : ofKind) {
            const double most
                = std::max_element(changes.begin(), changes.end(), [](const auto& a, const auto& b) {
                      return a.first < b.first;
                  })->first;
            kinds.emplace_back(most, std::move(changes));
        }
        std::stable_sort(kinds.begin(), kinds.end(),
                         [](const auto& a, const auto& b) { return a.first > b.first; });
        std::vector<TriedChange> out;
        for (std::size_t turn = 0; out.size() < promising.size(); ++turn)
            for (auto& [most, changes] : kinds)
                if (turn < changes.size())
                    out.push_back(std::move(changes[turn].second));
        return out;
    }

    [[nodiscard]] double promised(const Scenario& changed) const
    {
        std::optional<Candidate> best = m_replanner.best(changed);
        if (!best || !best->meets)
            return 0;
        if (!m_asMuch)
            return savedBy(*best, m_plan.answer, m_scenario.objective).value_or(0);
        complete(*best, changed);
        return carriedBy(*best, m_scenario) / std::max(1.0, carriedBy(mostOf(m_plan), m_scenario)) - 1;
    }

    [[nodiscard]] bool asSure(const Candidate& a, const Candidate& b) const
    {
        return a.confidence + alike >= std::min(b.confidence, leastConfidence);
    }

    // A first token that nobody promised a time for, not even the change, may not come much later all the
    // same.
    [[nodiscard]] static bool keepsWaiting(const Candidate& c, const Candidate& peer, const Targets& promised)
    {
        const auto first
            = [](const Candidate& of) { return of.simulated ? of.simulated->ttft : of.point.ttft.value; };
        return !promised.ttft && !promised.latency && first(c) > Seconds(1) && first(c) > first(peer) * 2;
    }

    // What the change has to beat of those that the answer offers: the cheapest that is as sure as the
    // change.
    [[nodiscard]] const Candidate* peerOf(const Candidate& c) const
    {
        const Candidate& most = mostOf(m_plan);
        for (const std::optional<Candidate>* const offered : {&m_plan.cheapest, &m_plan.likely})
            if (*offered && c.confidence <= (*offered)->confidence + alike)
                return asSure(c, **offered) ? &**offered : nullptr;
        return asSure(c, most) ? &most : nullptr;
    }

    struct Planned {
        std::optional<Hint> hint;
        bool whole = false; // or the runs were spent before it, or on the way
    };
    // The changes in turns, each turn with its share of the runs, of which one change may spend so much that
    // it does not starve the others.
    [[nodiscard]] std::vector<Planned> plannedAtOnce(const std::vector<TriedChange>& changes) const
    {
        std::vector<Planned> all(changes.size());
        forEachAtOnce(atOnce, atOnce, [&](std::size_t turn) {
            std::int64_t left = workOfHints / static_cast<std::int64_t>(atOnce);
            for (std::size_t i = turn; i < changes.size() && left > 0 && !m_control.stop.stop_requested();
                 i += atOnce) {
                const std::int64_t given = std::min(left, mostOfOne);
                const auto work = std::make_shared<std::int64_t>(given);
                all[i].hint = planned(changes[i], work);
                all[i].whole = *work > 0;
                left -= given - *work;
            }
        });
        return all;
    }
    [[nodiscard]] std::optional<Hint> planned(const TriedChange& change,
                                              const std::shared_ptr<std::int64_t>& work) const
    {
        const Result<BusiestLoad> load = decidingLoad(change.scenario, {}); // a trace was made a rate before
        if (!load)
            return std::nullopt;
        SearchOptions options{.explain = false,
                              .safer = true,
                              .onlyGambles = true,
                              .likely = false,
                              .most = m_asMuch,
                              .safeUsers = false,
                              .mostRuns = runsOfAHint,
                              .work = work};
        if (!m_asMuch)
            options.worth = [this](const Candidate& c) {
                return savedBy(c, m_plan.answer, m_scenario.objective).value_or(0) >= worthAHint;
            };
        const auto plan = findAnswer(change.scenario, *load, m_catalogue, options, m_control);
        if (!plan || !(*plan)->meets)
            return std::nullopt;
        // The safe one against the safe one, else what costs least against what costs least.
        std::optional<Hint> hint = held(mostOf(**plan), change, (*plan)->mostReplayed);
        if (!hint && (*plan)->cheapest)
            hint = held(*(*plan)->cheapest, change, (*plan)->mostReplayed);
        return hint;
    }

    [[nodiscard]] std::optional<Hint> held(const Candidate& answer, const TriedChange& change,
                                           bool mostReplayed) const
    {
        const Candidate* const peer = peerOf(answer);
        const bool replayed = m_asMuch ? mostReplayed && m_plan.mostReplayed
                                       : answer.simulated || !trafficMatters(change.scenario);
        if (peer == nullptr || !replayed || keepsWaiting(answer, *peer, change.scenario.targets))
            return std::nullopt;
        Hint hint{.kind = change.kind,
                  .change = change.kind == Hint::Kind::Machine
                      ? say("{} instead", answer.deployment.gpu->name)
                      : change.change,
                  .flags = change.flags,
                  .scenario = change.scenario,
                  .answer = answer,
                  .instead = *peer};
        if (change.kind == Hint::Kind::Settings)
            hint.change
                = say("{} tokens in a step and {} sequences at once",
                      answer.deployment.engine->maxBatchedTokens, answer.deployment.engine->maxSequences);
        if (m_asMuch) {
            const double before = carriedBy(*peer, m_scenario);
            hint.more = before > 0 ? carriedBy(answer, m_scenario) / before - 1 : 0;
            const std::optional<double> saved = savedBy(answer, *peer, Objective::CheapestHour);
            if (!saved || *saved < -1e-9 || hint.more < worthAHint)
                return std::nullopt;
        } else {
            hint.saved = savedBy(answer, *peer, m_scenario.objective).value_or(0);
            if (hint.saved < worthAHint)
                return std::nullopt;
        }
        return hint;
    }

    const SizingPlan& m_plan;
    const Scenario& m_scenario;
    const Catalogue& m_catalogue;
    const Replanner& m_replanner;
    const RunControl& m_control;
    bool m_asMuch; // as much as the machines can carry is looked for, and not how few of them
};

} // namespace

FoundHints hintsFor(const SizingPlan& plan, const Scenario& scenario, const Catalogue& catalogue,
                    const Replanner& replanner, const RunControl& control)
{
    // What a trace brings is not what the rate of its busiest part does: both would have to be played.
    if (!plan.meets || !plan.scenario.trace.empty() || scenario.batch
        || scenario.objective == Objective::LeastEnergy)
        return {};
    return Hints(plan, scenario, catalogue, replanner, control).all();
}

std::string_view hintKey(Hint::Kind kind)
{
    switch (kind) {
    case Hint::Kind::Pools:
        return "pools";
    case Hint::Kind::Types:
        return "types";
    case Hint::Kind::Drafts:
        return "drafts";
    case Hint::Kind::Settings:
        return "settings";
    case Hint::Kind::Target:
        return "target";
    case Hint::Kind::Machine:
        return "machine";
    }
    return {};
}

} // namespace headroom
