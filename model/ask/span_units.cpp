#include "model/ask/span_units.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

namespace headroom::ask {

using enum Meaning;

namespace {

bool isUnit(const Draft& draft, std::size_t i)
{
    return i < draft.size() && !draft.isRead(i) && draft.at(i).kind == ItemKind::Word
        && dimensionOf(draft.at(i).note).has_value();
}

// "25 ms" and "TTFT: 25 ms", "users: 120", "QPS=15", "RPM 300": the unit stands in front where none is
// behind.
std::size_t unitInFront(const Draft& draft, const Span& span)
{
    std::size_t before = draft.previous(front(span));
    bool labelled = false;
    bool apart
        = front(span) > 0 && draft.at(front(span) - 1).is(Filler) && draft.at(front(span) - 1).text != "of";
    while (before != none
           && (draft.isAny(before, {Equals, About, Mean, AtMost, AtLeast, Peak})
               || draft.at(before).text == ":")) {
        labelled = labelled || draft.is(before, Equals) || draft.at(before).text == ":";
        before = draft.previous(before);
    }
    if (before == none
        || (draft.at(before).note != "RequestRate" && draft.at(before).note != "TokenRate"
            && !draft.is(before, Request)))
        return none;
    constexpr std::array<std::string_view, 4> ones{"每次", "每", "每个", "per"};
    if (draft.is(before, Request) && before > 0 // "每次请求平均 2.5k 输入": of one, and no number of them
        && std::find(ones.begin(), ones.end(), draft.at(before - 1).text) != ones.end())
        return none;
    const bool ofAnother = draft.isNumber(draft.previous(before));
    return (ofAnother || apart) && !labelled ? none : before;
}

// "output=200 concurrency=32", "isl 512 rps 10": the word behind a number begins the next pair where all are
// written that way.
bool leadsAnother(const Draft& draft, std::size_t number, std::size_t word)
{
    const auto isTopic = [&](std::size_t i) {
        return draft.at(i).note == "asks"
            || draft.isAny(i,
                           {Prompt, Output, Context, User, DailyUsers, Concurrent, RequestRate, TokenRate,
                            Ttft, Tpot, Latency, Replicas});
    };
    // But "at 25 tps: A100 or L40S", "2 prompts a minute: 1,800 tokens in".
    const std::size_t sign = draft.touching(word);
    const bool counted = sign != none && draft.at(sign).text == ":" && (number == 0 || !isTopic(number - 1));
    if (draft.labelled(word) != none && !counted)
        return true;
    if (draft.isAny(word, {Dollar, Yuan, Euro}) && word > number + 1 && draft.isNumber(word + 1))
        return true; // "1900 and at $2.3"
    if (draft.is(word, Percentile) && draft.isNumber(word + 1) && !draft.at(word + 1).spaceBefore)
        return true; // "2k p95"
    if (!draft.isAny(word, {User, RequestRate, TokenRate, Concurrent}))
        return false;
    const std::size_t after = draft.touching(word);
    std::size_t first = number; // of the pairs before: "100 users 20 tps" begins with a number
    while (first > 1 && isTopic(first - 1)) {
        const std::size_t unit = draft.at(first - 2).isNumber() ? 0 : 1; // "0.5 s TTFT 30 tokens/s 60 users"
        if (first < 2 + unit || !draft.at(first - 2 - unit).isNumber())
            break;
        first -= 2 + unit;
    }
    return draft.isNumber(after) && after == word + 1 && first > 0 && isTopic(first - 1);
}

// "20 concurrent 32k sessions", "20 个 32k 会话": how long each of those is that are counted before it.
bool isSizeOfCounted(const Draft& draft, std::size_t number)
{
    std::size_t before = draft.previous(number);
    if (draft.is(before, Concurrent))
        before = draft.previous(before);
    return draft.isNumber(number) && draft.at(number).kilo && draft.isNumber(before) && !draft.at(before).kilo
        && draft.isAny(draft.touching(number), {User, Concurrent});
}

bool isLetter(const std::string& text)
{
    const auto first = static_cast<unsigned char>(text.front());
    return std::isalpha(first) != 0 || first >= 0x80;
}

// "ttft 2", "TPOT 30": seconds where they are few, milliseconds where many.
void readBareTime(const Draft& draft, Span& span)
{
    std::size_t topic = draft.previous(front(span));
    while (draft.isAny(topic, {Equals, About, AtMost}))
        topic = draft.previous(topic);
    constexpr double mostSeconds = 60;
    const Item& number = draft.at(span.number);
    if (topic == none || topic + 4 < span.number || !draft.isAny(topic, {Ttft, Tpot}) || number.kilo
        || number.share || !number.note.empty())
        return;
    const bool millis = span.value >= mostSeconds || (draft.is(topic, Tpot) && span.value >= 1);
    span.unit = Time;
    span.unitValue = millis ? 1e-3 : 1;
    span.unitAt = topic;
    span.value *= span.unitValue;
    if (span.from)
        *span.from *= span.unitValue;
}

void readOwnUnit(const Draft& draft, Span& span)
{
    const std::size_t number = span.number;
    // "$8000", "百分之 5" have their unit in front.
    const std::size_t before = draft.previous(front(span));
    std::size_t unit = none;
    if (before != none && before + 1 == front(span)
        && (draft.isAny(before, {Dollar, Yuan, Euro, OtherMoney, Percent})
            || (draft.is(before, Percentile)
                && draft.at(before).end == draft.at(front(span)).begin))) // "p95"
        unit = before;
    std::size_t after = draft.touching(number);
    if (draft.is(after, AtLeast) && draft.at(after).text == "+" && isUnit(draft, draft.touching(after))) {
        span.parts.push_back(after); // "30+ tok/s"
        span.bound = AtLeast;
        after = draft.touching(after);
    }
    // "10k a month": so much for each, but "half an hour" is a time.
    const bool article = after == number + 2 && draft.is(after, Time) && isArticle(draft, number + 1)
        && !draft.at(number).text.starts_with("half");
    const bool described = (number > 0 && draft.is(number - 1, HowMany)
                            && draft.is(after, Concurrent)) // "how many 32k sessions"
        || isSizeOfCounted(draft, number);
    if (after != none && isSizeOfCounted(draft, after))
        unit = draft.touching(after);
    const bool sizes = draft.at(number).kilo && draft.is(after, Times) && draft.isNumber(after + 1);
    if (unit == none && !article && !described && !sizes /* "32k x 10 users" */ && isUnit(draft, after)
        && !leadsAnother(draft, number, after))
        unit = after;
    static const Meaning documents = Lexicon::shipped().meaningOf("Documents");
    if (unit == none && after == number + 1 && draft.at(after).kind == ItemKind::Unknown
        && !draft.at(after).identifier && isLetter(draft.at(after).text)
        && (draft.is(draft.touching(after), documents) // "40k insurance claims"
            || (draft.touching(after) == after + 1 && isUnit(draft, after + 1)
                && !leadsAnother(draft, number, after + 1)))) // "20 flurbish TPS"
        unit = draft.touching(after);
    if (unit == none && !span.isMoney())
        unit = unitInFront(draft, span);
    if (unit == none)
        return readBareTime(draft, span);
    span.unit = draft.at(unit).note == "Token" ? Token : draft.at(unit).meaning; // "input tokens" are tokens
    span.unitValue = draft.at(unit).value;
    span.unitAt = unit;
    span.value *= span.unitValue;
    if (span.from)
        *span.from *= span.unitValue;
    span.parts.push_back(unit);
    if (const std::size_t way = draft.touching(unit); // "800M tokens of input"
        span.unit == Token && draft.isAny(way, {Output, Prompt}) && draft.at(way - 1).text == "of")
        span.parts.push_back(way);
}

// "each user asks every 20 seconds", "每 2 秒一个请求": one in so long.
void readInterval(const Draft& draft, Span& span)
{
    if (span.unit != Time || !(span.value > 0) || span.perTime > 0)
        return;
    const std::size_t every = draft.previous(front(span));
    const std::size_t before = draft.is(every, Every) ? draft.previous(every) : none;
    const std::size_t after = draft.next(back(span));
    const std::size_t one = back(span) + 1;
    if (one < draft.size() && draft.at(one).isNumber() && draft.at(one).note == "Request")
        span.parts.push_back(one); // "10 秒一个请求"
    else if (!draft.is(every, Every))
        return;
    else if (draft.is(after, Request))
        span.parts.insert(span.parts.end(), {every, after});
    else if (draft.is(before, Request) && !draft.isNumber(draft.previous(before)))
        span.parts.insert(span.parts.end(), {every, before});
    else if (draft.isAny(before, {Each, User}) && !draft.isNumber(after)
             && !draft.isAny(after, {Token, Output}))
        span.parts.push_back(every);
    else
        return;
    span.interval = true;
    span.value = 1 / span.value;
    span.from.reset();
}

// "under 2 s", "2 秒以内", "20 tps or more".
void readBound(const Draft& draft, Span& span)
{
    const std::size_t before = draft.previous(front(span));
    const std::size_t after = draft.next(back(span));
    std::size_t bound = none;
    if (draft.isAny(before, {AtMost, AtLeast}) && draft.at(before).text != "+") // "8k prompts + 1k answers"
        bound = before;
    else if (draft.isAny(after, {AtMost, AtLeast}) && after == back(span) + 1
             && !draft.isNumber(draft.next(after))
             && !draft.isAny(draft.next(after), {HowMany, Dollar, Yuan}))
        bound = after; // but not when it begins the next number's bound
    if (bound == none)
        return;
    span.bound = draft.at(bound).meaning;
    std::size_t negation = draft.previous(bound); // "can't be below 20 tok/s", "don't spend more than $5k"
    if (draft.is(negation, Budget))
        negation = draft.previous(negation);
    if (bound == before && draft.is(negation, Not) && bound <= negation + 5) {
        span.bound = span.bound == AtMost ? AtLeast : AtMost;
        span.parts.push_back(negation);
    }
    span.parts.push_back(bound);
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
