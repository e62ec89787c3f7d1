#include "model/ask/settle.h"
#include "model/base/figure_text.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace headroom::ask {

using enum Meaning;

namespace {

// Takes what is said of all users together; nothing where it is no rate.
std::optional<Place> takeRate(Draft& draft, Settled& settled, const Assigned& quantity)
{
    constexpr double day = 86400;
    const Place place = takeQuantity(draft, quantity);
    const double tokens = quantity.span.perSecond();
    if (!isBoundRight(draft, quantity, place, countText(tokens)))
        return std::nullopt;
    if (!(tokens > 0)) {
        refuseValue(draft, *quantity.role, place, countText(tokens));
        return std::nullopt;
    }
    if (!draft.once(draft.say(quantity.role->name), countText(tokens), place))
        return std::nullopt;
    settled.evenDay = quantity.span.perTime >= day;
    return place;
}

void settleTotal(Draft& draft, Settled& settled, const Assigned& quantity)
{
    constexpr double hour = 3600;
    const std::optional<Place> place = takeRate(draft, settled, quantity);
    if (!place)
        return;
    const auto says = [&](Meaning word) {
        for (std::size_t i = place->first; i <= place->last; ++i)
            if (draft.at(i).is(word) || (word == Output && draft.at(i).text.starts_with("output")))
                return true;
        return false;
    };
    const bool ofDays = quantity.span.perTime >= hour;
    const double tokens = quantity.span.perSecond();
    settled.totalTokenRate = tokens;
    settled.maybePromptsToo = ofDays && !says(Output);
    std::string why;
    if (!ofDays && !says(Total) && !says(Throughput) && roleCalled("tps").possible.to < tokens) {
        why = draft.say("no stream of GPUs is that fast, a little over 1,000 tokens/s are "
                        "the most published (developer.nvidia.com/blog, 22 May 2025): say "
                        "'each' if one user's was meant");
        draft.assume(draft.tell("{} tokens/s are of all users together: {}", countText(tokens), why));
    }
    draft.note(*place, draft.tell(quantity.role->read, countText(tokens)), std::move(why),
               {draft.tell("{} tokens/s per user", countText(tokens))});
}

// "20B input tokens a day"
void settlePrompts(Draft& draft, Settled& settled, const Assigned& quantity)
{
    const std::optional<Place> place = takeRate(draft, settled, quantity);
    if (!place)
        return;
    settled.promptTokenRate = quantity.span.perSecond();
    draft.note(*place, draft.tell(quantity.role->read, countText(*settled.promptTokenRate)));
}

} // namespace

void settleTargets(Draft& draft, Settled& settled)
{
    for (const Assigned& quantity : settled.quantities)
        if (quantity.is("total"))
            settleTotal(draft, settled, quantity);
        else if (quantity.is("promptTotal"))
            settlePrompts(draft, settled, quantity);
}

// A total output rate is a request rate once the output length is known.
void settleThroughput(Draft& draft, Settled& settled)
{
    Scenario& s = draft.question.scenario;
    if (settled.promptTokenRate && settled.totalTokenRate && !draft.wasSaid(draft.say("the prompt"))) {
        s.prompt = LengthDistribution::of(
            std::max(1.0, std::round(s.output.mean() * *settled.promptTokenRate / *settled.totalTokenRate)));
        draft.setSaid(draft.say("the prompt"), countText(s.prompt.mean()));
        draft.assume(draft.tell("prompts of {} tokens for answers of {}: as many to one as in the rates",
                                countText(s.prompt.mean()), countText(s.output.mean())));
    } else if (settled.promptTokenRate && !s.requestsPerSecond && !settled.totalTokenRate) {
        s.requestsPerSecond = *settled.promptTokenRate / s.prompt.mean();
        draft.assume(draft.tell("{} prompt tokens/s in total are {} requests/s of {} prompt tokens",
                                countText(*settled.promptTokenRate), countText(*s.requestsPerSecond),
                                countText(s.prompt.mean())));
    }
    if (!settled.totalTokenRate)
        return;
    const double rate = *settled.totalTokenRate / s.output.mean();
    if (s.requestsPerSecond && std::abs(*s.requestsPerSecond - rate) > 1e-9 * rate) {
        draft.problems.push_back(
            {"", draft.tell("both a request rate and a total token rate were said, and they differ"),
             draft.tell("say one of them")});
        return;
    }
    s.requestsPerSecond = rate;
    draft.assume(draft.tell("{} output tokens/s in total are {} requests/s of {} output tokens",
                            countText(*settled.totalTokenRate), countText(rate), countText(s.output.mean())));
    const double ofBoth = *settled.totalTokenRate / (s.prompt.mean() + s.output.mean());
    if (settled.maybePromptsToo)
        draft.assume(draft.tell("the tokens are those of answers; if prompts are counted too, ask for "
                                "{} requests/s",
                                fewDigits(ofBoth, 3)));
}

} // namespace headroom::ask
