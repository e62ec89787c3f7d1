#include "model/ask/rules.h"

#include <algorithm>
#include <string>
#include <utility>

namespace headroom::ask {

using enum Meaning;

namespace {

// What the rules of the table need of the rate of requests, and the rate itself.
class Rate {
public:
    Rate(Draft& draft, Settled& settled) : m_draft(draft), m_settled(settled) {}

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

    Draft& m_draft;
    Settled& m_settled;
};

} // namespace

void settleLoad(Draft& draft, Settled& settled)
{
    Rate rate(draft, settled);
    rate.choose();
    applyWhole("load", draft, settled);
    applyWhole("rate", draft, settled);
    applyWhole("beside-rate", draft, settled);
}

} // namespace headroom::ask
