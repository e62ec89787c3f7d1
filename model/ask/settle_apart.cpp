#include "model/ask/settle.h"

#include <algorithm>
#include <vector>

namespace headroom::ask {

namespace {

using Numbers = std::vector<Assigned*>;

Numbers numbersOf(Draft& draft, const auto& so)
{
    Numbers numbers;
    for (Assigned& one : draft.quantities)
        if (so(one))
            numbers.push_back(&one);
    return numbers;
}

// Whether a plan is made of it: a number without a role, too, may have been meant to be one's.
bool isUsed(const Draft& draft, const Assigned& one)
{
    const Role* const role = one.likely();
    if (role == nullptr)
        return static_cast<bool>(ruleAround("matters", draft, one.span));
    const bool job = draft.find("jobTokens") != nullptr || draft.find("jobRequests") != nullptr;
    const Setting* const thing = role->setting("thing"); // "2 monitors"; "thing=Plain": where it has no unit
    const bool things
        = thing != nullptr && (thing->values.empty() || dimensionOf(thing->value()) == one.span.dimension);
    return (role->key != "-" || role->setting("matters") != nullptr)
        && (role->setting("ofJob") == nullptr || job)
        && (!things || one.cue != none || !says("of-stranger", draft, one.span));
}

void readSentence(Draft& draft, Place part)
{
    const Numbers numbers = numbersOf(draft, [&](const Assigned& one) { return one.span.isIn(part); });
    const bool amount = std::ranges::any_of(numbers, [](const Assigned* one) {
        return one->span.isMoney() && one->span.dimension != Dimension::MoneyOfTokens;
    });
    if (draft.any(part, [&](std::size_t i) { return draft.isRead(i); }) || saysIn("of-plan", draft, part)
        || (!amount && saysIn("of-cost", draft, part)) || !saysIn("figure", draft, part)
        || std::ranges::any_of(numbers, [&](const Assigned* one) { return isUsed(draft, *one); }))
        return;
    for (std::size_t i = part.first; i < part.last; ++i)
        draft.take(i);
    for (Assigned* const one : numbers)
        one->role = nullptr;
    draft.unused({part.first, part.last - 1},
                 draft.tell("not used: it seems to have no bearing on the plan"));
}

// More of them are all there are; fewer are no part of it: "a team of 5 for 200 users".
void settleOther(Draft& draft, Assigned& one, double there)
{
    if (one.is("everyone") && one.span.value >= there)
        return;
    const bool more = one.span.value > there && draft.find("everyone") == nullptr;
    one.become(more ? &roleCalled("everyone") : nullptr, one.cue);
    if (more)
        return;
    draft.takeAll(one.span.parts);
    draft.unused(one.span, draft.tell("not used: {} are there at once", countText(there)));
}

} // namespace

// Whole sentences that name nothing, ask nothing and have no number that a plan is made of: "Backups are kept
// for 90 days." Their words say nothing of the question either.
void settleApart(Draft& draft)
{
    const auto joined = [&](std::size_t i) { return i < draft.size() && draft.at(i).text == ";"; };
    for (std::size_t first = 0, end = 0; could("model-there", draft) && first < draft.size();
         first = end + 1) {
        end = draft.partOf(first, [](const Item& item) { return item.endsSentence(); }).last;
        if (end > first && !joined(end) && !joined(first - 1))
            readSentence(draft, {first, end});
    }
}

// Of several numbers of people the one that is said to be there at once is the load.
void settlePeople(Draft& draft)
{
    const Numbers people = numbersOf(draft, [](const Assigned& one) {
        return one.span.value != 1 && one.span.per.empty()
            && (one.is("everyone") || (one.likely() != nullptr && one.likely()->id == "users"));
    });
    const auto atOnce = [&](const Assigned* one) { // by its clause, in which it stands alone
        const Place clause = draft.partOf(one->span.first, [](const Item& item) {
            return item.is(Meaning::Comma) || item.text == "(" || item.text == ")";
        });
        return saysIn("there-at-once", draft, clause) && std::ranges::none_of(people, [&](Assigned* rival) {
                   return rival != one && rival->span.isIn(clause);
               });
    };
    if (people.size() < 2 || std::ranges::count_if(people, atOnce) != 1)
        return;
    Assigned& load = **std::ranges::find_if(people, atOnce);
    for (Assigned* const one : people)
        if (one != &load)
            settleOther(draft, *one, load.span.value);
    for (const Candidate& candidate : load.candidates)
        if (candidate.role->id == "users" && !load.is("users"))
            load.become(candidate.role, candidate.cue);
}

} // namespace headroom::ask
