#include "model/ask/names.h"
#include "model/ask/settle.h"
#include "model/base/figure_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <utility>

namespace headroom::ask {

using enum Meaning;

namespace {

// Tokens of English text a word becomes, the usual planning figure.
constexpr double tokensPerWord = 1.5;

void settleTime(Draft& draft, const Assigned& quantity, std::optional<Seconds>& field)
{
    const Span& span = quantity.span;
    Place place = takeQuantity(draft, quantity);
    widen(draft, place, {Latency, Output, Mean});
    if (span.bound == AtLeast)
        return draft.problem(place, draft.tell("a lower limit on a time is no target"),
                             draft.tell("say 'under', or ask for a speed"));
    if (!(span.value > 0))
        return draft.problem(place, draft.tell("a time is above zero"), "500 ms, 2 s");
    const Role& role = *quantity.role;
    const std::string value
        = span.value < 1 ? fmt::format("{:.6g} ms", span.value * 1e3) : fmt::format("{:.6g} s", span.value);
    if (!draft.once(draft.say(role.name), value, place))
        return;
    field = Seconds(span.value);
    draft.note(place, draft.tell(role.read, value), endOfRange(draft, span, span.value));
}

// A rate of tokens, a second; words and characters by what they become.
double perSecond(const Span& span) { return span.perTime > 0 ? span.value / span.perTime : span.value; }

bool isSpeed(Draft& draft, const Span& span, const Place& place)
{
    if (span.bound == AtMost) {
        draft.problem(place, draft.tell("an upper limit on speed is no target"),
                      draft.tell("say 'at least {} tokens/s'", countText(perSecond(span))));
        return false;
    }
    if (perSecond(span) > 0)
        return true;
    draft.problem(place, draft.tell("a speed is above zero"), "20 TPS");
    return false;
}

void takeSpeed(Draft& draft, const Place& place, double tokens, std::string why)
{
    const Role& role = roleCalled("tps");
    if (!draft.once(draft.say(role.name), countText(tokens), place))
        return;
    draft.question.scenario.targets.tokensPerSecond = tokens;
    draft.note(place, draft.tell(role.read, countText(tokens)), std::move(why),
               {draft.tell("{} tokens/s in total", countText(tokens))});
}

void settleSpeed(Draft& draft, Settled& settled, const Assigned& quantity)
{
    Place place = takeQuantity(draft, quantity);
    widen(draft, place, {Each, Speed, Output});
    if (!isSpeed(draft, quantity.span, place))
        return;
    const bool words = quantity.span.unit == Words;
    const bool characters = quantity.span.unit == Token && quantity.span.unitValue < 1;
    const Span& span = quantity.span;
    const double tokens = perSecond(span);
    if (span.from)
        settled.lowestSpeed = tokens * *span.from / span.value;
    takeSpeed(draft, place, tokens,
              words            ? draft.tell("1.5 tokens a word")
                  : characters ? draft.tell("0.6 tokens a Chinese character")
                               : endOfRange(draft, span, tokens));
}

void settleTotal(Draft& draft, Settled& settled, const Assigned& quantity)
{
    constexpr double hour = 3600;
    const Span& span = quantity.span;
    const bool ofDays = span.perTime >= hour;
    Place place = takeQuantity(draft, quantity);
    const bool totalSaid = quantity.cue != none && draft.at(quantity.cue).is(Total);
    const std::size_t before = place.first;
    const std::size_t last = place.last;
    bool answers = std::any_of(span.parts.begin(), span.parts.end(), [&](std::size_t i) {
        return draft.at(i).is(Output) || draft.at(i).text.starts_with("output");
    });
    answers = answers || draft.is(draft.previous(before), Output) || draft.is(draft.next(last), Output);
    const bool throughputSaid = totalSaid || (quantity.cue != none && draft.at(quantity.cue).is(Throughput));
    widen(draft, place, {Total, Throughput, Speed, Output});
    if (!isSpeed(draft, span, place))
        return;
    const double tokens = perSecond(span);
    const Role& role = *quantity.role;
    if (!draft.once(draft.say(role.name), countText(tokens), place))
        return;
    settled.totalTokenRate = tokens;
    settled.maybePromptsToo = ofDays && !answers;
    settled.evenDay = span.perTime >= 24 * hour;
    std::string why;
    if (!ofDays && !throughputSaid && roleCalled("tps").possible.to < tokens) { // nobody said so
        why = draft.say("no stream of GPUs is that fast, a little over 1,000 tokens/s are "
                        "the most published (developer.nvidia.com/blog, 22 May 2025): say "
                        "'each' if one user's was meant");
        draft.assume(draft.tell("{} tokens/s are of all users together: {}", countText(tokens), why));
    }
    draft.note(place, draft.tell(role.read, countText(tokens)), std::move(why),
               {draft.tell("{} tokens/s per user", countText(tokens))});
}

// "20B input tokens a day"
void settlePrompts(Draft& draft, Settled& settled, const Assigned& quantity)
{
    const Role& role = *quantity.role;
    Place place = takeQuantity(draft, quantity);
    widen(draft, place, {Total, Throughput, Prompt});
    if (!isSpeed(draft, quantity.span, place))
        return;
    settled.promptTokenRate = perSecond(quantity.span);
    settled.evenDay = quantity.span.perTime >= 86400;
    draft.note(place, draft.tell(role.read, countText(*settled.promptTokenRate)));
}

void takePercentile(Draft& draft, double percentile, std::size_t first, std::size_t last, std::string why)
{
    if (percentile > 100) // "p999"
        percentile = percentile == 999 ? 99.9 : percentile;
    if (percentile <= 0 || percentile >= 100)
        return draft.problem({first, last}, draft.tell("a percentile lies between 0 and 100"),
                             "p50, p90, p95, p99");
    const Role& role = roleCalled("percentile");
    if (!draft.once(draft.say(role.name), countText(percentile), {first, last}))
        return;
    draft.question.scenario.targets.percentile = percentile;
    draft.note({first, last}, draft.tell(role.read, countText(percentile)), std::move(why));
}

// "median", "average TTFT".
void settleMeans(Draft& draft)
{
    for (std::size_t i = 0; i < draft.size(); ++i) {
        if (draft.is(i, Percentile) && draft.at(i).value > 1) { // "median"
            draft.take(i);
            takePercentile(draft, draft.at(i).value, i, i, {});
        }
        if (!draft.at(i).is(Mean))
            continue;
        std::size_t j = i + 1;
        while (j < draft.size() && draft.at(j).is(Filler))
            ++j;
        if (j >= draft.size())
            continue;
        const Item& of = draft.at(j);
        const bool target = of.is(Ttft) || of.is(Tpot) || of.is(Latency) || of.is(Speed) || of.is(TokenRate)
            || (of.is(Output) && draft.question.scenario.targets.latency);
        if (!target || draft.wasSaid(draft.say("the percentile")))
            continue;
        draft.take(i);
        takePercentile(draft, 50, i, i,
                       draft.tell("targets are percentiles; the median stands nearest to a mean"));
    }
}

// Silent reading 250, listening 450, fast visual reading 700 words a minute at 1.5 tokens a word.
void settleReadingSpeed(Draft& draft)
{
    for (std::size_t i = 0; i < draft.size(); ++i) {
        if (!draft.is(i, ReadSpeed))
            continue;
        draft.take(i);
        if (draft.question.scenario.targets.tokensPerSecond)
            continue; // "60 wpm reading speed"
        if (draft.isAny(draft.previous(i), {AtLeast, About}))
            draft.take(draft.previous(i));
        takeSpeed(draft, {i, i}, draft.at(i).value * tokensPerWord / 60,
                  draft.tell("{} words a minute x 1.5 tokens a word", countText(draft.at(i).value)));
    }
}

} // namespace

void settleTargets(Draft& draft, Settled& settled)
{
    Targets& targets = draft.question.scenario.targets;
    for (const Assigned& quantity : settled.quantities) {
        if (quantity.is("ttft"))
            settleTime(draft, quantity, targets.ttft);
        else if (quantity.is("tpot"))
            settleTime(draft, quantity, targets.tpot);
        else if (quantity.is("latency"))
            settleTime(draft, quantity, targets.latency);
        else if (quantity.is("tps"))
            settleSpeed(draft, settled, quantity);
        else if (quantity.is("total"))
            settleTotal(draft, settled, quantity);
        else if (quantity.is("promptTotal"))
            settlePrompts(draft, settled, quantity);
        else if (quantity.is("percentile")) {
            Place place = takeQuantity(draft, quantity);
            if (Names::shipped().isAbsentCard(draft.said(place.first, place.last))) {
                tellAbsent(draft, place.first, place.last);
                continue;
            }
            const bool share = quantity.span.dimension == Dimension::Percent;
            takePercentile(draft, share ? quantity.span.value * 100 : quantity.span.value, place.first,
                           place.last, {});
        }
    }
    settleMeans(draft);
    settleReadingSpeed(draft);
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
