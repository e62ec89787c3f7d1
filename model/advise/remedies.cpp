#include "model/advise/explain_plan.h"
#include "model/advise/ways_out.h"
#include "model/base/currency.h"
#include "model/scenario/service_load.h"
#include "model/search/candidate_text.h"
#include "model/search/finalists.h"
#include "model/search/pools.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace headroom {

namespace {

constexpr std::size_t mostRemedies = 6;
constexpr std::size_t enough = 3;            // that stood a replay
constexpr std::size_t mostPlannedAnew = 100; // layouts
constexpr int runsOfARemedy = 64;            // that is planned anew
constexpr std::int64_t workOfRemedies
    = 9'000'000; // of replays for all of them: there is no safer answer, nor a hint
constexpr std::int64_t workOfOne = workOfRemedies / 3;
constexpr std::array lessAndLess{0.9, 0.75, 0.55}; // of what the closed form leaves of the question

// What holds in closed form has to stand the traffic too, where the answer had to.
class Proof {
public:
    // `layouts` were judged for the question as it was asked.
    Proof(const Scenario& asked, std::size_t layouts, const Catalogue& catalogue, const RunControl& control)
        : m_asked(asked), m_layouts(layouts), m_catalogue(catalogue), m_control(control)
    {}

    [[nodiscard]] static bool needed(const WayOut& way)
    {
        return trafficMatters(way.remedy.scenario) || fullyLoaded(way.remedy.scenario);
    }

    // None may spend what the others need.
    [[nodiscard]] std::optional<Remedy> of(const WayOut& way)
    {
        const auto left = std::exchange(m_work, std::make_shared<std::int64_t>(std::min(*m_work, workOfOne)));
        const std::int64_t given = *m_work;
        std::optional<Remedy> stood = ofThat(way);
        m_allOfOne = m_allOfOne && *m_work > 0;
        *left -= given - *m_work;
        m_work = left;
        return stood;
    }

    [[nodiscard]] bool exhausted() const { return *m_work <= 0; }
    // No way was given up because its own part was spent.
    [[nodiscard]] bool allOfOne() const { return m_allOfOne; }

private:
    [[nodiscard]] std::optional<Remedy> ofThat(const WayOut& way) const
    {
        if (way.remedy.amount != Remedy::Amount::None)
            return asMuchAsStands(way.remedy);
        std::optional<Remedy> stood = played(way.remedy);
        if (!way.less)
            return stood;
        for (const double share : lessAndLess) {
            if (stood || exhausted())
                break;
            if (const std::optional<Remedy> less = way.less(share))
                stood = played(*less);
        }
        return stood;
    }

    [[nodiscard]] std::optional<Remedy> played(Remedy remedy) const
    {
        // Of many layouts the best in closed form alone is played where it stands.
        if (m_layouts > mostPlannedAnew && !fullyLoaded(remedy.scenario))
            remedy.answer = simulated(remedy.answer, remedy.scenario, m_control, m_work);
        if (m_layouts <= mostPlannedAnew || fullyLoaded(remedy.scenario) || !remedy.answer.meets
            || !remedy.answer.simulated) {
            auto plan = planned(remedy.scenario, runsOfARemedy);
            if (!plan)
                return std::nullopt;
            remedy.answer = std::move(plan->answer);
        }
        remedy.effect = effectText(remedy.answer, remedy.scenario);
        return remedy;
    }

    // The same question with no limit, and how much its answer takes.
    [[nodiscard]] std::optional<Remedy> asMuchAsStands(const Remedy& remedy) const
    {
        Scenario asked = m_asked;
        asked.gpus = remedy.scenario.gpus;
        Scenario open = withoutLimit(asked, remedy.amount);
        if (!open.gpuCount)
            open.objective = remedy.amount == Remedy::Amount::HourlyBudget ? Objective::CheapestHour
                                                                           : Objective::FewestGpus;
        const auto plan = planned(open, SearchOptions{}.mostRuns);
        return plan ? std::optional(asMuchAs(plan->answer, remedy.amount, asked)) : std::nullopt;
    }

    [[nodiscard]] std::optional<SizingPlan> planned(const Scenario& changed, int runs) const
    {
        Result<BusiestLoad> load = decidingLoad(changed, {}); // a trace was made a rate before
        if (!load)
            return std::nullopt;
        load->scenario.targets
            = changed.targets; // those that are assumed did not hold the question up either
        const SearchOptions options{.onlyBest = true, .explain = false, .mostRuns = runs, .work = m_work};
        const auto plan = findAnswer(changed, *load, m_catalogue, options, m_control);
        return plan && (*plan)->meets ? std::optional(**plan) : std::nullopt;
    }

    const Scenario& m_asked;
    std::size_t m_layouts;
    const Catalogue& m_catalogue;
    const RunControl& m_control;
    std::shared_ptr<std::int64_t> m_work = std::make_shared<std::int64_t>(workOfRemedies);
    bool m_allOfOne = true;
};

} // namespace

Scenario withoutLimit(Scenario scenario, Remedy::Amount amount)
{
    switch (amount) {
    case Remedy::Amount::HourlyBudget:
        scenario.money.budgetPerHour.reset();
        break;
    case Remedy::Amount::PurchaseBudget:
        scenario.money.purchaseBudget.reset();
        scenario.money.buy = true; // as the budget said
        break;
    case Remedy::Amount::Gpus:
        scenario.gpuCount.reset();
        scenario.headroom = 0; // of a stated number nothing is kept free
        break;
    case Remedy::Amount::None:
        break;
    }
    return scenario;
}

Remedy asMuchAs(const Candidate& answer, Remedy::Amount amount, const Scenario& asked)
{
    Remedy remedy{.change = {},
                  .effect = effectText(answer, asked),
                  .scenario = asked,
                  .answer = answer,
                  .amount = amount};
    Money& money = remedy.scenario.money;
    double ratio = 1;
    switch (amount) {
    case Remedy::Amount::HourlyBudget: {
        const double needed = perHour(answer.point.prediction.service.price);
        ratio = needed / asked.money.budgetPerHour.value_or(needed);
        money.budgetPerHour = toldAbove(needed);
        remedy.change = say("a budget of {} an hour", amountText(*money.budgetPerHour));
        break;
    }
    case Remedy::Amount::PurchaseBudget: {
        const Dollars needed = purchaseOf(answer).value_or(Dollars());
        ratio = needed / asked.money.purchaseBudget.value_or(needed);
        money.purchaseBudget = Dollars(toldAbove(needed.base()));
        money.buy = true; // as the budget said
        remedy.change = say("a budget of {} to buy", amountText(money.purchaseBudget->base()));
        break;
    }
    case Remedy::Amount::Gpus: {
        const int stated = asked.gpuCount.value_or(answer.gpus());
        ratio = double(answer.gpus()) / stated;
        remedy.scenario.gpuCount = answer.gpus();
        remedy.change = say("{} GPUs instead of {}", answer.gpus(), stated);
        break;
    }
    case Remedy::Amount::None:
        break;
    }
    remedy.size = 1 + ratio;
    return remedy;
}

FoundRemedies remediesFor(const SizingPlan& plan, const Scenario& scenario, const Catalogue& catalogue,
                          const Replanner& replanner, bool simulate, const RunControl& control)
{
    FoundRemedies out;
    if (plan.meets)
        return out;
    std::vector<Remedy>& kept = out.remedies;
    Proof proof(scenario, plan.evaluated, catalogue, control);
    for (const WayOut& way : waysOut(plan, scenario, replanner)) {
        if (kept.size() == mostRemedies || control.stop.stop_requested())
            break;
        // Two searches may offer the same change, such as another accelerator at the targets as asked.
        const std::string change = way.remedy.change.english();
        if (std::any_of(kept.begin(), kept.end(),
                        [&](const Remedy& other) { return other.change.english() == change; }))
            continue;
        const bool limited = way.remedy.amount != Remedy::Amount::None;
        if (!simulate || !Proof::needed(way)) {
            kept.push_back(way.remedy);
        } else if (kept.size() < enough || limited) {
            out.all = out.all && !proof.exhausted();
            if (proof.exhausted())
                continue;
            if (std::optional<Remedy> stood = proof.of(way))
                kept.push_back(*std::move(stood));
        }
    }
    out.all = out.all && (kept.size() >= enough || proof.allOfOne());
    return out;
}

} // namespace headroom
