#include "model/ask/rules.h"

#include <algorithm>
#include <string>
#include <utility>

namespace headroom::ask {

using enum Meaning;

bool isOfEach(const Span& rate) { return rate.isPer(User) || rate.interval; }

std::string ofGroups(Draft& draft, const Settled& settled, const Span& span, const Place& place,
                     double& value)
{
    const Assigned* const groups = settled.find("groups");
    if (!span.isPer(Group))
        return {};
    if (groups == nullptr) {
        draft.problem(place, draft.tell("of how many?"), draft.tell("e.g. '40 schools, 200 users each'"));
        return {};
    }
    draft.takeAll(groups->span.parts);
    draft.take(groups->cue);
    const double each = std::exchange(value, value * groups->span.value);
    return draft.tell("{} x {}", countText(groups->span.value), countText(each));
}

namespace {

// What the rules of the table need of the rate of requests, and the rate itself.
class Rate {
public:
    Rate(Draft& draft, Settled& settled)
        : m_draft(draft), m_settled(settled), m_scenario(draft.question.scenario)
    {}

    void choose()
    {
        const Assigned* const each = m_settled.find("perDay");
        for (const std::string_view role : {"peakRate", "rps"})
            if (const Assigned* const rate = m_settled.find(role))
                m_settled.rate = *rate;
        if (each != nullptr && !m_settled.rate) { // "5,000 users a day, each asks 10 questions"
            m_settled.rate = *each;
            m_settled.rate->role = &roleCalled("rps");
            m_settled.rate->span.perTime = 86400;
            m_settled.rate->span.per.push_back(User);
        }
        if (m_settled.rate)
            ofEach(m_settled.rate->span);
    }

    // "2,000 people, 6 of them in IT"
    void allPeople()
    {
        for (Assigned& people : m_settled.quantities)
            for (Assigned& other : m_settled.quantities)
                if (people.is("everyone") && other.role == nullptr && !other.candidates.empty()
                    && other.candidates.front().role == people.role && other.span.value > people.span.value) {
                    m_draft.unused(takeQuantity(m_draft, people),
                                   m_draft.tell("not used: {} are all users", countText(other.span.value)));
                    std::swap(people.role, other.role);
                }
    }

    void settle()
    {
        if (m_settled.rate)
            settle(*m_settled.rate);
    }

private:
    // "500 users, 20 requests a day": fewer than there are users can only be of each.
    void ofEach(Span& span)
    {
        constexpr double minute = 60;
        const bool inUnit = span.perTime <= 0 && span.unit == RequestRate; // "requests a day"
        const double period = inUnit ? 1 / span.unitValue : span.perTime;
        const double number = inUnit ? span.value * period : span.value;
        if (period < minute || !span.per.empty() || m_draft.is(m_draft.next(span.last), Total)
            || m_draft.is(m_draft.previous(span.first), Total))
            return;
        for (const std::string_view role : {"users", "everyone"})
            if (const Assigned* const people = m_settled.find(role);
                people != nullptr && people->span.per.empty() && number < people->span.value) {
                span.per.push_back(User);
                return m_draft.assume(m_draft.tell("'{}' is of each user: say 'in total' if it is of all",
                                                   m_draft.said(span.first, span.last)));
            }
    }

    void settle(const Assigned& rate)
    {
        const Span& span = rate.span;
        const auto& known = m_settled.known;
        const bool each = isOfEach(span) && (known.contains("base") || m_scenario.concurrency);
        Place place = takeQuantity(m_draft, rate);
        double perSecond = span.perSecond();
        if (!(perSecond > 0))
            return refuseValue(m_draft, *rate.role, place, countText(perSecond));
        if (span.isPer(User) && !each)
            return m_draft.problem(place, m_draft.tell("of how many users?"),
                                   m_draft.tell("'200 users, each sends 20 requests a day'"));
        if (each && known.contains("others"))
            return m_draft.problem(place,
                                   m_draft.tell("each of all users, or of those who are there at once?"),
                                   m_draft.tell("say one number of users"));
        std::string why = ofGroups(m_draft, m_settled, span, place, perSecond);
        const Assigned* const turns = m_settled.find("turns"); // "each chat has 8 turns"
        const double calls = turns == nullptr ? 1 : turns->span.value;
        if (turns != nullptr)
            m_draft.note(takeQuantity(m_draft, *turns), m_draft.tell("{} requests each", countText(calls)));
        perSecond *= calls;
        if (each) {
            const double users = m_scenario.concurrency ? *m_scenario.concurrency : known.at("base");
            why = m_draft.tell("{} users x {} requests/s each", countText(users), countText(perSecond));
            perSecond *= users;
            m_scenario.concurrency.reset(); // how many are in flight follows from the rate
        }
        if (const Assigned* const window = m_settled.find("deadline"); window != nullptr && !each
            && span.perTime > window->span.value) { // "20 万 a day, within 8 hours"
            m_scenario.jobRequests = span.value * calls;
            return m_draft.note(place, m_draft.tell("a job of {} requests", countText(span.value * calls)));
        }
        const Role& role = *rate.role;
        if (!m_draft.once(m_draft.say(role.name), countText(perSecond), place))
            return;
        if (span.from && why.empty())
            why = endOfRange(m_draft, span, span.value);
        if (span.from && span.value > 0)
            m_settled.easier.push_back({"rps", perSecond * *span.from / span.value});
        m_scenario.requestsPerSecond = perSecond;
        constexpr double day = 86400;
        if (span.perTime >= day || (span.unit == RequestRate && span.unitValue <= 1 / day))
            m_settled.known["even-day"] = 1;
        m_draft.note(place, m_draft.tell(role.read, countText(perSecond)), why);
    }

    Draft& m_draft;
    Settled& m_settled;
    Scenario& m_scenario;
};

} // namespace

void settleLoad(Draft& draft, Settled& settled)
{
    Rate rate(draft, settled);
    rate.choose();
    rate.allPeople();
    applyWhole("load", draft, settled);
    rate.settle();
    applyWhole("beside-rate", draft, settled);
}

} // namespace headroom::ask
