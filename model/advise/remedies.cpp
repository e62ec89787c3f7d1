#include "model/advise/explain_plan.h"
#include "model/advise/well_known.h"
#include "model/base/currency.h"
#include "model/search/candidate_text.h"
#include "model/search/ranking.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <utility>

namespace headroom {

namespace {

constexpr std::size_t mostRemedies = 6;

class Remedies {
public:
    Remedies(const SizingPlan& plan, const Scenario& scenario, const Replanner& replanner)
        : m_plan(plan), m_replanner(replanner), m_base(scenario)
    {
        m_base.gpus = {plan.answer.deployment.gpu->id};
        m_given = scenario.gpus;
    }

    std::vector<Remedy> all()
    {
        engineSettings();
        types();
        shorterPrompt();
        shorterOutput();
        fewerUsers();
        lowerTargets();
        moreGpus();
        freeLayout();
        budget();
        otherGpus();
        std::stable_sort(m_found.begin(), m_found.end(),
                         [](const Remedy& a, const Remedy& b) { return a.size < b.size; });
        if (m_found.size() > mostRemedies)
            m_found.resize(mostRemedies);
        return std::move(m_found);
    }

private:
    // Kept when the changed question has an answer.
    bool offer(Scenario changed, Message change, double size)
    {
        std::optional<Candidate> answer = m_replanner.best(changed);
        if (!answer || !answer->meets)
            return false;
        Message effect = shortText(*answer);
        m_found.push_back(
            {std::move(change), std::move(effect), size, std::move(changed), *std::move(answer)});
        return true;
    }

    // A model that just fails to fit often runs once the engine takes more of the card, or reserves for
    // smaller steps: what guides tell such users to set (docs.gitlab.com, vLLM with gpt-oss-120b on one H100:
    // a share of 0.95). The first that works is enough.
    void engineSettings()
    {
        constexpr double largerShare = 0.95;
        constexpr std::int64_t smallerStep = 2048;
        const Engine& engine = *m_plan.answer.deployment.engine;
        Scenario share = m_base;
        share.memoryFraction = largerShare;
        Scenario step = m_base;
        step.maxBatchedTokens = smallerStep;
        Scenario both = share;
        both.maxBatchedTokens = smallerStep;
        const bool canShare = engine.memoryFraction < largerShare;
        const bool canStep = engine.maxBatchedTokens > smallerStep;
        const Message shareText = say("{:.0f} % of the memory for the engine", 100 * largerShare);
        const Message stepText = say("{} tokens in a step", smallerStep);
        if ((canShare && offer(std::move(share), shareText, 0.5))
            || (canStep && offer(std::move(step), stepText, 0.6)))
            return;
        if (canShare && canStep)
            offer(std::move(both), joined({shareText, stepText}, ", "), 0.8);
    }

    void types()
    {
        const Deployment& d = m_plan.answer.deployment;
        const auto runs = [](const std::vector<DType>& types, DType type) {
            return std::find(types.begin(), types.end(), type) != types.end();
        };
        Scenario kv = m_base;
        kv.kv = DType::Fp8;
        const bool halvesKv = bytesPerElement(d.kv) > 1 && runs(d.engine->kvTypes, DType::Fp8);
        const bool done = halvesKv && offer(kv, "fp8 KV cache", 1);
        for (const DType type : {DType::Fp8, DType::Int8, DType::Int4}) {
            if (bytesPerElement(type) >= bytesPerElement(d.weights) || !runs(d.engine->weightTypes, type))
                continue;
            Scenario weights = m_base;
            weights.weights = type;
            weights.compute.reset();
            const double size = bytesPerElement(type) < 1 ? 3 : 2;
            if (offer(weights, say("{} weights", asIs(name(type))), size))
                continue;
            weights.kv = DType::Fp8;
            if (halvesKv && !done)
                offer(std::move(weights), say("{} weights and fp8 KV cache", asIs(name(type))), size + 0.5);
        }
    }

    // The longest (largest, …) value that works, by bisection between what fails and what is still useful.
    void largest(double now, double least, const std::function<Scenario(double)>& with,
                 const std::function<Message(double)>& text, double size)
    {
        const auto works = [&](double value) {
            const auto best = m_replanner.best(with(value));
            return best && best->meets;
        };
        if (now <= least || !works(least))
            return;
        double low = least;
        double high = now;
        for (int i = 0; i < 12 && high - low > std::max(0.02 * low, 1e-9); ++i) {
            const double middle = (low + high) / 2;
            (works(middle) ? low : high) = middle;
        }
        // How much of it has to be given up ranks it among the others.
        offer(with(low), text(low), size + 4 * (1 - low / now));
    }

    void shorterPrompt()
    {
        const double now = m_base.prompt.mean();
        const auto with = [&](double tokens) {
            Scenario s = m_base;
            s.prompt = LengthDistribution::of(std::floor(tokens));
            return s;
        };
        largest(
            now, std::min(now, 128.0), with,
            [](double tokens) { return say("prompts of {:.0f} tokens", std::floor(tokens)); }, 2);
    }

    void shorterOutput()
    {
        if (!m_base.targets.latency)
            return;
        const double now = m_base.output.mean();
        const auto with = [&](double tokens) {
            Scenario s = m_base;
            s.output = LengthDistribution::of(std::floor(tokens));
            return s;
        };
        largest(
            now, std::min(now, 16.0), with,
            [](double tokens) { return say("answers of {:.0f} tokens", std::floor(tokens)); }, 2);
    }

    void fewerUsers()
    {
        if (m_base.concurrency && *m_base.concurrency > 1) {
            const auto with = [&](double users) {
                Scenario s = m_base;
                s.concurrency = std::floor(users);
                return s;
            };
            largest(
                *m_base.concurrency, 1, with,
                [](double users) { return say("{:.0f} users at once", std::floor(users)); }, 2);
        }
        if (m_base.requestsPerSecond) {
            const auto with = [&](double rate) {
                Scenario s = m_base;
                s.requestsPerSecond = rate;
                return s;
            };
            largest(
                *m_base.requestsPerSecond, *m_base.requestsPerSecond / 100, with,
                [](double rate) { return say("{:.3g} requests/s", rate); }, 2);
        }
    }

    // Each target by itself, then all together.
    void lowerTargets()
    {
        const Targets& t = m_base.targets;
        if (t.tokensPerSecond)
            largest(
                *t.tokensPerSecond, *t.tokensPerSecond / 50,
                [&](double tps) {
                    Scenario s = m_base;
                    s.targets.tokensPerSecond = tps;
                    return s;
                },
                [](double tps) { return say("{:.3g} tokens/s for each user", tps); }, 1.5);
        lowerTime(&Targets::ttft, "time to first token");
        lowerTime(&Targets::tpot, "time between tokens");
        lowerTime(&Targets::latency, "latency");
    }

    void lowerTime(std::optional<Seconds> Targets::*field, const Message& what)
    {
        const std::optional<Seconds> now = m_base.targets.*field;
        if (!now)
            return;
        // Bisection over the speed, the reciprocal of the time.
        largest(
            1 / now->base(), 1 / now->base() / 50,
            [&, field](double speed) {
                Scenario s = m_base;
                s.targets.*field = Seconds(1 / speed);
                return s;
            },
            [&what](double speed) { return say("{} of {:.3g} s", what, 1 / speed); }, 1.5);
    }

    void moreGpus()
    {
        if (!m_base.gpuCount)
            return;
        Scenario s = withoutLimit(m_base, Remedy::Amount::Gpus);
        s.objective = Objective::FewestGpus; // the smallest change
        const std::optional<Candidate> best = m_replanner.best(s);
        if (!best || !best->meets || best->gpus() <= *m_base.gpuCount)
            return;
        Remedy remedy = asMuchAs(*best, Remedy::Amount::Gpus, m_base);
        // Whole boxes are there then: all of them are used.
        if (offer(std::move(remedy.scenario), std::move(remedy.change), remedy.size))
            m_found.back().amount = Remedy::Amount::Gpus;
    }

    void freeLayout()
    {
        if (!m_base.tp && !m_base.pp && !m_base.ep && !m_base.dp && !m_base.replicas)
            return;
        Scenario s = m_base;
        s.tp.reset();
        s.pp.reset();
        s.ep.reset();
        s.dp.reset();
        s.replicas.reset();
        offer(std::move(s), "another layout", 1.2);
    }

    // The smallest budget that would do. Of GPUs whose number was stated all are paid.
    void budget()
    {
        if (m_base.money.budgetPerHour)
            offerAmount(Remedy::Amount::HourlyBudget, Objective::CheapestHour);
        if (m_base.money.purchaseBudget)
            offerAmount(Remedy::Amount::PurchaseBudget, Objective::FewestGpus); // of one accelerator
    }

    void offerAmount(Remedy::Amount amount, Objective smallest)
    {
        Scenario s = withoutLimit(m_base, amount);
        if (!s.gpuCount)
            s.objective = smallest;
        const auto best = m_replanner.best(s);
        if (!best || !best->meets)
            return;
        const bool known = amount == Remedy::Amount::HourlyBudget ? best->point.prediction.service.priceKnown
                                                                  : purchaseOf(*best).has_value();
        if (known)
            m_found.push_back(asMuchAs(*best, amount, m_base));
    }

    // Well-known accelerators with more memory or bandwidth than the one asked for.
    void otherGpus()
    {
        if (m_given.empty())
            return;
        std::optional<Remedy> best;
        for (const char* const id : wellKnownAccelerators) {
            if (std::find(m_given.begin(), m_given.end(), id) != m_given.end())
                continue;
            Scenario s = m_base;
            s.gpus = {id};
            s.node.clear();
            std::optional<Candidate> answer = m_replanner.best(s);
            if (!answer || !answer->meets)
                continue;
            if (!best || better(*answer, best->answer, s.objective))
                best = Remedy{say("{} instead", answer->deployment.gpu->name), shortText(*answer), 4,
                              std::move(s), *std::move(answer)};
        }
        if (best)
            m_found.push_back(*std::move(best));
    }

    const SizingPlan& m_plan;
    const Replanner& m_replanner;
    Scenario m_base;
    std::vector<std::string> m_given;
    std::vector<Remedy> m_found;
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
        break;
    case Remedy::Amount::None:
        break;
    }
    return scenario;
}

Remedy asMuchAs(const Candidate& answer, Remedy::Amount amount, const Scenario& asked)
{
    Remedy remedy{
        .change = {}, .effect = shortText(answer), .scenario = asked, .answer = answer, .amount = amount};
    Money& money = remedy.scenario.money;
    double ratio = 1;
    switch (amount) {
    case Remedy::Amount::HourlyBudget: {
        const double needed = perHour(answer.point.prediction.service.price);
        ratio = needed / asked.money.budgetPerHour.value_or(needed);
        money.budgetPerHour = std::ceil(needed * 100) / 100;
        remedy.change = say("a budget of {} an hour", amountText(*money.budgetPerHour));
        break;
    }
    case Remedy::Amount::PurchaseBudget: {
        const Dollars needed = purchaseOf(answer).value_or(Dollars());
        ratio = needed / asked.money.purchaseBudget.value_or(needed);
        money.purchaseBudget = needed;
        money.buy = true; // as the budget said
        remedy.change = say("a budget of {} to buy", amountText(needed.base()));
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

std::vector<Remedy> remediesFor(const SizingPlan& plan, const Scenario& scenario, const Replanner& replanner)
{
    if (plan.meets)
        return {};
    return Remedies(plan, scenario, replanner).all();
}

} // namespace headroom
