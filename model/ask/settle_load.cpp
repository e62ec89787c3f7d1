#include "model/ask/draft_teller.h"
#include "model/ask/settle.h"
#include "model/base/figure_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>

namespace headroom::ask {

using enum Meaning;

namespace {

// Of the people who may use a service those who do at the same time, where nothing else is known: "typically
// ratios of around 10 %" (docs.infor.com, EPM hardware recommendations, "Concurrent users vs. named users").
constexpr double usualShareAtOnce = 0.1;

std::string usersAtOnce(const Draft& draft, double users)
{
    return fmt::format(
        fmt::runtime(users == 1 ? draft.say("{} user at once, whole service", "整个服务 {} 个并发用户")
                                : draft.say("{} users at once, whole service", "整个服务 {} 个并发用户")),
        countText(users));
}

std::string usersInAll(const Draft& draft, double users)
{
    return draft.tell("{} users, not all at once", "共 {} 个用户，并非同时在线", countText(users));
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
        if (m_rate == nullptr)
            m_rate = busiest;
        m_think = m_settled.find("think");
        users();
        everyone();
        daily();
        share();
        think();
        rate();
    }

private:
    [[nodiscard]] Place peopleAt(const Assigned& quantity)
    {
        Place place = takeQuantity(m_draft, quantity);
        widen(m_draft, place, {Total, Concurrent, Moment, User});
        return place;
    }

    void users()
    {
        const Assigned* const users = m_settled.find("users");
        if (users == nullptr)
            return;
        double value = users->span.value;
        const bool all = m_share != nullptr || m_think != nullptr || ratedEach(m_rate);
        Place place = peopleAt(*users);
        if (value < 1)
            return m_draft.problem(place.first, place.last,
                                   tell("a service has at least one user", "至少要有一个用户"), "1, 10, 500");
        const Role& role = *users->role;
        if (!m_draft.once(say(role.nameEnglish, role.nameChinese), countText(value), place.first, place.last))
            return;
        m_atOnce = std::any_of(users->span.parts.begin(), users->span.parts.end(),
                               [&](std::size_t i) {
                                   return m_draft.at(i).is(Moment) || m_draft.at(i).is(Concurrent);
                               })
            || (users->cue != none
                && (m_draft.at(users->cue).is(Moment) || m_draft.at(users->cue).is(Concurrent)));
        std::string why;
        const Assigned* const groups = m_settled.find("groups");
        const std::size_t each = m_draft.next(place.last);
        if (groups != nullptr
            && (users->span.each || m_draft.is(each, Each))) { // "40 schools, 200 pupils each"
            m_draft.takeAll(groups->span.parts);
            m_draft.take(groups->cue);
            m_draft.take(each);
            why = tell("{} x {}", "{} × {}", countText(groups->span.value), countText(value));
            value *= groups->span.value;
        }
        m_scenario.concurrency = value;
        m_users = value;
        if (users->span.from)
            why = tell("of {} to {} the most", "{} 至 {} 取上限", countText(*users->span.from),
                       countText(value));
        m_draft.note(place.first, place.last, all ? usersInAll(m_draft, value) : usersAtOnce(m_draft, value),
                     why);
    }

    // "500 employees": what share of them is there at once is told as an assumption.
    void everyone()
    {
        const Assigned* const people = m_settled.find("everyone");
        if (people == nullptr)
            return;
        Place place = takeQuantity(m_draft, *people);
        const double value = people->span.value;
        if (value < 1)
            return m_draft.problem(place.first, place.last,
                                   tell("a service has at least one user", "至少要有一个用户"), "1, 10, 500");
        m_draft.note(place.first, place.last, usersInAll(m_draft, value));
        if (m_settled.find("daily") != nullptr)
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
        m_draft.setSaid(say("the number of users", "用户数"), countText(*m_scenario.concurrency));
        m_draft.assume(tell("{} of the {} users are there at once: 10 %, as is usual; say '5% active at "
                            "once' if you know better",
                            "{1} 个用户中按常见的 10% 计，同时在线 {0} 人；若有实际数据，请写“5% 同时在线”",
                            countText(*m_scenario.concurrency), countText(value)));
    }

    void daily()
    {
        const Assigned* const people = m_settled.find("daily");
        if (people == nullptr)
            return;
        Place place = peopleAt(*people);
        const double value = people->span.value;
        m_draft.note(place.first, place.last, usersInAll(m_draft, value));
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
            m_draft.problem(place.first, place.last,
                            tell("users of a day are not there at once: how much does each ask?",
                                 "日活用户不会同时在线：每人每天多少次请求？"),
                            tell("'10,000 daily active users, each sends 20 requests a day'",
                                 "例如“日活 1 万，每人每天 20 次请求”"));
    }

    // "10% are active at once".
    void share()
    {
        if (m_share == nullptr)
            return;
        Place place = takeQuantity(m_draft, *m_share);
        widen(m_draft, place, {Concurrent, Moment});
        if (!m_users || !m_scenario.concurrency)
            return m_draft.problem(place.first, place.last, tell("of how many users?", "占多少用户？"),
                                   tell("'5000 users, 10% active at once'", "“5000 用户，10% 同时在线”"));
        constexpr double rounding = 1e-9;
        m_scenario.concurrency = std::ceil(*m_users * m_share->span.value - rounding);
        m_draft.note(place.first, place.last, usersAtOnce(m_draft, *m_scenario.concurrency));
    }

    // Who waits for an answer asks nothing meanwhile: with the time alone that they think it is the most they
    // ask.
    void think()
    {
        if (m_think == nullptr)
            return;
        Place place = takeQuantity(m_draft, *m_think);
        widen(m_draft, place, {ThinkTime});
        const double seconds = m_think->span.value;
        if (!m_scenario.concurrency || !(seconds > 0))
            return m_draft.problem(place.first, place.last, tell("of how many users?", "多少个用户？"),
                                   tell("'200 users, think time 30 s'", "“200 用户，思考时间 30 秒”"));
        const double perSecond = *m_scenario.concurrency / seconds;
        constexpr int digits = 3;
        m_draft.note(place.first, place.last,
                     tell("at most {} requests/s, whole service", "整个服务每秒至多 {} 个请求",
                          fewDigits(perSecond, digits)));
        m_draft.assume(
            tell("{} users who think {} s ask {} requests/s, and fewer while they wait for answers",
                 "{} 个用户每次思考 {} 秒，即每秒 {} 个请求；等待回答时更少",
                 countText(*m_scenario.concurrency), countText(seconds), fewDigits(perSecond, digits)));
        m_scenario.concurrency.reset(); // how many are in flight follows from the rate
        m_scenario.requestsPerSecond = perSecond;
    }

    [[nodiscard]] bool ratedEach(const Assigned* rate) const
    {
        if (rate == nullptr)
            return false;
        const std::size_t before = m_draft.previous(rate->span.first);
        const bool unitEach = m_draft.is(before, Each) || rate->span.interval;
        const bool who = before != none && m_draft.at(before).kind == ItemKind::Word
            && m_draft.is(m_draft.previous(before), Each);
        return rate->span.each || unitEach || who;
    }

    void rate()
    {
        if (m_rate == nullptr)
            return;
        const Span& span = m_rate->span;
        const bool each = ratedEach(m_rate) && (m_users || m_scenario.concurrency);
        const std::size_t before = m_draft.previous(span.first);
        Place place = takeQuantity(m_draft, *m_rate);
        if (m_draft.is(before, Each))
            m_draft.take(before);
        double perSecond = span.perTime > 0 ? span.value / span.perTime : span.value;
        if (m_rate->cue != none && m_draft.at(m_rate->cue).is(RequestRate) && span.unit != RequestRate)
            perSecond *= m_draft.at(m_rate->cue).value; // "RPM 300"
        if (!(perSecond > 0))
            return m_draft.problem(place.first, place.last, tell("a rate is above zero", "速率必须大于零"),
                                   "5 rps");
        if (each && m_all)
            return m_draft.problem(place.first, place.last,
                                   tell("each of all users, or of those who are there at once?",
                                        "是全部用户中的每人，还是同时在线的每人？"),
                                   tell("say one number of users", "只说其中一个用户数"));
        std::string why;
        if (each) {
            const double users = m_scenario.concurrency.value_or(m_users.value_or(1));
            why = tell("{} users x {} requests/s each", "{} 个用户 × 每人每秒 {} 个请求", countText(users),
                       countText(perSecond));
            perSecond *= users;
            m_scenario.concurrency.reset(); // how many are in flight follows from the rate
        }
        if (const Assigned* const window = m_settled.find("deadline"); window != nullptr && !each
            && span.perTime > window->span.value) { // "20 万 a day, within 8 hours"
            m_scenario.jobRequests = span.value;
            return m_draft.note(place.first, place.last,
                                tell("a job of {} requests", "共 {} 个请求的任务", countText(span.value)));
        }
        const Role& role = *m_rate->role;
        if (!m_draft.once(say(role.nameEnglish, role.nameChinese), countText(perSecond), place.first,
                          place.last))
            return;
        m_scenario.requestsPerSecond = perSecond;
        constexpr double day = 86400;
        m_settled.evenDay = span.perTime >= day || (span.unit == RequestRate && span.unitValue <= 1 / day);
        m_draft.note(place.first, place.last, tell(role.readEnglish, role.readChinese, countText(perSecond)),
                     why);
    }

    Settled& m_settled;
    Scenario& m_scenario;
    const Assigned* m_share = nullptr;
    const Assigned* m_rate = nullptr;
    const Assigned* m_think = nullptr;
    bool m_atOnce = false;         // it was said that the users are there at once
    std::optional<double> m_users; // that a share or a rate of each is of
    std::optional<double> m_all;   // beside those who are there at once
};

} // namespace

void settleLoad(Draft& draft, Settled& settled) { Load(draft, settled).settle(); }

} // namespace headroom::ask
