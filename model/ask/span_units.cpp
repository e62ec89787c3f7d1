#include "model/ask/span_units.h"

#include "model/ask/rules.h"

namespace headroom::ask {

using enum Meaning;

namespace {

// "output=200 concurrency=32", "isl 512 rps 10": the word behind a number begins the next pair where all are
// written that way.
bool leadsAnother(const Draft& draft, std::size_t number, std::size_t word)
{
    if (says("leads-another", draft, word))
        return true;
    const auto isTopic = [&](std::size_t i) { return says("topic", draft, i); };
    if (!says("counted-before", draft, word))
        return false;
    std::size_t first = number; // of the pairs before: "100 users 20 tps" begins with a number
    while (first > 1 && isTopic(first - 1)) {
        const std::size_t unit = draft.at(first - 2).isNumber() ? 0 : 1; // "0.5 s TTFT 30 tokens/s 60 users"
        if (first < 2 + unit || !draft.at(first - 2 - unit).isNumber())
            break;
        first -= 2 + unit;
    }
    return first > 0 && isTopic(first - 1);
}

void scale(Span& span, double by)
{
    span.unitValue = by;
    span.value *= by;
    if (span.from)
        *span.from *= by;
}

// "ttft 2", "TPOT 30": seconds where they are few, milliseconds where many.
void readBareTime(const Draft& draft, Span& span)
{
    constexpr double mostSeconds = 60;
    Matched matched;
    if (ruleAround("bare-time", draft, span, {span.first, span.number}, matched) == nullptr)
        return;
    span.unitAt = matched.numbers.at('u');
    span.unit = Time;
    const bool millis = span.value >= mostSeconds || (draft.is(span.unitAt, Tpot) && span.value >= 1);
    scale(span, millis ? 1e-3 : 1);
}

void readOwnUnit(const Draft& draft, Span& span)
{
    const Place place{span.first, span.number};
    Matched matched;
    const Rule* rule = ruleAround("own-unit", draft, span, place, matched);
    const auto named = [&] {
        const auto unit = matched.numbers.find('u');
        return rule == nullptr || unit == matched.numbers.end() ? none : unit->second;
    };
    std::size_t unit = named();
    if (unit != none && unit > span.number && leadsAnother(draft, span.number, unit))
        unit = none;
    if (unit == none) {
        rule = ruleAround("unit-in-front", draft, span, place, matched);
        unit = named();
    }
    if (unit == none)
        return readBareTime(draft, span);
    span.unit = draft.at(unit).note == "Token" ? Token : draft.at(unit).meaning; // "input tokens" are tokens
    span.unitAt = unit;
    scale(span, draft.at(unit).value > 0 ? draft.at(unit).value : 1);
    span.takeAll(matched.taken);
}

// "each user asks every 20 seconds", "每 2 秒一个请求": one in so long.
void readInterval(const Draft& draft, Span& span)
{
    Matched matched;
    if (span.unit != Time || !(span.value > 0) || span.perTime > 0
        || ruleAround("interval", draft, span, span, matched) == nullptr)
        return;
    span.takeAll(matched.taken);
    span.interval = true;
    span.value = 1 / span.value;
    span.from.reset();
}

// "under 2 s", "2 秒以内", "20 tps or more", "can't be below 20 tok/s".
void readBound(const Draft& draft, Span& span)
{
    Matched matched;
    const bool inFront = span.unitAt < span.number && span.unitAt + 1 < span.number; // "QPS at most 50"
    const Rule* const rule
        = ruleAround("bound", draft, span, {inFront ? span.number : span.first, span.last}, matched);
    if (rule == nullptr)
        return;
    span.takeAll(matched.taken);
    span.bound = Lexicon::shipped().meaningOf(rule->effects.front().what);
}

} // namespace

void readUnit(const Draft& draft, Span& span)
{
    readOwnUnit(draft, span);
    readPerBehind(draft, span);
    readBound(draft, span);
    readPerInFront(draft, span);
    readInterval(draft, span);
}

} // namespace headroom::ask
