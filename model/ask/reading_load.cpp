#include "model/ask/reading.h"
#include "model/figure_text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>

namespace headroom::ask {

using enum Meaning;

namespace {

bool contains(std::string_view text, std::initializer_list<std::string_view> any)
{
    return std::any_of(any.begin(), any.end(),
                       [text](std::string_view one) { return text.find(one) != std::string_view::npos; });
}

// Counted over a day, or over all that ever come: not all of them are there at once.
bool ofOneDay(std::string_view text)
{
    return contains(text, {"registered", "注册"}) || text.starts_with("daily") || text == "dau"
        || text.starts_with("日活");
}

} // namespace

// "10% are active at once", "10% 的人同时在线", "在线率 10%": of the users that are said. "95% of active
// users" is no such share but whom a target holds for.
void Reading::readActiveShare()
{
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        const auto quantity = quantityAt(i);
        if (!quantity || quantity->unit != Percent)
            continue;
        std::size_t first = quantity->first;
        std::size_t last = quantity->last - 1;
        const std::size_t topic = topicLeft(first, {Concurrent});
        const std::size_t after = next(last);
        if (topic != none && contains(at(topic).text, {"率", "比例"})) {
            first = topic;
        } else if (is(after, Concurrent) && !contains(at(after).text, {"request", "请求"})) {
            last = after;
        } else if (const auto users = quantityAt(after); users && users->unit == User
                   && is(next(users->last - 1), Concurrent)) { // "10% of 5000 users are active"
            last = next(users->last - 1);
        } else if (is(after, User) && is(next(after), Concurrent)) {
            take(after);
            last = next(after);
        } else if (is(after, User)
                   && (contains(at(after).text, {"同时", "在线"})
                       || (after == last + 1 && contains(at(after).text, {"active", "online"})))) {
            last = after;
        } else {
            continue;
        }
        if (is(next(last), Concurrent)) // "active at once"
            last = next(last);
        take(*quantity);
        take(first);
        take(last);
        for (std::size_t j = first; j <= last; ++j)
            if (is(j, Concurrent))
                take(j);
        if (!(quantity->value > 0) || quantity->value > 1 || m_activeShare)
            problem(first, last,
                    std::string(say("a share of the users, said once", "应为用户的占比，且只说一遍")),
                    std::string(say("'5000 users, 10% active at once'", "“5000 用户，10% 同时在线”")));
        else
            m_activeShare = OfUsers{.value = quantity->value, .first = first, .last = last};
    }
}

// "think time 30 s", "each thinks for 20 seconds", "思考时间 30 秒".
void Reading::readThinkTime()
{
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        const auto quantity = quantityAt(i);
        if (!quantity || quantity->unit != Time)
            continue;
        std::size_t topic = topicLeft(quantity->first, {ThinkTime});
        if (topic == none)
            topic = topicRight(quantity->last - 1, {ThinkTime});
        if (topic == none || m_thinkSeconds)
            continue;
        take(*quantity);
        take(topic);
        if (is(next(quantity->last - 1), ThinkTime)) // "pause 15 seconds between messages"
            take(next(quantity->last - 1));
        m_thinkSeconds = OfUsers{.value = quantity->value,
                                 .first = std::min(topic, quantity->first),
                                 .last = std::max(topic, quantity->last - 1)};
    }
}

// "500 users", "并发 64", "concurrency of 64", "500 人同时使用". How many are there at once is the load,
// beside which all users and those of a day are only told.
void Reading::readUsers()
{
    for (const UsersOf whom : {UsersOf::Moment, UsersOf::Service, UsersOf::Day})
        for (std::size_t i = 0; i < m_items.size(); ++i)
            readUsersAt(i, whom);
}

// The words that a number of users stands with.
std::optional<Reading::CountedUsers> Reading::usersAt(std::size_t number) const
{
    auto quantity = quantityAt(number);
    if (!quantity)
        return std::nullopt;
    const std::size_t after = next(quantity->last - 1);
    const bool counted = quantity->unit == User || quantity->unit == Concurrent
        || (quantity->unit == Request && quantity->perTime == 0 && is(after, Concurrent));
    const std::size_t topic = topicLeft(number, {Concurrent, User});
    if (!counted && (quantity->unit != Filler || topic == none))
        return std::nullopt;
    CountedUsers users{.words = *std::move(quantity)};
    const auto add = [&](std::size_t word) {
        users.words.parts.push_back(word);
        users.words.first = std::min(users.words.first, word);
        users.words.last = std::max(users.words.last, word + 1);
    };
    // "日活 1 万人", "同时在线 100 人" have words on both sides.
    if (topic != none && (!counted || is(topic, Concurrent) || ofOneDay(at(topic).text)))
        add(topic);
    while (isAny(next(users.words.last - 1), {Concurrent, User, Request})
           && next(users.words.last - 1) - (users.words.last - 1) <= 2)
        add(next(users.words.last - 1));
    for (const std::size_t part : users.words.parts) {
        if (ofOneDay(at(part).text))
            users.ofDay = part;
        users.atOnce = users.atOnce || is(part, Concurrent)
            || (is(part, User)
                && contains(at(part).text,
                            {"同时", "在线", "并发", "concurrent", "online", "active", "simultaneous",
                             "at once", "same time"}));
    }
    return users;
}

void Reading::readUsersAt(std::size_t number, UsersOf whom)
{
    const auto users = usersAt(number);
    if (!users)
        return;
    const UsersOf said = users->ofDay != none ? UsersOf::Day
        : users->atOnce                       ? UsersOf::Moment
                                              : UsersOf::Service;
    if (whom != said)
        return;
    std::size_t first = users->words.first;
    std::size_t last = users->words.last - 1;
    take(users->words);
    if (is(previous(first), Total)) {
        first = previous(first);
        take(first);
    } else if (is(next(last), Total)) {
        last = next(last);
        take(last);
    }
    Scenario& s = m_question.scenario;
    const double value = users->words.value;
    if (whom != UsersOf::Moment && s.concurrency && value > *s.concurrency && !m_usersNotAtOnce
        && m_momentSaid) {
        m_usersNotAtOnce = value;
        note(first, last, usersInAll(value));
        return;
    }
    m_usersSaid = true;
    if (whom == UsersOf::Day)
        m_dailyUsers = users->ofDay;
    if (value < 1) {
        problem(first, last, std::string(say("a service has at least one user", "至少要有一个用户")),
                "1, 10, 500");
        return;
    }
    if (!once(std::string(say("the number of users", "用户数")), countText(value), first, last))
        return;
    m_momentSaid = m_momentSaid || whom == UsersOf::Moment;
    s.concurrency = value;
    note(first, last, usersAtOnce(value));
}

std::string Reading::usersInAll(double users) const
{
    return fmt::format(fmt::runtime(say("{} users, not all at once", "共 {} 个用户，并非同时在线")),
                       countText(users));
}

// The number that was read as users at once is one of all users.
void Reading::notAllAtOnce()
{
    const double users = *m_question.scenario.concurrency;
    for (Interpretation& one : m_question.interpretation)
        if (one.readAs == usersAtOnce(users))
            one.readAs = usersInAll(users);
}

void Reading::settleActiveShare()
{
    if (!m_activeShare)
        return;
    const auto [share, first, last] = *m_activeShare;
    auto& users = m_question.scenario.concurrency;
    if (!users) {
        problem(first, last, std::string(say("of how many users?", "占多少用户？")),
                std::string(say("'5000 users, 10% active at once'", "“5000 用户，10% 同时在线”")));
        return;
    }
    notAllAtOnce();
    constexpr double rounding = 1e-9;
    users = std::ceil(*users * share - rounding);
    m_dailyUsers = none;
    note(first, last, usersAtOnce(*users));
}

// Who waits for an answer asks nothing meanwhile: with the time alone that they think it is the most they
// ask.
void Reading::settleThinkTime()
{
    if (!m_thinkSeconds)
        return;
    const auto [seconds, first, last] = *m_thinkSeconds;
    Scenario& s = m_question.scenario;
    if (!s.concurrency || !(seconds > 0)) {
        problem(first, last, std::string(say("of how many users?", "多少个用户？")),
                std::string(say("'200 users, think time 30 s'", "“200 用户，思考时间 30 秒”")));
        return;
    }
    const double perSecond = *s.concurrency / seconds;
    if (!once(std::string(say("the request rate", "请求速率")), countText(perSecond), first, last))
        return;
    constexpr int digits = 3;
    note(first, last,
         fmt::format(fmt::runtime(say("at most {} requests/s, whole service", "整个服务每秒至多 {} 个请求")),
                     fewDigits(perSecond, digits)));
    m_question.assumptions.push_back(fmt::format(
        fmt::runtime(say("{} users who think {} s ask {} requests/s, and fewer while they wait for answers",
                         "{} 个用户每次思考 {} 秒，即每秒 {} 个请求；等待回答时更少")),
        countText(*s.concurrency), countText(seconds), fewDigits(perSecond, digits)));
    notAllAtOnce();
    s.concurrency.reset(); // how many are in flight follows from the rate
    s.requestsPerSecond = perSecond;
}

std::string Reading::usersAtOnce(double users) const
{
    return fmt::format(fmt::runtime(users == 1
                                        ? say("{} user at once, whole service", "整个服务 {} 个并发用户")
                                        : say("{} users at once, whole service", "整个服务 {} 个并发用户")),
                       countText(users));
}

// "100k requests a day", "1 billion tokens per month".
bool Reading::isOfDays(const Quantity& quantity) const
{
    constexpr double day = 86400;
    return quantity.perTime >= day
        || std::any_of(quantity.parts.begin(), quantity.parts.end(), [&](std::size_t part) {
               return m_items[part].is(RequestRate) && m_items[part].value <= 1 / day;
           });
}

// "each user asks every 20 seconds", "a request every 2 s", "每 2 秒一个请求": one in so long.
std::optional<Reading::Quantity> Reading::requestEvery(const Quantity& time) const
{
    const std::size_t every = previous(time.first);
    if (time.unit != Time || !(time.value > 0) || !is(every, Every))
        return std::nullopt;
    const std::size_t before = previous(every);
    const std::size_t after = next(time.last - 1);
    Quantity one = time;
    one.unit = Request;
    one.perTime = time.value;
    one.value = 1;
    one.parts.push_back(every);
    if (is(after, Request))
        one.parts.push_back(after);
    else if (is(before, Request) && !isNumber(previous(before)))
        one.parts.push_back(before);
    else if (!is(before, Each) || isNumber(after) || isAny(after, {Token, Output}))
        return std::nullopt;
    const auto [first, last] = std::minmax_element(one.parts.begin(), one.parts.end());
    one.first = *first;
    one.last = *last + 1;
    return one;
}

void Reading::readRates()
{
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        const auto quantity = quantityAt(i);
        if (!quantity)
            continue;
        const bool rate
            = quantity->unit == RequestRate || (quantity->unit == Request && quantity->perTime > 0);
        if (const auto interval = requestEvery(*quantity)) {
            takeRate(*interval);
        } else if (rate) {
            takeRate(*quantity);
        } else if (quantity->unit == Filler) {
            const std::size_t topic = topicLeft(i, {RequestRate});
            if (topic == none)
                continue;
            Quantity whole = *quantity;
            whole.value *= at(topic).value;
            whole.parts.push_back(topic);
            whole.first = std::min(whole.first, topic);
            takeRate(whole);
        }
    }
}

void Reading::takeRate(const Quantity& quantity)
{
    take(quantity);
    Scenario& s = m_question.scenario;
    double perSecond = quantity.perTime > 0 ? quantity.value / quantity.perTime : quantity.value;
    const std::size_t before = previous(quantity.first);
    bool each = quantity.each || is(before, Each);
    const std::size_t last = quantity.last - 1;
    if (is(before, Each))
        take(before);
    if (!(perSecond > 0)) {
        problem(quantity.first, last, std::string(say("a rate is above zero", "速率必须大于零")), "5 rps");
        return;
    }
    if (each && m_usersNotAtOnce) {
        problem(quantity.first, last,
                std::string(say("each of all users, or of those who are there at once?",
                                "是全部用户中的每人，还是同时在线的每人？")),
                std::string(say("say one number of users", "只说其中一个用户数")));
        return;
    }
    std::string why;
    if (each && s.concurrency) {
        why = fmt::format(
            fmt::runtime(say("{} users x {} requests/s each", "{} 个用户 × 每人每秒 {} 个请求")),
            countText(*s.concurrency), countText(perSecond));
        perSecond *= *s.concurrency;
        notAllAtOnce();
        s.concurrency.reset(); // how many are in flight follows from the rate
    }
    if (!once(std::string(say("the request rate", "请求速率")), countText(perSecond), quantity.first, last))
        return;
    s.requestsPerSecond = perSecond;
    m_evenDay = isOfDays(quantity);
    note(quantity.first, last,
         fmt::format(fmt::runtime(say("{} requests/s, whole service", "整个服务每秒 {} 个请求")),
                     countText(perSecond)),
         why);
}

void Reading::readBatch()
{
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        if (!is(i, Batch))
            continue;
        std::size_t number = next(i);
        while (isAny(number, {Equals, About}))
            number = next(number);
        if (!isNumber(number))
            number = previous(i);
        if (!isNumber(number))
            continue;
        const auto [first, last] = std::minmax(i, number);
        take(i);
        take(number);
        if (at(number).value < 1) {
            problem(first, last, std::string(say("a batch has at least one sequence", "批大小至少为 1")),
                    "1, 16, 64");
            continue;
        }
        if (!once(std::string(say("the batch", "批大小")), countText(at(number).value), first, last))
            continue;
        m_question.scenario.batch = at(number).value;
        note(first, last,
             fmt::format(fmt::runtime(say("{} sequences at once in each replica", "每个副本并发 {} 个序列")),
                         countText(at(number).value)));
    }
}

// Percentages of something: cache hits, headroom, utilisation, growth.
void Reading::readShares()
{
    const auto topics = {PrefixHit, Headroom, Utilisation, Growth};
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        const auto quantity = quantityAt(i);
        if (!quantity || (quantity->unit != Percent && quantity->unit != Filler))
            continue;
        std::size_t topic = topicLeft(i, topics);
        if (topic == none && quantity->parts.front() < i)
            topic = topicLeft(quantity->parts.front(), topics);
        if (topic == none)
            topic = topicRight(quantity->last - 1, topics);
        if (topic == none)
            continue;
        const bool percent = quantity->unit == Percent;
        if (!percent && quantity->value > 1)
            continue; // "growth 50" has no unit: quoted back
        take(*quantity);
        std::size_t last = std::max(topic, quantity->last - 1);
        if (isAny(next(last), {Headroom, PrefixHit})) // "预留 20% 余量"
            take(last = next(last));
        // "50% growth per year": the period is a year already.
        if (at(topic).meaning == Growth) {
            std::size_t per = next(last);
            if (isAny(per, {Per, Every}))
                per = next(per);
            if (is(per, Time) && at(per).value > 3e7) {
                for (std::size_t j = last + 1; j <= per; ++j)
                    take(j);
                last = per;
            }
        }
        takeShare(quantity->value, topic, std::min(topic, quantity->first), last);
    }
}

void Reading::takeShare(double fraction, std::size_t topic, std::size_t first, std::size_t last)
{
    take(topic);
    const Meaning meaning = at(topic).meaning;
    Scenario& s = m_question.scenario;
    const std::string percent = fmt::format("{:.4g} %", fraction * 100);
    const bool below = meaning == Growth ? fraction > -1 : fraction >= 0 && fraction < 1;
    const bool utilisationOk = meaning != Utilisation || (fraction > 0 && fraction <= 1);
    if ((!below && meaning != Utilisation) || !utilisationOk) {
        problem(first, last,
                fmt::format(fmt::runtime(say("{} is outside its range", "{} 超出范围")), percent),
                "0 % … 99 %");
        return;
    }
    if (!once(at(topic).text, percent, first, last))
        return;
    if (meaning == PrefixHit) {
        s.prefixCached = fraction;
        note(first, last,
             fmt::format(fmt::runtime(say("{} of each prompt found in the prefix cache",
                                          "每个提示词有 {} 命中前缀缓存")),
                         percent));
    } else if (meaning == Growth) {
        s.growthPerYear = fraction;
        note(first, last, fmt::format(fmt::runtime(say("load grows {} a year", "负载每年增长 {}")), percent));
    } else {
        s.headroom = meaning == Utilisation ? 1 - fraction : fraction;
        note(first, last,
             fmt::format(fmt::runtime(say("{:.4g} % of the capacity kept free", "预留 {:.4g} % 的容量")),
                         s.headroom * 100));
    }
}

// "3x peak", "peak factor 2", "N+1", "2 spares".
void Reading::readPeak()
{
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        if (is(i, Spare)) {
            double spares = 1;
            std::size_t first = i;
            std::size_t number = previous(i);
            if (isAny(number, {Replicas, Card, Box}) && isNumber(previous(number))) { // "一台备机"
                take(number);
                number = previous(number);
            }
            if (isNumber(number)) {
                spares = at(number).value;
                first = number;
                take(number);
            }
            take(i);
            if (isAny(next(i), {Spare, Replicas}))
                take(next(i)); // "N+1 redundancy", "one spare replica"
            if (first > 0 && !m_used[first - 1] && at(first - 1).kind == ItemKind::Unknown
                && at(first - 1).text == "plus")
                take(--first);
            if (!once(std::string(say("the spares", "备用副本")), countText(spares), first, i))
                continue;
            m_question.scenario.spares = static_cast<int>(spares);
            note(first, i,
                 fmt::format(fmt::runtime(say(spares == 1 ? "{} replica may fail and the targets still hold"
                                                          : "{} replicas may fail and the targets still hold",
                                              "允许 {} 个副本失效仍满足目标")),
                             countText(spares)));
        } else if (is(i, Peak)) {
            std::size_t number = next(i);
            if (isAny(number, {User, Concurrent, RequestRate})) // "peak concurrency 500": the load itself
                continue;
            while (isAny(number, {Equals, Times, About}))
                number = next(number);
            if (!isNumber(number)) {
                number = previous(i);
                if (is(number, Times))
                    number = previous(number);
            }
            if (!isNumber(number) || at(number).kilo)
                continue;
            const auto quantity = quantityAt(number);
            if (quantity->unit != Times && quantity->unit != Filler)
                continue;
            const auto first = std::min(i, quantity->first);
            const auto last = std::max(i, quantity->last - 1);
            take(i);
            take(*quantity);
            if (quantity->value < 1) {
                problem(first, last, std::string(say("a peak is at least the mean", "峰值系数至少为 1")),
                        "peak factor 2");
                continue;
            }
            m_question.scenario.peakFactor = quantity->value;
            note(
                first, last,
                fmt::format(fmt::runtime(say("busy hour {} times the stated load", "高峰为所述负载的 {} 倍")),
                            countText(quantity->value)));
        }
    }
}

void Reading::readTraffic()
{
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        const bool poisson = is(i, TrafficPoisson);
        const bool constant = is(i, TrafficConstant);
        if (!poisson && !constant && !is(i, TrafficClosed))
            continue;
        take(i);
        m_question.scenario.traffic = poisson ? "poisson" : constant ? "constant" : "closed";
        note(i, i, m_question.scenario.traffic);
    }
}

} // namespace headroom::ask
