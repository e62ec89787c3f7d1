#include "model/ask/draft_teller.h"
#include "model/ask/settle.h"
#include "model/base/figure_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <utility>

namespace headroom::ask {

using enum Meaning;

namespace {

// Of the people who may use a service those who do at the same time, where nothing else is known: "typically
// ratios of around 10 %" (docs.infor.com, EPM hardware recommendations, "Concurrent users vs. named users").
constexpr double usualShareAtOnce = 0.1;

std::string usersAtOnce(const Draft& draft, double users)
{
    const Role& role = roleCalled("users");
    return draft.tell(oneOrMany(draft.say(role.read), users), countText(users));
}

std::string usersInAll(const Draft& draft, double users)
{
    return draft.tell("{} users, not all at once", countText(users));
}

class Load : DraftTeller {
public:
    Load(Draft& draft, Settled& settled)
        : DraftTeller(draft), m_settled(settled), m_scenario(draft.question.scenario)
    {}

    void settle()
    {
        m_share = m_settled.find("share");
        m_rate = m_settled.find("rps");
        const Assigned* const busiest = m_settled.find("peakRate");
        static const Meaning peakRate = Lexicon::shipped().meaningOf("PeakRate");
        if (busiest != nullptr && busiest->span.dimension == Dimension::Plain
            && !m_draft.mentions(RequestRate) && !m_draft.mentions(Request) && !m_draft.mentions(peakRate))
            return m_draft.problem(busiest->span, tell("a number of what?"), // "300 at peak"
                                   tell("e.g. '500 users', '8k prompts', '20 TPS', '2s TTFT', '8x H100'"));
        if (m_rate == nullptr)
            m_rate = busiest;
        m_think = m_settled.find("think");
        ofDay();
        ofEach();
        const Assigned* const all = m_settled.find("everyone");
        if (const Assigned* const few = m_settled.find("users"); few != nullptr && all != nullptr
            && m_share != nullptr && few->span.dimension == Dimension::People)
            m_draft.unused(takeQuantity(m_draft, *few), // "3 admins for 1,400 employees, 8% active"
                           tell("not used: {} are all users", countText(all->span.value)));
        else
            users();
        everyone();
        daily();
        share();
        think();
        rate();
        if (busiest != nullptr && m_rate != busiest)
            peakOverMean(*busiest);
        corpus();
        if (const Assigned* const turns = m_settled.find("turns"); turns != nullptr && m_rate == nullptr) {
            const Place said = takeQuantity(m_draft, *turns);
            m_draft.unused(
                said, tell("not used: every turn adds to the prompt; say how long the prompt is on average"));
        }
    }

private:
    // "a knowledge base, 30,000 documents; 15 ask at once": what is searched is no job.
    void corpus()
    {
        static const Meaning job = Lexicon::shipped().meaningOf("Job");
        const Role& searched = roleCalled("corpus");
        for (Assigned& quantity : m_settled.quantities)
            if (quantity.is("jobRequests") && (m_scenario.concurrency || m_scenario.requestsPerSecond)
                && !m_draft.mentions(job) && m_settled.find("deadline") == nullptr) {
                m_draft.unused(takeQuantity(m_draft, quantity), std::string(say(searched.why)));
                quantity.role = nullptr;
            }
    }

    // "5,000 users a day, each asks 10 questions"
    void ofDay()
    {
        const Assigned* const each = m_settled.find("perDay");
        if (each == nullptr || m_rate != nullptr)
            return;
        m_ofEach = *each;
        m_ofEach->role = &roleCalled("rps");
        m_ofEach->span.perTime = 86400;
        m_ofEach->span.per.push_back(User);
        m_rate = &*m_ofEach;
    }

    // "500 users, 20 requests a day": fewer than there are users can only be of each.
    void ofEach()
    {
        constexpr double minute = 60;
        if (m_rate == nullptr)
            return;
        const Span& span = m_rate->span;
        const bool inUnit = span.perTime <= 0 && span.unit == RequestRate; // "requests a day"
        const double period = inUnit ? 1 / span.unitValue : span.perTime;
        const double number = inUnit ? span.value * period : span.value;
        if (period < minute || !span.per.empty() || m_draft.is(m_draft.next(span.last), Total)
            || m_draft.is(m_draft.previous(span.first), Total))
            return;
        for (const std::string_view role : {"users", "everyone"})
            if (const Assigned* const people = m_settled.find(role);
                people != nullptr && people->span.per.empty() && number < people->span.value) {
                m_ofEach = *m_rate;
                m_ofEach->span.per.push_back(User);
                m_rate = &*m_ofEach;
                return m_draft.assume(tell("'{}' is of each user: say 'in total' if it is of all",
                                           m_draft.said(m_rate->span.first, m_rate->span.last)));
            }
    }

    void users()
    {
        const Assigned* const users = m_settled.find("users");
        if (users == nullptr)
            return;
        double value = users->span.value;
        const bool all = m_share != nullptr || m_think != nullptr || ratedEach(m_rate);
        Place place = takeQuantity(m_draft, *users);
        if (value < 1)
            return refuseValue(m_draft, *users->role, place, countText(value));
        if (!m_draft.once(say(users->role->name), countText(value), place))
            return;
        m_atOnce = std::any_of(users->span.parts.begin(), users->span.parts.end(),
                               [&](std::size_t i) {
                                   return m_draft.at(i).is(Moment) || m_draft.at(i).is(Concurrent);
                               })
            || (users->cue != none
                && (m_draft.at(users->cue).is(Moment) || m_draft.at(users->cue).is(Concurrent)));
        std::string why = ofGroups(users->span, place, value);
        if (const Assigned* const streams = m_settled.find("streams")) { // "3 users, 4 agents each"
            const Place said = takeQuantity(m_draft, *streams);
            m_draft.note(said, tell(streams->role->read, countText(streams->span.value)));
            why = tell("{} x {}", countText(value), countText(streams->span.value));
            value *= streams->span.value;
        }
        m_scenario.concurrency = value;
        m_users = value;
        constexpr double few = 5; // who sit around one machine
        if (users->span.dimension == Dimension::People && !m_atOnce && !all && value > few)
            m_draft.assume(
                tell("all {} are counted as there at once: say '10% active at once' if they are a staff",
                     countText(value)));
        if (users->span.from && why.empty()) {
            why = endOfRange(m_draft, users->span, value);
            if (!all)
                m_settled.easier.push_back({"concurrency", *users->span.from});
        }
        m_draft.note(place, all ? usersInAll(m_draft, value) : usersAtOnce(m_draft, value), why);
    }

    // "40 schools, 200 pupils each", "40 req/min per tenant, 30 tenants": all of them. What is told of it;
    // nothing where it is not said of groups.
    std::string ofGroups(const Span& span, const Place& place, double& value)
    {
        static const Meaning group = Lexicon::shipped().meaningOf("Group");
        const Assigned* const groups = m_settled.find("groups");
        if (!span.isPer(group))
            return {};
        if (groups == nullptr) {
            m_draft.problem(place, tell("of how many?"), tell("e.g. '40 schools, 200 users each'"));
            return {};
        }
        m_draft.takeAll(groups->span.parts);
        m_draft.take(groups->cue);
        const double each = std::exchange(value, value * groups->span.value);
        return tell("{} x {}", countText(groups->span.value), countText(each));
    }

    // "500 employees": what share of them is there at once is told as an assumption.
    void everyone()
    {
        const Assigned* people = m_settled.find("everyone");
        if (people == nullptr)
            return;
        for (Assigned& other : m_settled.quantities) // "2,000 people, 6 of them in IT"
            if (other.role == nullptr && !other.candidates.empty()
                && other.candidates.front().role == people->role && other.span.value > people->span.value) {
                m_draft.unused(takeQuantity(m_draft, *people),
                               tell("not used: {} are all users", countText(other.span.value)));
                other.role = people->role;
                people = &other;
            }
        Place place = takeQuantity(m_draft, *people);
        double value = people->span.value;
        if (value < 1)
            return refuseValue(m_draft, *people->role, place, countText(value));
        const std::string why = ofGroups(people->span, place, value);
        m_draft.note(place, usersInAll(m_draft, value), why);
        if (m_atOnce && m_scenario.concurrency.value_or(0) > value)
            return m_draft.problem(place, tell("more are there at once than there are"),
                                   tell("say one number of users"));
        if (m_settled.find("daily") != nullptr || m_settled.find("dailyShare") != nullptr)
            return; // what is said of each is of those of a day
        if (m_scenario.concurrency) {
            m_all = m_all ? m_all : std::optional(value);
            return;
        }
        m_users = value;
        if (m_share != nullptr || m_think != nullptr || ratedEach(m_rate)) {
            m_scenario.concurrency = value;
            return;
        }
        if (m_rate != nullptr || m_settled.totalTokenRate)
            return;
        m_scenario.concurrency = std::ceil(value * usualShareAtOnce);
        m_draft.setSaid(say("the number of users"), countText(*m_scenario.concurrency));
        m_draft.assume(tell("{} of the {} users are there at once: 10 %, as is usual; say '5% active at "
                            "once' if you know better",
                            countText(*m_scenario.concurrency), countText(value)));
    }

    void daily()
    {
        const Assigned* const share = m_settled.find("dailyShare"); // "日活 20%"
        const Assigned* const all = m_settled.find("everyone");
        const Assigned* const people = share != nullptr ? share : m_settled.find("daily");
        if (people == nullptr)
            return;
        const Place place = takeQuantity(m_draft, *people);
        if (share != nullptr && all == nullptr)
            return m_draft.problem(place, tell("of how many users?"),
                                   tell("'5000 users, 10% active at once'"));
        const double value = people->span.value * (share != nullptr ? all->span.value : 1);
        m_draft.note(place, usersInAll(m_draft, value));
        if (m_atOnce && m_scenario.concurrency) {
            m_all = value;
            return;
        }
        const bool known
            = m_share != nullptr || m_think != nullptr || m_rate != nullptr || m_settled.totalTokenRate;
        if (known && !m_scenario.concurrency
            && (m_share != nullptr || m_think != nullptr || ratedEach(m_rate)))
            m_scenario.concurrency = value;
        m_users = value;
        if (!known)
            m_draft.problem(place, tell("users of a day are not there at once: how much does each ask?"),
                            tell("'10,000 daily active users, each sends 20 requests a day'"));
    }

    // "10% are active at once".
    void share()
    {
        if (m_share == nullptr)
            return;
        const Place place = takeQuantity(m_draft, *m_share);
        if (!m_users || !m_scenario.concurrency || m_all)
            return m_draft.problem(place, tell("of how many users?"),
                                   tell("'5000 users, 10% active at once'"));
        constexpr double rounding = 1e-9;
        m_scenario.concurrency = std::ceil(*m_users * m_share->span.value - rounding);
        m_draft.note(place, usersAtOnce(m_draft, *m_scenario.concurrency));
    }

    // Who waits for an answer asks nothing meanwhile: with the time alone that they think it is the most they
    // ask.
    void think()
    {
        if (m_think == nullptr)
            return;
        const Place place = takeQuantity(m_draft, *m_think);
        const double seconds = m_think->span.value;
        if (!m_scenario.concurrency || !(seconds > 0))
            return m_draft.problem(place, tell("how many users?"), tell("'200 users, think time 30 s'"));
        const double perSecond = *m_scenario.concurrency / seconds;
        constexpr int digits = 3;
        m_draft.note(place, tell("at most {} requests/s, whole service", fewDigits(perSecond, digits)));
        m_draft.assume(
            tell("{} users who think {} s ask {} requests/s, and fewer while they wait for answers",
                 countText(*m_scenario.concurrency), countText(seconds), fewDigits(perSecond, digits)));
        m_scenario.concurrency.reset(); // how many are in flight follows from the rate
        m_scenario.requestsPerSecond = perSecond;
    }

    [[nodiscard]] static bool ratedEach(const Assigned* rate)
    {
        return rate != nullptr && (rate->span.isPer(User) || rate->span.interval);
    }

    void rate()
    {
        if (m_rate == nullptr)
            return;
        const Span& span = m_rate->span;
        const bool each = ratedEach(m_rate) && (m_users || m_scenario.concurrency);
        Place place = takeQuantity(m_draft, *m_rate);
        double perSecond = span.perSecond();
        if (m_rate->cue != none && m_draft.at(m_rate->cue).is(RequestRate) && span.unit != RequestRate
            && span.perTime <= 0)
            perSecond *= m_draft.at(m_rate->cue).value; // "RPM 300"
        if (!(perSecond > 0))
            return refuseValue(m_draft, *m_rate->role, place, countText(perSecond));
        if (span.isPer(User) && !each)
            return m_draft.problem(place, tell("of how many users?"),
                                   tell("'200 users, each sends 20 requests a day'"));
        if (each && m_all)
            return m_draft.problem(place, tell("each of all users, or of those who are there at once?"),
                                   tell("say one number of users"));
        std::string why = ofGroups(span, place, perSecond);
        if (const Assigned* const turns = m_settled.find("turns")) { // "each chat has 8 turns"
            const Place said = takeQuantity(m_draft, *turns);
            m_draft.note(said, tell("{} requests each", countText(turns->span.value)));
            perSecond *= turns->span.value;
        }
        if (each) {
            const double users = m_scenario.concurrency.value_or(m_users.value_or(1));
            why = tell("{} users x {} requests/s each", countText(users), countText(perSecond));
            perSecond *= users;
            m_scenario.concurrency.reset(); // how many are in flight follows from the rate
        }
        if (const Assigned* const window = m_settled.find("deadline"); window != nullptr && !each
            && span.perTime > window->span.value) { // "20 万 a day, within 8 hours"
            m_scenario.jobRequests = span.value;
            return m_draft.note(place, tell("a job of {} requests", countText(span.value)));
        }
        const Role& role = *m_rate->role;
        if (!m_draft.once(say(role.name), countText(perSecond), place))
            return;
        if (span.from && why.empty())
            why = endOfRange(m_draft, span, span.value);
        if (span.from && span.value > 0)
            m_settled.easier.push_back({"rps", perSecond * *span.from / span.value});
        m_scenario.requestsPerSecond = perSecond;
        constexpr double day = 86400;
        m_settled.evenDay = span.perTime >= day || (span.unit == RequestRate && span.unitValue <= 1 / day);
        m_draft.note(place, tell(role.read, countText(perSecond)), why);
    }

    // "50 QPS at the peak, 10 QPS on average".
    void peakOverMean(const Assigned& busiest)
    {
        const Place place = takeQuantity(m_draft, busiest);
        const Span& span = busiest.span;
        const double rate = span.perSecond();
        const double factor = rate / m_scenario.requestsPerSecond.value_or(rate);
        const Role& peak = roleCalled("peak");
        if (factor < 1)
            return refuseValue(m_draft, peak, place, countText(factor));
        m_scenario.peakFactor = factor;
        m_draft.note(place, tell(peak.read, countText(factor)));
    }

    Settled& m_settled;
    Scenario& m_scenario;
    const Assigned* m_share = nullptr;
    const Assigned* m_rate = nullptr;
    const Assigned* m_think = nullptr;
    std::optional<Assigned> m_ofEach; // a rate that is of each user
    bool m_atOnce = false;            // it was said that the users are there at once
    std::optional<double> m_users;    // that a share or a rate of each is of
    std::optional<double> m_all;      // beside those who are there at once
};

} // namespace

void settleLoad(Draft& draft, Settled& settled) { Load(draft, settled).settle(); }

} // namespace headroom::ask
