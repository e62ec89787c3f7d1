#include "model/ask/settle.h"

#include <algorithm>
#include <vector>

namespace headroom::ask {

using enum Meaning;

namespace {

bool saysAtOnce(const Item& item) { return item.is(Concurrent) || item.is(Moment) || item.is(Active); }

// Of several numbers of people the one that is said to be there at once is the load.
class People {
public:
    People(Draft& draft, Settled& settled) : m_draft(draft), m_settled(settled) {}

    void settle()
    {
        for (Assigned& one : m_settled.quantities)
            if (one.span.value != 1 // "一般"
                && one.span.per.empty() && !m_draft.isRead(one.span.number)
                && (one.is("users") || one.is("everyone")
                    || (one.role == nullptr && !one.candidates.empty()
                        && one.candidates.front().role->id == "users")))
                m_people.push_back(&one);
        const auto atOnce = [&](const Assigned* one) { return isAtOnce(*one); };
        if (m_people.size() < 2 || std::count_if(m_people.begin(), m_people.end(), atOnce) != 1)
            return;
        Assigned& load = **std::find_if(m_people.begin(), m_people.end(), atOnce);
        for (Assigned* const one : m_people)
            if (one != &load)
                other(*one, load);
        for (const Candidate& candidate : load.candidates)
            if (candidate.role->id == "users" && !load.is("users")) {
                load.role = candidate.role;
                load.cue = candidate.cue;
                load.nearly = nullptr;
            }
    }

private:
    // By its own words, or by those of its clause where it is the only number of people there.
    [[nodiscard]] bool isAtOnce(const Assigned& one) const
    {
        const auto says = [&](std::size_t i) { return saysAtOnce(m_draft.at(i)); };
        const Place clause = m_draft.clauseOf(one.span.first);
        const std::size_t first = clause.first;
        const std::size_t end = clause.last;
        if ((one.cue != none && one.cue >= first && one.cue < end && says(one.cue))
            || std::any_of(one.span.parts.begin(), one.span.parts.end(), says))
            return true;
        return m_draft.any(clause, says)
            && std::none_of(m_people.begin(), m_people.end(), [&](const Assigned* rival) {
                   return rival != &one && rival->span.number > first && rival->span.number < end;
               });
    }

    // More of them are all there are; fewer are no part of it: "a team of 5 for 200 users".
    void other(Assigned& one, const Assigned& load)
    {
        const bool all
            = one.cue != none && (m_draft.at(one.cue).is(Registered) || m_draft.at(one.cue).is(Staff));
        if (one.is("everyone") && (all || one.span.value >= load.span.value))
            return;
        const bool more = one.span.value > load.span.value && m_settled.find("everyone") == nullptr;
        one.role = more ? &roleCalled("everyone") : nullptr;
        one.nearly = nullptr;
        if (!more)
            m_draft.unused(takeParts(one),
                           m_draft.tell("not used: {} are there at once", countText(load.span.value)));
    }

    Place takeParts(const Assigned& one)
    {
        m_draft.takeAll(one.span.parts);
        return {one.span.first, one.span.last};
    }

    Draft& m_draft;
    Settled& m_settled;
    std::vector<Assigned*> m_people;
};

} // namespace

void settlePeople(Draft& draft, Settled& settled) { People(draft, settled).settle(); }

} // namespace headroom::ask
