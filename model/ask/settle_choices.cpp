#include "model/ask/rules.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string>

namespace headroom::ask {

using enum Meaning;

namespace {

// "diurnal load, peak 3x, 10 rps": the rate is the day's mean, and the peak its busiest moment.
void settleDay(Draft& draft, std::size_t i)
{
    Scenario& s = draft.question.scenario;
    draft.take(i);
    if (s.peakFactor <= 1 || !s.requestsPerSecond)
        return draft.problem(i, draft.tell("a day's curve needs its mean rate and its peak"),
                             draft.tell("e.g. '10 rps, 3x peak'"));
    s.traffic = fmt::format("{}:peak={:g}", s.traffic == "constant" ? "constant" : "poisson", s.peakFactor);
    draft.note(i,
               draft.tell("a day whose busiest moment has {} times the mean load", countText(s.peakFactor)));
    s.peakFactor = 1;
}

void settleObjective(Draft& draft, Settled& settled, std::size_t i)
{
    // A stated load is the same work on all: the least an hour is the best value. With none, what each
    // carries.
    const Scenario& s = draft.question.scenario;
    const bool sameWork = s.concurrency || s.requestsPerSecond || s.batch || settled.totalTokenRate;
    const std::string wanted = draft.is(i, BestValue) ? (sameWork ? "hour" : "tokens")
        : draft.is(i, CheapestTokens)                 ? "tokens"
                                                      : draft.at(i).note;
    const std::optional<Objective> objective = objectiveFromKey(wanted);
    draft.take(i);
    if (!objective)
        return;
    const ObjectiveRow row = *objectiveRow(*objective);
    const std::string value(draft.say(Wording{row.english, row.chinese}));
    if (!draft.once(draft.say("the objective"), value, i))
        return;
    settled.objectiveSaid = true;
    draft.question.scenario.objective = *objective;
    draft.note(i, value);
}

} // namespace

// "what does a million tokens cost", "100 万 token 多少钱": the same as "cost per million tokens".
void settleTokenPrice(Draft& draft, Settled& settled)
{
    constexpr double most = 1e6; // tokens that prices are told of
    const ObjectiveRow row = *objectiveRow(Objective::CheapestTokens);
    const std::string perToken(draft.say(Wording{row.english, row.chinese}));
    bool asked = false;
    for (std::size_t i = 0; i < draft.size(); ++i)
        asked = asked || draft.at(i).is(CostWord) || draft.at(i).is(Price)
            || (draft.at(i).is(HowMany) && draft.at(i).text == "how much");
    for (Assigned& quantity : settled.quantities) {
        const Span& span = quantity.span;
        const bool counted = (span.dimension == Dimension::Token || quantity.is("output"))
            && span.perTime == 0 && span.value == most;
        if (!asked || !counted || quantity.is("prompt") || quantity.is("context"))
            continue;
        quantity.role = nullptr;
        draft.takeAll(span.parts);
        Place place{span.first, span.last};
        if (!draft.once(draft.say("the objective"), perToken, place))
            return;
        settled.objectiveSaid = true;
        draft.question.scenario.objective = Objective::CheapestTokens;
        draft.note(place, perToken);
        return;
    }
}

void settleObjectives(Draft& draft, Settled& settled)
{
    const Assigned* const price = settled.find("tokenPrice");
    const auto priced = [&](std::size_t i) { // "cheaper than $0.60 per million tokens"
        return price != nullptr && i >= price->span.first && i <= price->span.last;
    };
    for (const bool ofPrice : {false, true})
        for (std::size_t i = 0; i < draft.size(); ++i)
            if (draft.isAny(i, {Goal, BestValue, CheapestTokens}) && priced(i) == ofPrice
                && !(ofPrice && settled.objectiveSaid))
                settleObjective(draft, settled, i);
}

void settleChoices(Draft& draft, Settled& settled)
{
    applyRules("choices", draft, settled);
    for (std::size_t i = 0; i < draft.size(); ++i)
        if (draft.is(i, Daily))
            settleDay(draft, i);
}

} // namespace headroom::ask
