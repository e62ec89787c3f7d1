#include "model/ask/rules.h"

#include <algorithm>
#include <vector>

namespace headroom::ask {

namespace {

using People = std::vector<Assigned*>;

bool isUsers(const Assigned& one)
{
    return one.is("users") || one.is("everyone")
        || (one.role == nullptr && !one.candidates.empty() && one.candidates.front().role->id == "users");
}

// By the words of its clause, where it is the only number of people there.
bool isAtOnce(const Draft& draft, const People& people, const Assigned& one)
{
    const auto [first, end] = draft.clauseOf(one.span.first);
    const auto inClause = [first, end](std::size_t i) { return i >= first && i < end; };
    const auto atOnce = [&](std::size_t i) { return says("there-at-once", draft, i); };
    return draft.any({first, end}, atOnce)
        && std::none_of(people.begin(), people.end(),
                        [&](Assigned* rival) { return rival != &one && inClause(rival->span.number); });
}

// More of them are all there are; fewer are no part of it: "a team of 5 for 200 users".
void settleOther(Draft& draft, const Settled& settled, Assigned& one, double there)
{
    if (one.is("everyone") && one.span.value >= there)
        return;
    const bool more = one.span.value > there && settled.find("everyone") == nullptr;
    one.role = more ? &roleCalled("everyone") : nullptr;
    one.nearly = nullptr;
    if (more)
        return;
    draft.takeAll(one.span.parts);
    draft.unused(one.span, draft.tell("not used: {} are there at once", countText(there)));
}

} // namespace

// Of several numbers of people the one that is said to be there at once is the load.
void settlePeople(Draft& draft, Settled& settled)
{
    People people;
    for (Assigned& one : settled.quantities)
        if (one.span.value != 1 && one.span.per.empty() && isUsers(one))
            people.push_back(&one);
    const auto there = [&](const Assigned* one) { return isAtOnce(draft, people, *one); };
    if (people.size() < 2 || std::count_if(people.begin(), people.end(), there) != 1)
        return;
    Assigned& load = **std::find_if(people.begin(), people.end(), there);
    for (Assigned* const one : people)
        if (one != &load)
            settleOther(draft, settled, *one, load.span.value);
    for (const Candidate& candidate : load.candidates)
        if (candidate.role->id == "users" && !load.is("users")) {
            load.role = candidate.role;
            load.cue = candidate.cue;
            load.nearly = nullptr;
        }
}

} // namespace headroom::ask
