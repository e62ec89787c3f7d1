#include "model/ask/reading.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>

namespace headroom::ask {

using enum Meaning;

// "500 users", "并发 64", "concurrency of 64", "500 人同时使用".
void Reading::readUsers()
{
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        auto quantity = quantityAt(i);
        if (!quantity)
            continue;
        std::size_t first = quantity->first;
        std::size_t last = quantity->last - 1;
        const bool counted = quantity->unit == User || quantity->unit == Concurrent
            || (quantity->unit == Request && quantity->perTime == 0 && is(next(last), Concurrent));
        if (!counted) {
            if (quantity->unit != Filler)
                continue;
            const std::size_t topic = topicLeft(i, {Concurrent, User});
            if (topic == none)
                continue;
            take(topic);
            first = std::min(first, topic);
        }
        take(*quantity);
        while (isAny(next(last), {Concurrent, User, Request}) && next(last) - last <= 2) {
            last = next(last);
            take(last);
        }
        if (is(previous(first), Total)) {
            first = previous(first);
            take(first);
        } else if (is(next(last), Total)) {
            last = next(last);
            take(last);
        }
        m_usersSaid = true;
        for (std::size_t j = first; j <= last; ++j)
            if (at(j).text.starts_with("daily") || at(j).text == "dau" || at(j).text.starts_with("日活"))
                m_dailyUsers = j;
        if (quantity->value < 1) {
            problem(first, last, std::string(say("a service has at least one user", "至少要有一个用户")),
                    "1, 10, 500");
            continue;
        }
        const std::string value = countText(quantity->value);
        if (!once(std::string(say("the number of users", "用户数")), value, first, last))
            continue;
        m_question.scenario.concurrency = quantity->value;
        note(first, last, usersAtOnce(quantity->value));
    }
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

void Reading::readRates()
{
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        const auto quantity = quantityAt(i);
        if (!quantity)
            continue;
        const bool rate
            = quantity->unit == RequestRate || (quantity->unit == Request && quantity->perTime > 0);
        if (rate) {
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
    std::string why;
    if (each && s.concurrency) {
        why = fmt::format(
            fmt::runtime(say("{} users x {} requests/s each", "{} 个用户 × 每人每秒 {} 个请求")),
            countText(*s.concurrency), countText(perSecond));
        perSecond *= *s.concurrency;
        for (Interpretation& one : m_question.interpretation)
            if (one.readAs == usersAtOnce(*s.concurrency))
                one.readAs = fmt::format(
                    fmt::runtime(say("{} users, not all at once", "共 {} 个用户，并非同时在线")),
                    countText(*s.concurrency));
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
            if (const std::size_t number = previous(i); isNumber(number)) {
                spares = at(number).value;
                first = number;
                take(number);
            }
            take(i);
            if (is(next(i), Spare))
                take(next(i)); // "N+1 redundancy"
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
