#include "model/advise/ways_out.h"

#include "model/advise/changed_answers.h"
#include "model/advise/less_asked.h"
#include "model/advise/narrower_types.h"
#include "model/advise/plain_changes.h"
#include "model/advise/usual_changes.h"
#include "model/advise/well_known.h"
#include "model/base/at_once.h"
#include "model/search/candidate_text.h"
#include "model/search/ranking.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>

namespace headroom {

namespace {

constexpr std::size_t enoughWays = 4; // before two changes at once are tried

class WaysOut {
public:
    WaysOut(const SizingPlan& plan, const Scenario& scenario, const Replanner& replanner)
        : m_plan(plan), m_answers(replanner, *plan.answer.deployment.llm), m_base(scenario)
    {
        m_base.gpus = {plan.answer.deployment.gpu->id};
        m_given = scenario.gpus;
    }

    std::vector<WayOut> all()
    {
        constexpr std::array kinds{&WaysOut::engineSettings, &WaysOut::types,          &WaysOut::plain,
                                   &WaysOut::lessWorkOf,     &WaysOut::lowerTargetsOf, &WaysOut::moreGpus,
                                   &WaysOut::budget,         &WaysOut::otherGpus};
        std::vector<WaysOut> each(kinds.size(), *this);
        forEachAtOnce(kinds.size(), threadsOfMachine(), [&](std::size_t i) { (each[i].*kinds[i])(); });
        for (WaysOut& kind : each)
            std::move(kind.m_found.begin(), kind.m_found.end(), std::back_inserter(m_found));
        if (m_found.size() < enoughWays)
            lowerTargetsElsewhere();
        std::stable_sort(m_found.begin(), m_found.end(),
                         [](const WayOut& a, const WayOut& b) { return a.remedy.size < b.remedy.size; });
        return std::move(m_found);
    }

private:
    [[nodiscard]] const Deployment& answer() const { return m_plan.answer.deployment; }

    [[nodiscard]] std::optional<Candidate> bestOf(const Scenario& changed) const
    {
        return m_answers.best(changed);
    }

    // Kept when the changed question has an answer.
    bool offer(Scenario changed, Message change, double size)
    {
        std::optional<Remedy> remedy = m_answers.remedy(std::move(changed), std::move(change), size);
        if (remedy)
            m_found.push_back({*std::move(remedy), {}});
        return remedy.has_value();
    }

    // A model that just fails to fit often runs once the engine takes more of the card, or reserves for
    // smaller steps: what guides tell such users to set (docs.gitlab.com, vLLM with gpt-oss-120b on one H100:
    // a share of 0.95). The first that works is enough.
    void engineSettings()
    {
        constexpr double largerShare = 0.95;
        constexpr std::int64_t smallerStep = 2048;
        const Engine& engine = *answer().engine;
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

    [[nodiscard]] std::optional<DType> usualNarrowest() const
    {
        return headroom::usualNarrowest(*answer().engine, answer().weights);
    }

    [[nodiscard]] static Scenario withWeights(Scenario s, DType type)
    {
        s.weights = type;
        s.compute.reset();
        return s;
    }

    // Where no accelerator was named, the one that comes nearest now need not be the one that does it then.
    bool offerOnAny(Scenario changed, Message change, double size)
    {
        if (m_given.empty()) {
            changed.gpus.clear();
            if (const std::optional<Candidate> found = bestOf(changed))
                changed.gpus = {found->deployment.gpu->id};
            else
                return false;
        }
        return offer(std::move(changed), std::move(change), size);
    }

    void types()
    {
        const Deployment& d = answer();
        Scenario kv = m_base;
        kv.kv = DType::Fp8;
        const auto& kvTypes = d.engine->kvTypes;
        const bool halvesKv = bytesPerElement(d.kv) > 1
            && std::find(kvTypes.begin(), kvTypes.end(), DType::Fp8) != kvTypes.end();
        const bool done = halvesKv && offerOnAny(kv, "fp8 KV cache", 1);
        for (const DType type : narrowerWeights(*d.engine, d.weights)) {
            Scenario weights = withWeights(m_base, type);
            const double size = bytesPerElement(type) < 1 ? 3 : 2;
            if (offerOnAny(weights, say("{} weights", asIs(name(type))), size)) {
                if (isGgufFile(type)) // many, each little narrower than the one before
                    return;
                continue;
            }
            weights.kv = DType::Fp8;
            if (halvesKv && !done)
                offerOnAny(std::move(weights), say("{} weights and fp8 KV cache", asIs(name(type))),
                           size + 0.5);
        }
    }

    void plain()
    {
        const std::vector<PlainChange> changes = plainChanges(m_base, answer());
        std::vector<std::optional<Remedy>> found(changes.size());
        forEachAtOnce(changes.size(), threadsOfMachine(), [&](std::size_t i) {
            found[i] = m_answers.remedy(changes[i].scenario, changes[i].change, changes[i].size);
        });
        for (std::optional<Remedy>& remedy : found)
            if (remedy)
                m_found.push_back({*std::move(remedy), {}});
    }

    // The longest (largest, …) value that works, by bisection between what fails and what is still useful.
    [[nodiscard]] std::optional<WayOut> largest(const LessAsked& part) const
    {
        const auto works = [&](double value) { return bestOf(part.with(value)).has_value(); };
        if (part.now <= part.least || !works(part.least))
            return std::nullopt;
        double low = works(part.now) ? part.now : part.least; // it may be less than was asked already
        double high = part.now;
        for (int i = 0; i < 8 && high - low > std::max(0.03 * low, 1e-9); ++i) {
            const double middle = (low + high) / 2;
            (works(middle) ? low : high) = middle;
        }
        low = lessAtEdge(part, low);
        // How much of it has to be given up ranks it among the others.
        const auto with = [answers = m_answers, part](double value) {
            return answers.remedy(part.with(value), part.text(value), part.size + 4 * (1 - value / part.now));
        };
        std::optional<Remedy> remedy = with(low);
        if (!remedy)
            return std::nullopt;
        return WayOut{*std::move(remedy), [with, low, least = part.least](double share) {
                          return low * share > least ? with(low * share) : std::nullopt;
                      }};
    }

    // The most that is possible at all may take a whole fleet where the next usual step takes a box or two.
    [[nodiscard]] double lessAtEdge(const LessAsked& part, double most) const
    {
        constexpr int timesFewer = 2;
        const auto usual = part.usual ? part.usual(most) : std::nullopt;
        if (!usual || *usual < part.least || m_base.gpuCount || m_base.replicas)
            return most;
        const std::optional<Candidate> there = bestOf(part.with(most));
        const std::optional<Candidate> easier = bestOf(part.with(*usual));
        return there && easier && easier->gpus() * timesFewer <= there->gpus() ? *usual : most;
    }

    // Beyond what the model was made for a prompt is too long however many GPUs there are.
    void lessWorkOf()
    {
        largestOf(lessWork(m_base, std::floor(m_answers.mostTokens() - m_base.output.quantile(0.99))));
    }
    void lowerTargetsOf() { largestOf(lowerTargets(m_base, {}, 1.5)); }

    void largestOf(const std::vector<LessAsked>& parts)
    {
        std::vector<std::optional<WayOut>> found(parts.size());
        forEachAtOnce(parts.size(), threadsOfMachine(), [&](std::size_t i) { found[i] = largest(parts[i]); });
        for (std::optional<WayOut>& way : found)
            if (way)
                m_found.push_back(*std::move(way));
    }

    // Where little else helps: how near the narrowest weights come to it, and another accelerator.
    void lowerTargetsElsewhere()
    {
        if (const auto type = usualNarrowest(); !m_base.weights && type)
            largestOf(lowerTargets(withWeights(m_base, *type), say("{} weights", asIs(name(*type))), 2.5));
        if (m_given.empty())
            return;
        // The newest of them first; one that comes nearer is enough.
        const std::size_t before = m_found.size();
        for (auto id = wellKnownAccelerators.rbegin(); id != wellKnownAccelerators.rend(); ++id) {
            const Scenario s = onOther(*id);
            if (m_found.size() == before && std::find(m_given.begin(), m_given.end(), *id) == m_given.end())
                largestOf(lowerTargets(s, say("{} instead", nameOf(s, *id)), 4));
        }
    }

    [[nodiscard]] std::string nameOf(const Scenario& s, const char* id) const
    {
        Scenario any = s;
        any.targets = {};
        const std::optional<Candidate> best = m_answers.best(any);
        return best ? best->deployment.gpu->name : id;
    }

    void moreGpus()
    {
        if (!m_base.gpuCount)
            return;
        Scenario s = withoutLimit(m_base, Remedy::Amount::Gpus);
        s.objective = Objective::FewestGpus; // the smallest change
        const std::optional<Candidate> best = bestOf(s);
        if (best && best->gpus() > *m_base.gpuCount) {
            Remedy remedy = asMuchAs(*best, Remedy::Amount::Gpus, m_base);
            // Whole boxes are there then: all of them are used.
            if (offer(std::move(remedy.scenario), std::move(remedy.change), remedy.size))
                m_found.back().remedy.amount = Remedy::Amount::Gpus;
        }
        const std::optional<DType> narrowest = usualNarrowest();
        if (m_base.weights || !narrowest)
            return;
        const DType type = *narrowest;
        const std::optional<Candidate> narrow = bestOf(withWeights(s, type));
        if (!narrow || narrow->gpus() <= *m_base.gpuCount || (best && narrow->gpus() >= best->gpus()))
            return;
        Scenario fewer = withWeights(m_base, type);
        fewer.gpuCount = narrow->gpus();
        offer(std::move(fewer),
              say("{} weights, {} GPUs instead of {}", asIs(name(type)), narrow->gpus(), *m_base.gpuCount),
              2 + double(narrow->gpus()) / *m_base.gpuCount);
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
        const std::optional<Candidate> best = bestOf(s);
        if (!best)
            return;
        const bool known = amount == Remedy::Amount::HourlyBudget ? best->point.prediction.service.priceKnown
                                                                  : purchaseOf(*best).has_value();
        if (known)
            m_found.push_back({asMuchAs(*best, amount, m_base), {}});
    }

    // A price, a box or a layout that was stated is not another accelerator's.
    [[nodiscard]] Scenario onOther(const char* id) const
    {
        Scenario s = m_base;
        s.gpus = {id};
        s.node.clear();
        s.gpusPerBox.reset();
        s.money.gpuPrice.reset();
        s.money.purchasePrice.reset();
        s.money.serverPrice.reset();
        return s;
    }

    // Well-known accelerators: as many as were stated, as many as it takes, with narrower weights.
    void otherGpus()
    {
        if (m_given.empty())
            return;
        std::optional<Remedy> best;
        for (const char* const id : wellKnownAccelerators) {
            if (std::find(m_given.begin(), m_given.end(), id) != m_given.end())
                continue;
            Scenario s = onOther(id);
            for (int given = 0; given < 4; ++given) {
                if (given == 1) {
                    if (!s.gpuCount)
                        continue;
                    s.gpuCount.reset();
                    s.objective = Objective::FewestGpus;
                }
                if (given > 1
                    && (m_base.weights || bytesPerElement(answer().weights) <= (given == 2 ? 1 : 0.5)))
                    continue;
                if (given > 1)
                    s = withWeights(std::move(s), given == 2 ? DType::Fp8 : DType::Int4);
                std::optional<Candidate> found = bestOf(s);
                if (!found)
                    continue;
                const double size = 4 + 0.3 * given;
                if (best
                    && (best->size < size
                        || (best->size == size && !better(*found, best->answer, s.objective))))
                    break;
                Message change = say("{} instead", found->deployment.gpu->name);
                if (given > 1)
                    change = joined({change, say("{} weights", asIs(name(found->deployment.weights)))}, ", ");
                if (s.gpuCount != m_base.gpuCount) { // so many are there then
                    s.gpuCount = found->gpus();
                    s.objective = m_base.objective;
                    found = bestOf(s);
                    if (!found)
                        continue;
                }
                Message effect = effectText(*found, s);
                best = Remedy{std::move(change), std::move(effect), size, s, *std::move(found)};
                break;
            }
        }
        if (best)
            m_found.push_back({*std::move(best), {}});
    }

    const SizingPlan& m_plan;
    ChangedAnswers m_answers;
    Scenario m_base;
    std::vector<std::string> m_given;
    std::vector<WayOut> m_found;
};

} // namespace

std::vector<WayOut> waysOut(const SizingPlan& plan, const Scenario& scenario, const Replanner& replanner)
{
    return WaysOut(plan, scenario, replanner).all();
}

} // namespace headroom
