#include "model/advise/choices.h"

#include "model/scenario/service_load.h"
#include "model/scenario/stated_load.h"
#include "model/search/ranking.h"
#include "model/search/safe_answer.h"
#include "model/search/safe_confidence.h"

#include <algorithm>

namespace headroom {

namespace {

bool costDecides(const Scenario& s)
{
    return s.objective == Objective::FewestGpus || s.objective == Objective::CheapestHour;
}

// Nothing that works is known to cost less; of one accelerator whose price nobody knows the fewest do.
bool answerIsCheapest(const SizingPlan& plan)
{
    return !plan.cheapest && costDecides(plan.scenario)
        && (priced(plan.answer) || plan.scenario.gpus.size() == 1);
}

// Without a price nothing is called cheap.
ChoiceKind cheapestKind(const Candidate& c) { return priced(c) ? ChoiceKind::Cheapest : ChoiceKind::Fewest; }

class Collected {
public:
    void add(ChoiceKind kind, const Candidate& service)
    {
        const auto same = std::find_if(m_all.begin(), m_all.end(), [&](const Choice& choice) {
            return sameService(*choice.service, service);
        });
        if (same == m_all.end())
            m_all.push_back({{kind}, &service});
        else
            same->kinds.push_back(kind);
    }
    [[nodiscard]] std::vector<Choice> all() && { return std::move(m_all); }

private:
    std::vector<Choice> m_all;
};

Recommended reasonFor(const SizingPlan& plan)
{
    if (!mayMiss(plan.scenario))
        return Recommended::NothingPromised;
    if (plan.mostLikely)
        return Recommended::TooMany;
    if (plan.safe && sameService(*plan.safe, plan.answer))
        return Recommended::TooUnsure;
    if (!answerIsCheapest(plan))
        return Recommended::AsAsked;
    if (plan.answer.confidence >= safeConfidence)
        return Recommended::SureEnough;
    if (plan.answer.confidence >= leastConfidence)
        return Recommended::Likely;
    return plan.saferSought ? Recommended::NothingSafer : Recommended::RunsSpent;
}

} // namespace

bool Choice::is(ChoiceKind kind) const { return std::find(kinds.begin(), kinds.end(), kind) != kinds.end(); }

Choices choicesOf(const SizingPlan& plan)
{
    Choices out;
    if (!plan.meets)
        return out;
    Collected collected;
    out.because = reasonFor(plan);
    if (plan.mostLikely) { // safe with as many users as it is told with
        collected.add(ChoiceKind::Safe, plan.answer);
        collected.add(ChoiceKind::Asked, *plan.mostLikely);
    }
    if (plan.cheapest)
        collected.add(cheapestKind(*plan.cheapest), *plan.cheapest);
    if (answerIsCheapest(plan))
        collected.add(cheapestKind(plan.answer), plan.answer);
    else if (out.because != Recommended::TooUnsure && out.because != Recommended::TooMany)
        collected.add(plan.scenario.objective == Objective::FewestGpus ? ChoiceKind::Fewest
                                                                       : ChoiceKind::Asked,
                      plan.answer);
    if (plan.likely)
        collected.add(ChoiceKind::Likely, *plan.likely);
    // Full on purpose, it is as sure as a coin: how many users are safe is told instead.
    if (mayBeSafer(plan, plan.scenario)) {
        if (plan.answer.confidence >= safeConfidence)
            collected.add(ChoiceKind::Safe, plan.answer);
        else if (plan.safe)
            collected.add(ChoiceKind::Safe, *plan.safe);
    }
    if (plan.answer.evidence() <= Source::MeasuredPublished)
        collected.add(ChoiceKind::Surest, plan.answer);
    else if (plan.surest)
        collected.add(ChoiceKind::Surest, *plan.surest);
    if (plan.elsewhere)
        collected.add(ChoiceKind::Elsewhere, *plan.elsewhere);
    out.all = std::move(collected).all();
    const auto answer = std::find_if(out.all.begin(), out.all.end(), [&](const Choice& choice) {
        return sameService(*choice.service, plan.answer);
    });
    out.recommended = static_cast<std::size_t>(answer - out.all.begin());
    for (const Candidate& each : plan.unpriced)
        out.unpriced.push_back(&each);
    return out;
}

std::string_view choiceKey(ChoiceKind kind)
{
    switch (kind) {
    case ChoiceKind::Asked:
        return "asked";
    case ChoiceKind::Fewest:
        return "fewest_gpus";
    case ChoiceKind::Cheapest:
        return "cheapest";
    case ChoiceKind::Likely:
        return "likely";
    case ChoiceKind::Safe:
        return "safe";
    case ChoiceKind::Surest:
        return "surest";
    case ChoiceKind::Elsewhere:
        return "elsewhere";
    }
    return {};
}

std::string_view recommendedKey(Recommended because)
{
    switch (because) {
    case Recommended::SureEnough:
        return "sure_enough";
    case Recommended::Likely:
        return "likely";
    case Recommended::TooUnsure:
        return "too_unsure";
    case Recommended::TooMany:
        return "too_many";
    case Recommended::NothingSafer:
        return "nothing_safer";
    case Recommended::RunsSpent:
        return "runs_spent";
    case Recommended::AsAsked:
        return "as_asked";
    case Recommended::NothingPromised:
        return "nothing_promised";
    }
    return {};
}

Message choiceText(ChoiceKind kind)
{
    switch (kind) {
    case ChoiceKind::Asked:
        return "best by what was asked for";
    case ChoiceKind::Fewest:
        return "fewest GPUs that work";
    case ChoiceKind::Cheapest:
        return "cheapest that works";
    case ChoiceKind::Likely:
        return "likely enough";
    case ChoiceKind::Safe:
        return "safe";
    case ChoiceKind::Surest:
        return "best evidence";
    case ChoiceKind::Elsewhere:
        return "best on another accelerator";
    }
    return {};
}

Message recommendedText(Recommended because)
{
    switch (because) {
    case Recommended::SureEnough:
        return "the least that works is at least 90 % sure";
    case Recommended::Likely:
        return "the least that works is at least 75 % sure";
    case Recommended::TooUnsure:
        return "the least that works is less than 75 % sure";
    case Recommended::TooMany:
        return "more users at once would be less than 75 % sure";
    case Recommended::NothingSafer:
        return "the least that works is less than 75 % sure, but nothing here is 90 % sure";
    case Recommended::RunsSpent:
        return "the least that works is less than 75 % sure, and the runs that one answer may take "
               "were spent before a 90 % sure one was found";
    case Recommended::AsAsked:
        return "that is what was asked for";
    case Recommended::NothingPromised:
        return "no speed was asked for that could be missed";
    }
    return {};
}

} // namespace headroom
