#include "model/ask/roles.h"
#include "model/ask/rules.h"
#include "model/ask/span_units.h"

#include <algorithm>

namespace headroom::ask {

using enum Meaning;

namespace {

// "tokens/s per user", "20 tok/s each": what stands before it is said of one.
bool belongsBefore(const Draft& draft, std::size_t each)
{
    const std::size_t owner = draft.previous(each);
    if (draft.isName(owner, ItemKind::Gpu)) // "2 nodes with 8x H200 each handle 128 users"
        for (std::size_t i = owner; i-- > 0 && !draft.at(i).is(Comma);)
            if (draft.at(i).is(Box) || draft.at(i).is(Group) || draft.at(i).is(Replicas))
                return true;
    const bool period = draft.is(owner, Time) && draft.is(draft.previous(owner), Every); // "每天人均 5 轮"
    return owner != none && !period && !isPeople(draft.at(owner))
        && (draft.isAny(owner, {HowFast, CostWord}) || dimensionOf(draft.at(owner).note).has_value());
}

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
    return isScope(meaning) ? meaning : Filler;
}

namespace {

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
    span.take(what);
    return true;
}

// Of what "each" is said: of users where it says so; money of cards, speeds and times of users, and what is
// counted of the counted things that were named last: "2 sites, 8 H200 each", "40 schools, 200 pupils each".
// `Each` where nothing tells, `Filler` where it is said of something else.
Meaning antecedent(const Draft& draft, const Span& span, std::size_t each)
{
    const bool machines = span.dimension == Dimension::Count;
    const bool people = !machines && isPeople(draft.at(span.last));
    if (draft.at(each).note
        == "user") // "每人 2 路并发", but "30 并发时每人速度", "speed per user with 25 users"
        return people && (each > span.number || says("how-many-share", draft, span)) ? Filler : User;
    if (span.isMoney())
        return Card;
    if (span.unit == Time || span.unit == Token || span.unit == TokenRate)
        return User;
    if (!machines && span.unit == Filler)
        return Each;
    for (std::size_t i = span.first; i-- > 0;) {
        const std::size_t number = draft.previous(i);
        const bool several = draft.isNumber(number) && draft.at(number).value > 1;
        const Meaning scope = several ? scopeAt(draft, i) : Filler;
        // "3 users each running 4 agents", "3 users, each runs 4", but "4 H100 each and 500 users"
        std::size_t before = draft.previous(each);
        before = draft.is(before, Comma) ? draft.previous(before) : before;
        const bool own = people && (scope == Card || (scope == User && before != i));
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
        && !(isPeople(draft.at(span.last)) && isPeople(draft.at(noun))); // "8 doctors each online"
    const Meaning scope = named ? scopeAt(draft, noun) : antecedent(draft, span, each);
    if (scope == Filler)
        return false;
    addScope(span, scope, {});
    span.take(each);
    if (named)
        span.take(noun);
    return true;
}

// What a rule says that a quantity is of one of, or per. False where nothing more is said.
bool takeSaid(const Draft& draft, Span& span, const Rule& rule, const Matched& matched)
{
    const std::string_view what = rule.effects.front().what;
    const auto item = [&](char name) { return matched.numbers.at(name); };
    if (what == "each")
        return takeEach(draft, span, item('e'));
    if (what == "scope" && !takePer(draft, span, item('s')))
        return false;
    if (what == "time" || what == "rate") {
        const double seconds = draft.at(item('t')).value;
        span.perTime = what == "rate"       ? 1 / seconds
            : matched.numbers.contains('n') ? seconds * draft.at(item('n')).value
                                            : seconds;
    }
    if (const Meaning scope = Lexicon::shipped().meaningOf(what); scope != Filler) // "Token", "Request"
        addScope(span, scope, {});
    if (what == "other") // of one of something that no role is said of
        addScope(span, draft.at(item('o')).meaning, {});
    span.takeAll(matched.taken);
    return true;
}

} // namespace

void readPerBehind(const Draft& draft, Span& span)
{
    Matched matched;
    for (bool more = span.unit != Percentile; more;) { // "P99 每 token 40 毫秒"
        const std::size_t last = span.last;
        const Rule* const rule = ruleAround("per-behind", draft, span, span, matched);
        more = rule != nullptr && takeSaid(draft, span, *rule, matched) && span.last > last;
    }
}

void readPerInFront(const Draft& draft, Span& span)
{
    Matched matched;
    const auto inFront = [&](std::string_view stage) {
        const Rule* const rule = ruleAround(stage, draft, span, span, matched);
        return rule != nullptr && takeSaid(draft, span, *rule, matched);
    };
    if (inFront("period-in-front"))
        return;
    const std::size_t word = draft.previous(span.first);
    const bool each = draft.is(word, Each) || (draft.is(word, Every) && span.unit == Watt); // "每个 15 千瓦"
    if (const Meaning scope = each ? antecedent(draft, span, word) : Filler;
        scope != Filler && !belongsBefore(draft, word)) { // "每用户 2000 token/s"
        addScope(span, scope, {});
        span.take(word);
    }
    for (bool more = true; more;) {
        const std::size_t first = span.first;
        more = inFront("every-in-front") && span.first < first;
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
    if (machines && says("of-replica", draft, span)) // "3 replicas of 4 H100"
        addScope(span, Replicas, {});
    if (says("of-group", draft, span)) // "3 teams of 25 people"
        addScope(span, Group, {});
    if (says("of-user", draft, span)) // "5 agents x 20 threads"
        addScope(span, User, {});
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
