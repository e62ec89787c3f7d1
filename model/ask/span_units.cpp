#include "model/ask/roles.h"
#include "model/ask/rules.h"

#include <algorithm>

namespace headroom::ask {

using enum Meaning;

namespace {

bool isPeople(const Item& item) { return item.note == "User" || item.note == "People"; }

void addScope(Span& span, Meaning scope)
{
    if (!span.isPer(scope))
        span.per.push_back(scope);
}

// Of what "each" is said: of users where it says so; money of cards, speeds and times of users, and what is
// counted of the counted things that were named last: "2 sites, 8 H200 each", "40 schools, 200 pupils each".
// `Each` where nothing tells, `Filler` where it is said of something else.
Meaning antecedent(const Draft& draft, const Span& span, std::size_t each)
{
    const bool people = span.dimension != Dimension::Count && isPeople(draft.at(span.last));
    if (draft.at(each).note
        == "user") // "每人 2 路并发", but "30 并发时每人速度", "speed per user with 25 users"
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
    addScope(span, scope);
    span.take(each);
    if (named)
        span.take(noun);
    return true;
}

void takeUnit(const Draft& draft, Span& span, std::size_t word, Meaning unit, double factor)
{
    span.unit = draft.at(word).note == "Token" ? Token : unit; // "input tokens" are tokens
    span.unitAt = word;
    span.unitValue = factor > 0 ? factor : 1;
    span.scale(span.unitValue);
}

// As long as rules of the stage say more of it.
void takeMore(const Draft& draft, Span& span, std::string_view stage)
{
    const Place before = span;
    if (takeSaid(draft, span, ruleAround(stage, draft, span))
        && (span.first < before.first || span.last > before.last))
        takeMore(draft, span, stage);
}

} // namespace

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
            addScope(span, scope);
        span.take(of);
    } else if (what == "unit") {
        const Item& unit = draft.at(match.at('u'));
        span.value += unit.kind == ItemKind::Word ? unit.written : 0; // "2块5"
        takeUnit(draft, span, match.at('u'), unit.meaning, unit.value);
    } else if (what == "seconds") { // "ttft 2", "TPOT 30"
        takeUnit(draft, span, match.at('u'), Time, numberOf(match.rule->effects.front().value()));
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
        addScope(span, meaning != Filler ? meaning : draft.at(match.at('o')).meaning);
    }
    span.takeAll(match.taken);
    return true;
}

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
    return isScope(meaning) ? meaning : Filler;
}

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
        addScope(span, scope);
        span.scope.push_back(i);
    }
}

} // namespace headroom::ask
