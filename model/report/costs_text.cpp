#include "model/report/costs_text.h"

#include "model/report/text_page.h"
#include "model/search/job_time.h"

#include <cmath>
#include <utility>

namespace headroom {

namespace {

class Costs : TextPage {
public:
    Costs(const SizingPlan& plan, ask::Language language)
        : TextPage(language), m_plan(plan), m_language(language)
    {}

    std::string written() &&
    {
        rentOrOwn();
        overYears();
        api();
        return std::move(*this).text();
    }

private:
    [[nodiscard]] std::string money(double dollars) const { return people(dollars, Measure::Money); }

    // Where only its price is known: no rent to weigh it against.
    void bought()
    {
        if (buys(m_plan.scenario.money) && m_plan.costs && m_plan.costs->bill)
            line(say("Bought", "采购"),
                 say2("{}: {}", "{}：{}", money(m_plan.costs->bill->total().base()),
                      billText(*m_plan.costs->bill, m_language)));
    }

    void rentOrOwn()
    {
        if (!m_plan.rentOrOwn)
            return bought();
        const RentOrOwn& choice = *m_plan.rentOrOwn;
        const Money& said = m_plan.scenario.money;
        const bool always = usedShare(said) > 1 - 1e-9;
        // Machines that rest cost their owner as much: hours of use would mislead.
        const auto amount = [&](double perHour) {
            return always ? people(perHour, Measure::HourlyPrice)
                          : say2("{} a month", "每月 {}", money(perHour * hoursPerMonth));
        };
        const std::string prices
            = say2("rented {}; owned {} over {:.4g} years with electricity (bought for {}: {})",
                   "租用 {}；自购 {}（按 {:.4g} 年摊销，含电费；购价共 {}：{}）", amount(choice.rent),
                   amount(choice.own), choice.years, money(choice.purchase.base()),
                   billText(choice.bill, m_language));
        const std::string use = always
            ? std::string(say("around the clock", "全天使用时"))
            : say2("at {:.4g} hours on {:.4g} days a week", "每周 {1:.4g} 天、每天 {0:.4g} 小时使用时",
                   said.hoursPerDay, said.daysPerWeek);
        line(say("Rent or own", "租或买"),
             choice.owningPays() ? say2("{}: owning pays after {:.0f} months {}", "{0}：{2} {1:.0f} 个月回本",
                                        prices, choice.monthsToPay(), use)
                                 : say2("{}: renting costs less", "{}：租用更便宜", prices));
    }

    void overYears()
    {
        if (!m_plan.costs)
            return;
        const CostOverYears& c = *m_plan.costs;
        std::string text;
        const auto put
            = [&](std::string_view english, std::string_view chinese, const std::optional<double>& sum) {
                  if (sum)
                      text += std::string(text.empty() ? "" : say(", ", "，"))
                          + say2(english, chinese, money(*sum));
              };
        put("owned {}", "自购 {}", c.own);
        put("rented {}", "租用 {}", c.rent);
        put("by API {}", "用 API {}", c.api);
        // Of the cheaper of the two, where there are two.
        const bool both = c.own && c.rent;
        const bool owned = both && *c.own <= *c.rent;
        if (c.perUserAndMonth)
            text += say2(!both       ? "; {} for each user and month"
                             : owned ? "; owned {} for each user and month"
                                     : "; rented {} for each user and month",
                         !both       ? "；每用户每月 {}"
                             : owned ? "；自购每用户每月 {}"
                                     : "；租用每用户每月 {}",
                         money(*c.perUserAndMonth));
        line(say2("{:.4g} years", "{:.4g} 年", c.years), text);
        shares(c);
    }

    // What owning is made of, as far as it was stated.
    void shares(const CostOverYears& c)
    {
        if (!c.own || !c.bill || !buys(m_plan.scenario.money))
            return;
        std::string text = say2("purchase {}", "购价 {}", money(c.bill->total().base()));
        const auto put = [&](std::string_view english, std::string_view chinese, double sum) {
            if (sum != 0)
                text += say2(english, chinese, money(std::abs(sum)));
        };
        put(", electricity {}", "，电费 {}", c.electricity);
        put(", hosting {}", "，托管 {}", c.room);
        put(", staff {}", "，人力 {}", c.staff);
        put(", interest {}", "，利息 {}", c.interest);
        put(", got back {}", "，残值 {}", c.gotBack);
        line(say("Owning", "自购构成"), text);
    }

    void api()
    {
        const auto& price = m_plan.scenario.money.apiPrice;
        if (!m_plan.costs || !price || m_plan.costs->tokensPerMonth <= 0)
            return;
        const CostOverYears& c = *m_plan.costs;
        std::string text
            = say2("{} tokens a month cost {} at {}/{}", "每月 {0} 个 token，按 {2}/{3} 计 {1}",
                   people(c.tokensPerMonth, Measure::Whole), money(c.api ? *c.api / c.months() : 0),
                   money(price->input), money(price->output));
        if (c.tokensWorthIt)
            text += say2("; above {} a month the machines cost less", "；每月超过 {} 个时自有机器更便宜",
                         people(*c.tokensWorthIt, Measure::Whole));
        if (c.monthsToApi && *c.monthsToApi <= c.months())
            text += say2("; owning pays after {:.0f} months", "；自购 {:.0f} 个月回本", *c.monthsToApi);
        line("API", text);
    }

    const SizingPlan& m_plan;
    ask::Language m_language;
};

class Words : TextPage {
public:
    explicit Words(ask::Language language) : TextPage(language) {}

    [[nodiscard]] std::string bill(const Bill& b) const
    {
        const auto money = [this](Dollars sum) { return people(sum.base(), Measure::Money); };
        std::string out
            = say2(b.gpus == 1 ? "{} GPU {}" : "{} GPUs {}", "{} 张卡 {}", b.gpus, money(b.accelerators));
        if (!b.serversKnown)
            out += say(", the servers' price is unknown", "，服务器价格未知");
        else if (b.servers > Dollars())
            out += say2(b.boxes == 1 ? ", {} server {}" : ", {} servers {}", "，{} 台服务器 {}", b.boxes,
                        money(b.servers));
        if (!b.networkKnown)
            out += say(", the network's price is unknown", "，网络价格未知");
        else if (b.network > Dollars())
            out += say2(", network {}", "，网络 {}", money(b.network));
        return out;
    }

    [[nodiscard]] std::string timeOf(const JobTime& job) const
    {
        const double days = job.time.base() / 86400;
        return days >= 2 ? say2("{:.3g} days", "{:.3g} 天", days)
                         : say2("{:.3g} hours", "{:.3g} 小时", days * 24);
    }

    [[nodiscard]] std::string job(const JobTime& job) const
    {
        std::string out
            = say2("{} requests, {} tokens in {}", "{} 个请求、{} 个 token 需 {}",
                   people(job.requests, Measure::Whole), people(job.tokens, Measure::Whole), timeOf(job));
        if (job.price)
            out += say2(": {} for its hours", "：这段时间 {}", people(job.price->base(), Measure::Money));
        if (job.apiPrice)
            out += say2(", {} by API", "，用 API {}", people(job.apiPrice->base(), Measure::Money));
        return out;
    }
};

} // namespace

std::string costsText(const SizingPlan& plan, ask::Language language)
{
    return Costs(plan, language).written();
}

std::string billText(const Bill& bill, ask::Language language) { return Words(language).bill(bill); }

std::string jobTimeText(const SizingPlan& plan, ask::Language language)
{
    const std::optional<JobTime> job = jobTime(plan);
    return job ? Words(language).timeOf(*job) : std::string();
}

std::string jobText(const SizingPlan& plan, ask::Language language)
{
    const std::optional<JobTime> job = jobTime(plan);
    return job ? Words(language).job(*job) : std::string();
}

} // namespace headroom
