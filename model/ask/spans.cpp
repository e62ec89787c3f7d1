#include "model/ask/rules.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headroom::ask {

using enum Meaning;

namespace {

bool isPeople(const Item& item) { return item.note == "User" || item.note == "People"; }

// Of what "each" is said: of users where it says so; money of cards, speeds and times of users, and what is
// counted of the counted things that were named last: "2 sites, 8 H200 each", "40 schools, 200 pupils each".
// `Each` where nothing tells, `Filler` where it is said of something else.
Meaning antecedent(const Draft& draft, const Span& span, std::size_t each)
{
    const bool people = span.dimension != Dimension::Count && isPeople(draft.at(span.last));
    // "每人 2 路并发", but "30 并发时每人速度", "speed per user with 25 users"
    if (draft.at(each).note == "user")
        return people && (each > span.number || says("how-many-share", draft, span)) ? Filler : User;
    const Match match = ruleAround("each-is", draft, span);
    const std::size_t counted = match.at('s');
    return counted != none ? scopeAt(draft, counted)
        : match            ? Lexicon::shipped().meaningOf(match.rule->does())
                           : Filler;
}

// "100 users each site", "20 tok/s each". False where it is said of something else.
bool takeEach(const Draft& draft, Span& span, std::size_t each)
{
    const std::size_t noun = draft.beside(each).last;
    const bool named = noun == each + 1 && scopeAt(draft, noun) != Filler
        && !(isPeople(draft.at(span.last)) && isPeople(draft.at(noun))); // "8 doctors each online"
    const Meaning scope = named ? scopeAt(draft, noun) : antecedent(draft, span, each);
    if (scope == Filler)
        return false;
    span.per.insert(scope);
    span.take(each);
    if (named)
        span.take(noun);
    return true;
}

// What a rule around a quantity says of it: its unit, its bound, what it is per or of one of. False where
// nothing more is said.
bool takeSaid(const Draft& draft, Span& span, const Match& match)
{
    if (!match)
        return false;
    const std::string_view what = match.rule->does();
    const Meaning meaning = Lexicon::shipped().meaningOf(what);
    if (what == "each")
        return takeEach(draft, span, match.at('e'));
    if (what == "scope") { // one more thing that the quantity is of
        const std::size_t of = match.at('s');
        const Meaning scope = scopeAt(draft, of);
        if (draft.is(of, Time, CardHour) && span.perTime == 0)
            span.perTime = draft.at(of).value;
        if (scope == Token && span.unit == Time) // "50 ms per word"
            span.value /= std::max(draft.at(of).value, 1.0);
        if (scope != Filler)
            span.per.insert(scope);
        span.take(of);
    } else if (what == "unit" || what == "seconds") { // "ttft 2", "TPOT 30"
        const Item& unit = draft.at(match.at('u'));
        const bool own = what == "unit";
        const double factor = own ? unit.value : numberOf(match.rule->effects.front().value());
        span.value += own && unit.kind == ItemKind::Word ? unit.written : 0;  // "2块5"
        span.unit = unit.note == "Token" ? Token : own ? unit.meaning : Time; // "input tokens" are tokens
        span.unitAt = match.at('u');
        span.unitValue = factor > 0 ? factor : 1;
        span.scale(span.unitValue);
    } else if (what == "time" || what == "rate") {
        const double seconds = draft.at(match.at('t')).value;
        const std::size_t many = match.at('n');
        span.perTime = what == "rate" ? 1 / seconds : many == none ? seconds : seconds * draft.at(many).value;
    } else if (what == "one") { // in so long
        span.interval = true;
        span.value = 1 / span.value;
        span.from.reset();
    } else if (meaning == AtMost || meaning == AtLeast) {
        span.bound = meaning;
    } else if (meaning != Filler || what == "other") { // "Token"; of one of something that no role is said of
        span.per.insert(meaning != Filler ? meaning : draft.at(match.at('o')).meaning);
    }
    span.takeAll(match.taken);
    return true;
}

// As long as rules of the stage say more of it.
void takeMore(const Draft& draft, Span& span, std::string_view stage)
{
    const Place before = span;
    if (takeSaid(draft, span, ruleAround(stage, draft, span))
        && (span.first < before.first || span.last > before.last))
        takeMore(draft, span, stage);
}

// What a number counts, what it is per and how it is bound, by the words around it: "$2.50 per GPU-hour",
// "每卡每小时 12 元", "at least 20 tokens/s".
void readUnit(const Draft& draft, Span& span)
{
    const Place place{span.first, span.number};
    Match unit = ruleAround("own-unit", draft, span, place);
    const std::size_t word = unit.at('u');
    if (word == none || (word > span.number && says("leads-another", draft, word)))
        unit = ruleAround("unit-in-front", draft, span, place);
    if (unit.at('u') == none)
        unit = ruleAround("bare-time", draft, span, place);
    (void)takeSaid(draft, span, unit);
    if (span.unit != Percentile)             // "P99 每 token 40 毫秒"
        takeMore(draft, span, "per-behind"); // "per hour", "/gpu/h", "each", "一张"
    const bool inFront = span.unitAt < span.number && span.unitAt + 1 < span.number; // "QPS at most 50"
    const Place bound{inFront ? span.number : span.first, span.last};
    (void)takeSaid(draft, span, ruleAround("bound", draft, span, bound));
    // And in front: "每秒 20 个 token", "每人每天 20 次请求", "monthly budget $5000".
    if (!takeSaid(draft, span, ruleAround("period-in-front", draft, span))) {
        (void)takeSaid(draft, span, ruleAround("each-in-front", draft, span));
        takeMore(draft, span, "every-in-front");
    }
    (void)takeSaid(draft, span, ruleAround("interval", draft, span));
}

// What the words before a quantity say it is of one of: "each of 12 replicas has", "每个副本". Words that are
// `claimed` say it of another.
void readScope(const Draft& draft, Span& span, const std::vector<bool>& claimed)
{
    if (const std::size_t behind = draft.next(span.last); behind != none && !claimed[behind])
        (void)takeSaid(draft, span, ruleAround("each-behind", draft, span)); // "2 sites, 8 H200 each"
    (void)takeSaid(draft, span, ruleAround("of-one", draft, span));          // "3 replicas of 4 H100"
    for (std::size_t i = span.first; i-- > 0;) {
        if (draft.is(i, Comma) || (draft.isNumber(i) && !draft.is(draft.previous(i), Each, Every)))
            return;
        if (!draft.is(i, Each, Every) || claimed[i] || says("of-before", draft, i))
            continue;
        const std::size_t noun = ruleAt("each-noun", draft, i).at('s'); // "each of 12 replicas"
        const Meaning named = noun < span.first ? scopeAt(draft, noun) : Filler;
        const Meaning scope = named != Filler || draft.is(i, Every) ? named : antecedent(draft, span, i);
        if (scope == Filler
            || (span.dimension == Dimension::Count && scope == User)) // "each of 10 users … on 2 H100"
            continue;
        span.per.insert(scope);
        span.scope.push_back(i);
    }
}

// "4k-8k", "between 50 and 100": the number that ends the range which `number` begins, `none` where there is
// none, and what it begins at in units of that.
struct Range {
    std::size_t end = none;
    double from = 0;
};
Range rangeFrom(const Draft& draft, std::size_t number)
{
    const Match match = ruleAt("range", draft, number);
    const std::size_t unit = match.at('u');
    const std::size_t other = unit == none ? none : draft.beside(match.at('n')).last;
    if (!match || (unit != none && (other == none || draft.at(other).meaning != draft.at(unit).meaning)))
        return {};
    const Item& low = draft.at(number);
    const Item& high = draft.at(match.at('n'));
    // "4-8k", "20-30 万": the factor belongs to both.
    const bool both = low.value == low.written && high.value != high.written && low.value < high.written;
    const double from = low.value * (both ? high.value / high.written : 1)
        * (unit == none ? 1 : draft.at(unit).value / draft.at(other).value);
    const bool falls = !match.rule->effects.empty(); // "from 4 s down to 1.5 s"
    return from < high.value || falls ? Range{match.at('n'), from} : Range{};
}

struct Spans {
    const Draft& whole;
    std::vector<bool> claimed = std::vector<bool>(whole.size(), false);
    std::vector<Span> spans = {};

    std::vector<Span> all()
    {
        Draft unread = whole; // in which the numbers of machines are read
        for (const bool named : {true, false})
            for (std::size_t i = 0; i < whole.size(); ++i)
                if ((whole.at(i).kind == ItemKind::Gpu) == named)
                    machines(unread, i);
        for (std::size_t i = 0; i < whole.size(); ++i)
            if (whole.isNumber(i) && !claimed[i] && !says("leads-period", whole, i))
                number(i);
        std::ranges::sort(spans, [](const Span& a, const Span& b) { return a.first < b.first; });
        for (std::size_t i = 1; i < spans.size(); ++i)
            if (share(spans[i - 1], spans[i]))
                spans.erase(spans.begin() + static_cast<std::ptrdiff_t>(i--));
        for (Span& span : spans)
            readScope(whole, span, claimed);
        return std::move(spans);
    }

    // How many of an accelerator, by where the numbers stand; and numbers of machines whose size was not
    // said.
    void machines(Draft& draft, std::size_t i)
    {
        const Match match = ruleAt("machines", draft, i);
        if (!match)
            return;
        const bool named = draft.at(i).kind == ItemKind::Gpu;
        Span span{.value = 1,
                  .dimension = named ? Dimension::Count : Dimension::Card,
                  .first = none,
                  .gpu = named ? i : none};
        span.takeAll(match.taken);
        if (!match.rule->word.context)
            span.take(i);
        for (const Setting& effect : match.rule->effects)
            for (const std::string_view value : effect.values)
                if (effect.what == "count")
                    span.value *= reckoned(value, {.draft = draft, .match = &match});
                else if (effect.what == "box")
                    span.boxSize = reckoned(value, {.draft = draft, .match = &match});
                else if (effect.what == "as")
                    span.dimension = constantCalled<Dimension>(value).value_or(span.dimension);
        if (const std::size_t to = span.first;
            to > 1 && draft.isNumber(to) && rangeFrom(draft, to - 2).end == to) { // "2-4 nodes of 8 H200"
            span.from = span.value * draft.at(to - 2).value / draft.at(to).value;
            span.takeAll({to - 2, to - 1});
        }
        std::ranges::sort(span.parts);
        span.number
            = *std::ranges::find_if(span.parts, [&](std::size_t part) { return draft.isNumber(part); });
        (void)takeSaid(draft, span, ruleAround("machines-bound", draft, span));
        for (const std::size_t part : span.parts)
            if (draft.at(part).isNumber())
                draft.take(part);
        add(std::move(span));
    }

    // What two quantities beside each other say of one another: "5 亿 input tokens a day and 50M output
    // tokens". True where the other is in the one now.
    bool share(Span& one, Span& other) const
    {
        for (const Rule& rule : shippedRules().at("shares")) {
            const Match match = fitsBehind(rule, whole, one, other);
            if (!match)
                continue;
            for (const std::size_t i : match.taken)
                (i < other.first ? one : other).take(i);
            for (const Setting& effect : rule.effects)
                if (effect.what == "sum") {
                    one.value += other.perSecond() * (one.perTime > 0 ? one.perTime : 1);
                    one.takeAll(other.parts);
                    return true;
                } else if (effect.what == "part") {
                    setRate(other, one.perTime);
                    other.takeAll(one.parts);
                    one = std::move(other);
                    return true;
                } else if (effect.what == "stop")
                    return false;
                else if (effect.what == "rest")
                    one.value -= other.value;
                else if (effect.what == "period")
                    setRate(other, one.perTime);
                else if (effect.what == "period-before")
                    setRate(one, other.perTime);
                else
                    (effect.what == "before" ? one : other).dimension
                        = *constantCalled<Dimension>(effect.values.front());
        }
        return false;
    }
    static void setRate(Span& span, double period)
    {
        span.perTime = period;
        span.dimension = Dimension::TokenRate;
    }

    void number(std::size_t i)
    {
        Span span = spanAt(i);
        if (const std::size_t other = ruleAt("pair", whole, i).at('n'); other != none) {
            span.dimension = Dimension::Before;
            add(span);
            Span behind = spanAt(other);
            behind.dimension = Dimension::Behind;
            for (std::size_t between = i + 1; between < other; ++between)
                claimed[between] = true;
            if (whole.is(other + 1, Token))
                behind.take(other + 1);
            return add(std::move(behind));
        }
        if (const auto [end, from] = rangeFrom(whole, i); end != none && !claimed[end])
            readRange(span, i, end, from);
        if (const std::size_t other = ruleAt("spread", whole, i).at('n');
            other != none && whole.at(other).value < span.value) { // "2500±500"
            span.from = span.value - whole.at(other).value;
            span.value += whole.at(other).value;
            span.number = other;
            span.takeTo(i + 1, other);
        }
        const std::size_t divisor = ruleAt("quotient", whole, i).at('n');
        if (divisor != none) {
            span.value /= whole.at(divisor).value;
            span.takeAll({i + 1, divisor});
        }
        readUnit(whole, span);
        (void)takeSaid(whole, span, ruleAround("month-of", whole, span));
        const bool alone = !whole.at(span.number).note.empty() || span.unitAt == none;
        const Item& noting = whole.at(alone ? span.number : span.unitAt);
        span.dimension = constantCalled<Dimension>(noting.note).value_or(Dimension::Plain);
        for (const std::string_view stage :
             {"counts", "dimension"}) // by its own words, and by what it is per
            if (const Match match = ruleAround(stage, whole, span))
                span.dimension = *constantCalled<Dimension>(match.rule->effects.front().value());
        if (divisor != none)
            span.dimension = Dimension::Times;
        if (span.dimension == Dimension::Clock && span.from) { // "0 点到 6 点": a window of so many hours
            constexpr double hour = 3600;
            span.value = (span.value - *span.from) * hour;
            span.unitValue = hour;
            span.unitAt = none;
            span.from.reset();
            span.dimension = Dimension::Time;
        }
        add(std::move(span));
    }

    void readRange(Span& span, std::size_t begin, std::size_t end, double from) const
    {
        span.from = from;
        span.number = end;
        span.value = whole.at(end).value;
        if (from >= span.value && from <= 24 && span.value >= 0 && says("clock", whole, end + 1))
            span.value += 12 * (std::floor((from - span.value) / 12) + 1); // "9am to 5pm", "22 点到 6 点"
        if (from >= span.value)
            span.from.reset();
        span.takeTo(begin + 1, end);
        span.grows = saysIn("grows", whole, {begin, end});
        if (begin > 0 && whole.at(begin - 1).text == "between")
            span.take(begin - 1);
    }

    [[nodiscard]] Span spanAt(std::size_t i) const
    {
        return {.value = whole.at(i).value, .number = i, .first = i, .last = i, .parts = {i}};
    }

    void add(Span span)
    {
        for (const std::size_t part : span.parts)
            claimed[part] = true;
        spans.push_back(std::move(span));
    }
};

} // namespace

Meaning scopeAt(const Draft& draft, std::size_t i)
{
    if (i >= draft.size())
        return Filler;
    const Item& item = draft.at(i);
    if (item.kind == ItemKind::Gpu || item.is(CardHour))
        return Card;
    if (item.kind != ItemKind::Word)
        return Filler;
    if (isPeople(item))
        return User;
    const Meaning meaning = item.is(Company) ? Group : item.meaning;
    const bool scope = meaning > Noise && meaning != Time && meaning != Each
        && std::ranges::any_of(shippedRoles(), [&](const Role& role) { return role.saysOfOne(meaning); });
    return scope ? meaning : Filler;
}

std::vector<Span> spansOf(const Draft& draft) { return Spans{draft}.all(); }

} // namespace headroom::ask
