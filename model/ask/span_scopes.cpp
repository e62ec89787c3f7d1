#include "model/ask/roles.h"
#include "model/ask/span_units.h"

#include <algorithm>
#include <optional>

namespace headroom::ask {

using enum Meaning;

namespace {

// "tokens/s per user", "20 tok/s each": what stands before it is said of one.
bool belongsBefore(const Draft& draft, std::size_t each)
{
    const std::size_t owner = draft.previous(each);
    if (draft.isName(owner, ItemKind::Gpu)) // "2 nodes with 8x H200 each handle 128 users"
        for (std::size_t i = owner; i-- > 0 && !draft.at(i).is(Comma);)
            if (draft.at(i).is(Box))
                return true;
    return owner != none && !isPeople(draft.at(owner)) && dimensionOf(draft.at(owner).note).has_value();
}

// What one of something is called, where any role can be said of one of it: a user, a card, a replica, a
// school.
Meaning scopeAt(const Draft& draft, std::size_t i)
{
    static const Meaning company = Lexicon::shipped().meaningOf("Company");
    static const Meaning group = Lexicon::shipped().meaningOf("Group");
    if (i >= draft.size())
        return Filler;
    const Item& item = draft.at(i);
    if (item.kind == ItemKind::Gpu || item.is(CardHour))
        return Card;
    if (item.kind != ItemKind::Word)
        return Filler;
    if (isPeople(item))
        return User;
    const Meaning meaning = item.is(company) ? group : item.meaning;
    return isScope(meaning) ? meaning : Filler;
}

void addScope(Span& span, Meaning scope, std::initializer_list<std::size_t> words)
{
    if (!span.isPer(scope))
        span.per.push_back(scope);
    span.scope.insert(span.scope.end(), words);
}

// What stands behind "per": one more thing that the quantity is of. False when it is none.
bool takePer(const Draft& draft, Span& span, std::size_t what)
{
    const Meaning scope = draft.isRead(what) ? Filler : scopeAt(draft, what);
    if (draft.isAny(what, {Time, CardHour}) && span.perTime == 0)
        span.perTime = draft.at(what).value;
    else if (scope == Filler)
        return false;
    if (scope == Token && span.unit == Time) // "50 ms per word"
        span.value /= std::max(draft.at(what).value, 1.0);
    if (scope != Filler)
        addScope(span, scope, {});
    span.parts.push_back(what);
    return true;
}

// Of what "each" is said: of users where it says so; money of cards, speeds and times of users, and what is
// counted of the counted things that were named last: "2 sites, 8 H200 each", "40 schools, 200 pupils each".
// `Each` where nothing tells, `Filler` where it is said of something else.
Meaning antecedent(const Draft& draft, const Span& span, std::size_t each)
{
    const bool machines = span.dimension == Dimension::Count;
    const bool people = !machines && isPeople(draft.at(back(span)));
    if (draft.at(each).note == "user") // "每人 2 路并发", but "30 并发时每人速度"
        return people && each > span.number ? Filler : User;
    if (span.isMoney())
        return Card;
    for (std::size_t i = front(span); span.unit == Token && i-- > 0 && !draft.at(i).is(Comma);)
        if (draft.at(i).note == "Request" || draft.at(i).note == "RequestRate")
            return Request; // "5 requests a minute of 6k tokens each"
    if (span.unit == Time || span.unit == Token || span.unit == TokenRate)
        return User;
    if (!machines && span.unit == Filler)
        return Each;
    for (std::size_t i = front(span); i-- > 0;) {
        const std::size_t number = draft.previous(i);
        const bool several = draft.isNumber(number) && draft.at(number).value > 1;
        const Meaning scope = several ? scopeAt(draft, i) : Filler;
        // "3 users each running 4 agents", but "4 H100 each and 500 users"
        const bool own = people && (scope == Card || (scope == User && draft.previous(each) != i));
        if (scope != Filler && scope != Token && !own)
            return scope;
    }
    return span.unit == Watt ? Card : span.unit == Request || span.unit == RequestRate ? User : Filler;
}

// "100 users each site", "20 tok/s each". False where it is said of something else.
bool takeEach(const Draft& draft, Span& span, std::size_t each)
{
    const std::size_t noun = draft.touching(each);
    const bool named = noun == each + 1 && scopeAt(draft, noun) != Filler
        && !(isPeople(draft.at(back(span))) && isPeople(draft.at(noun))); // "8 doctors each online"
    const Meaning scope = named ? scopeAt(draft, noun) : antecedent(draft, span, each);
    if (scope == Filler)
        return false;
    addScope(span, scope, {});
    span.parts.push_back(each);
    if (named)
        span.parts.push_back(noun);
    return true;
}

// "one request every 30 seconds", "per 1,000 tokens", "per 1M input tokens"
bool takePerNumber(const Draft& draft, Span& span, std::size_t per, std::size_t number)
{
    const std::size_t unit = draft.touching(number);
    if (draft.is(unit, Time) && span.perTime == 0)
        span.perTime = draft.at(number).value * draft.at(unit).value;
    else if (draft.is(unit, Token) || (span.isMoney() && draft.isAny(unit, {Output, Prompt})))
        addScope(span, Token, {});
    else
        return false;
    span.parts.insert(span.parts.end(), {per, number, unit});
    return true;
}

// "$2 an hour", "$25 an hour the box", "per gpu-hour": without "per".
bool isOfOne(const Draft& draft, const Span& span, std::size_t end, std::size_t j)
{
    const bool article = (j == end + 2 && isArticle(draft, end + 1)) || draft.at(end).text.ends_with(" a");
    const bool ofThe = span.isMoney() && draft.isAny(j, {Card, Box}) // "$25 an hour the box"
        && (draft.at(j - 1).text == "the" || draft.at(j - 1).text == "whole");
    return article || ofThe || (span.isPer(Card) && draft.is(j, Time));
}

// A word that says by itself what it is of: "monthly", "each", "per million tokens", "15 元一张". Nothing
// where there is none; whether to go on behind it.
std::optional<bool> takeWordBehind(const Draft& draft, Span& span, std::size_t end, std::size_t j)
{
    const bool ofTokens = draft.is(j, CheapestTokens) && span.isMoney(); // "$0.50 per million tokens"
    if (ofTokens || (draft.is(j, PerTime) && span.perTime == 0 && draft.at(end).note != "TokenRate")) {
        if (ofTokens)
            addScope(span, Token, {});
        else
            span.perTime = draft.at(j).value;
        span.parts.push_back(j);
        return true;
    }
    const bool ofNext = draft.isNumber(draft.next(j)) // "9 rps (every user gets 23 tokens a second)"
        && (j > end + 1 || (isChinese(draft, j) && draft.at(j).spaceBefore));
    if (draft.is(j, Each) && j <= end + 2 && !ofNext
        && (draft.at(j).note.empty() || draft.labelled(j) == none))
        return takeEach(draft, span, j);
    const bool one = draft.isNumber(j) && draft.at(j).value == 1;
    const bool amount = span.isMoney() || span.unit == Filler;
    if (!one || !amount || !draft.isAny(draft.next(j), {Card, Kwh})) // "15 元一张", "0.6 元一度"
        return std::nullopt;
    takePer(draft, span, draft.next(j));
    span.parts.push_back(j);
    return true;
}

// "并发 20 每秒多少 token", "预算每小时 41 美元 每秒 9 个请求", "9 rps / 45 ms between tokens": it is of what
// follows.
bool leadsNext(const Draft& draft, const Span& span, std::size_t end, std::size_t j, std::size_t what)
{
    if (draft.at(j).text == "/")
        return draft.at(j).spaceBefore
            && (draft.isNumber(what)
                    ? !span.isMoney() || span.perTime > 0
                    : what != j + 1 || (!span.isMoney() && draft.isName(what, ItemKind::Gpu)));
    const std::size_t behind = draft.next(what);
    const std::size_t before = draft.previous(front(span));
    const bool known
        = span.perTime > 0 || (draft.is(before, Time) && draft.is(draft.previous(before), Every));
    return isChinese(draft, j)
        && (draft.is(behind, HowMany)
            || ((draft.isNumber(behind) || draft.isAny(behind, {AtLeast, AtMost}))
                && (known || j > end + 1 || draft.at(j).spaceBefore)));
}

// "per hour", "/gpu/h", "an hour", "per token", "every 30 seconds". False where nothing more is said.
bool takePhraseBehind(const Draft& draft, Span& span, std::size_t end, std::size_t j)
{
    const bool per = draft.isAny(j, {Per, Every});
    if (!per && !isOfOne(draft, span, end, j))
        return false;
    std::size_t what = per ? draft.next(j) : j;
    if (span.isMoney() && what != none && draft.at(what).text == "m") // "$0.80 per M output tokens"
        what = draft.isAny(draft.next(what), {Output, Prompt}) ? draft.next(draft.next(what))
                                                               : draft.next(what);
    if (what == none || (per && what > j + 2) || leadsNext(draft, span, end, j, what))
        return false;
    if (per && draft.isNumber(what) && draft.at(what).value > 0)
        return takePerNumber(draft, span, j, what);
    if (draft.isAny(what, {Output, Prompt}) && !draft.is(what, Token))
        return false; // "10 s per answer of 500 tokens", "ISL 2k / OSL 300"
    if (!takePer(draft, span, what)) {
        if (!per || draft.at(j).text == "/" || draft.at(what).kind != ItemKind::Word || draft.is(what, Comma))
            return false;
        addScope(span, draft.at(what).meaning, {}); // of one of something that no role is said of
        span.parts.push_back(what);
    }
    if (per)
        span.parts.push_back(j);
    return true;
}

// "monthly budget $5000", "月预算 8 万元", "单卡每小时 35 元", "日调用量 1200 万次", "每百万 token 1 元":
// true where nothing more is said.
bool takePeriodInFront(const Draft& draft, Span& span, std::size_t word, std::size_t period)
{
    const bool ofBudget = draft.is(word, Budget);
    const bool amount = span.isMoney()
        || (span.unit == Filler && span.value >= 1000 && (draft.mentions(Rent) || draft.mentions(Budget)));
    if (span.isMoney() && draft.is(word, CheapestTokens)) { // "每百万 token 成本 3 元以内"
        addScope(span, Token, {});
        return true;
    }
    if (span.perTime > 0)
        return false;
    if (draft.is(period, PerTime)) {
        span.perTime = draft.at(period).value;
        span.parts.insert(span.parts.end(), {period, word});
        return true;
    }
    if (draft.is(word, CardHour) && (span.isMoney() || (span.unit == Filler && span.value >= 1000)))
        return takePer(draft, span, word);
    if (ofBudget && draft.at(word).value > 0)
        span.perTime = draft.at(word).value;
    else if (draft.is(word, RequestRate) && span.unit == Request)
        span.perTime = 1 / draft.at(word).value;
    else if (draft.is(word, PerTime) && (span.unit == Request || span.unit == Token || amount))
        span.perTime = draft.at(word).value;
    else
        return false;
    span.parts.push_back(word);
    return true;
}

} // namespace

void readPerBehind(const Draft& draft, Span& span)
{
    for (bool more = span.unit != Percentile; more;) { // "P99 每 token 40 毫秒"
        const std::size_t end = back(span);
        const std::size_t j = draft.next(end);
        if (j == none)
            return;
        const std::optional<bool> word = takeWordBehind(draft, span, end, j);
        more = word ? *word : takePhraseBehind(draft, span, end, j);
    }
}

void readPerInFront(const Draft& draft, Span& span)
{
    std::size_t word = draft.previous(front(span));
    if (draft.is(word, About) && draft.is(draft.previous(word), PerTime)) // "一个月大概 15 万元"
        word = draft.previous(word);
    const bool topic = span.unit == Token ? draft.isAny(word, {Output, Prompt})
                                          : span.unit == Percent && draft.is(word, Growth);
    const std::size_t time = topic ? draft.previous(word) : none;
    if (draft.is(time, PerTime)) // "日均输出 2000 万 token"
        word = time;
    const bool ofBudget = draft.is(word, Budget);
    std::size_t period = ofBudget ? draft.previous(word) : none;
    if (draft.is(period, Card)) // "monthly GPU budget"
        period = draft.previous(period);
    if (takePeriodInFront(draft, span, word, period))
        return;
    const bool each = draft.is(word, Each) || (draft.is(word, Every) && span.unit == Watt); // "每个 15 千瓦"
    if (const Meaning scope = each ? antecedent(draft, span, word) : Filler; scope != Filler
        && !belongsBefore(draft, word)
        && draft.at(front(span) - 1).text != "of") { // "每用户 2000 token/s", but "each of 25 agents has 2"
        addScope(span, scope, {});
        span.parts.push_back(word);
    }
    std::size_t before = ofBudget && draft.is(period, Time) ? period : draft.previous(front(span));
    if ((topic && draft.is(time, Time)) || draft.isAny(before, {About, Mean}))
        before = draft.previous(before); // "每天输出 2000 万 token", "每月大概 50 亿 token"
    for (; before != none; before = draft.previous(front(span))) {
        const std::size_t every = draft.previous(before);
        const bool everyOne = draft.isNumber(every) && draft.at(every).text == "一"
            && (draft.isAny(before, {Time, Kwh}) || (draft.is(before, Card) && span.isMoney()));
        if ((!draft.isAny(every, {Every, Per}) && !everyOne) || !isChinese(draft, every)
            || !takePer(draft, span, before))
            return;
        span.parts.push_back(every);
    }
}

void readScope(const Draft& draft, Span& span, const std::vector<bool>& claimed)
{
    const std::size_t behind = draft.next(span.last);
    const bool machines = span.dimension == Dimension::Count;
    const auto scopeBy = [&](std::size_t each, std::size_t noun) {
        const Meaning named = scopeAt(draft, noun);
        return named != Filler || !draft.is(each, Each) ? named : antecedent(draft, span, each);
    };
    if (machines && draft.isAny(behind, {Each, Per, Every}) && !claimed[behind]
        && draft.at(behind).note != "user") // "2 sites, 8 H200 each", "4 GPUs per replica"
        if (const Meaning scope = scopeBy(behind, draft.touching(behind)); scope != Filler)
            addScope(span, scope, {behind});
    for (std::size_t i = span.first; i-- > 0;) {
        if (draft.is(i, Comma) || (draft.isNumber(i) && !draft.isAny(draft.previous(i), {Each, Every})))
            return;
        if (!draft.isAny(i, {Each, Every}) || claimed[i] || belongsBefore(draft, i))
            continue;
        std::size_t noun = draft.next(i);
        if (draft.isNumber(noun)) // "each of 12 replicas"
            noun = draft.next(noun);
        const Meaning scope = scopeBy(i, noun < span.first ? noun : none);
        if (scope != Filler && !(machines && scope == User)) // "each of 10 users … on 2 H100"
            addScope(span, scope, {i});
    }
}

} // namespace headroom::ask
