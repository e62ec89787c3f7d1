#include "model/report/headline_text.h"

#include "model/base/chance_text.h"
#include "model/report/asked_figure.h"
#include "model/report/costs_text.h"
#include "model/report/layout_text.h"
#include "model/report/text_page.h"
#include "model/scenario/service_load.h"
#include "model/scenario/stated_load.h"
#include "model/search/safe_answer.h"
#include "model/search/safe_confidence.h"

namespace headroom {

namespace {

class Headline : TextPage {
public:
    Headline(const SizingPlan& plan, const ask::Question* question, ask::Language language,
             const ChangedQuestion& with)
        : TextPage(language), m_plan(plan), m_question(question), m_with(with)
    {}

    std::string written() &&
    {
        headline();
        return std::move(*this).text();
    }

private:
    [[nodiscard]] std::string split(const Candidate& c) const { return tell(layoutText(c)); }

    [[nodiscard]] std::string machines(const Candidate& c) const { return machinesText(c); }
    [[nodiscard]] std::string speed(const Candidate& c) const
    {
        return people(c.point.tokensPerSecondPerUser.value.base(), Measure::TokenRate);
    }

    void headline()
    {
        const Candidate& a = m_plan.answer;
        const std::string& model = a.deployment.llm->name;
        const auto kind = m_question                            ? m_question->kind
            : m_plan.scenario.objective == Objective::MostUsers ? ask::QuestionKind::Capacity
                                                                : ask::QuestionKind::Size;
        const bool alone = a.deployment.layout.gpus() == 1;
        if (!m_plan.meets)
            add(say2("No: {} cannot be served like this: {}", "不行：{} 无法这样部署：{}", model,
                     tell(m_plan.reason)));
        else if (!m_with.change.empty())
            add(say2(alone ? "Yes, with {}: {} ({}) runs {}, {} for each user"
                           : "Yes, with {}: {} ({}) run {}, {} for each user",
                     "可以（{}）：{}（{}）能跑 {}，每用户 {}", tell(m_with.change), machines(a), split(a),
                     model, speed(a)));
        else if (kind == ask::QuestionKind::Fit && mayMiss(m_plan.scenario)
                 && a.confidence < leastConfidence) // a gamble is no yes
            add(say2(alone ? "Perhaps, {} sure: {} ({}) runs {}, {} for each user"
                           : "Perhaps, {} sure: {} ({}) run {}, {} for each user",
                     "可能可以（把握 {}）：{}（{}）能跑 {}，每用户 {}", chanceText(a.confidence), machines(a),
                     split(a), model, speed(a)));
        else if (kind == ask::QuestionKind::Fit)
            add(say2(alone ? "Yes: {} ({}) runs {}, {} for each user"
                           : "Yes: {} ({}) run {}, {} for each user",
                     "可以：{}（{}）能跑 {}，每用户 {}", machines(a), split(a), model, speed(a)));
        else if (kind == ask::QuestionKind::Predict)
            measured(a, model);
        else if (kind == ask::QuestionKind::Capacity)
            add(carried(a, model));
        else if (const std::string time = jobTimeText(m_plan, language()); !time.empty()) // no user waits
            add(say2("{} ({}) for {}: the job takes {}", "{}（{}）部署 {}：作业需 {}", machines(a), split(a),
                     model, time));
        else if (m_plan.scenario.objective == Objective::MostThroughput)
            add(say2("{} ({}) for {}: {} in total, {} for each user", "{}（{}）部署 {}：总吞吐 {}，每用户 {}",
                     machines(a), split(a), model, people(tokensInTotal(m_plan, a), Measure::TokenRate),
                     speed(a)));
        else if (const Service& s = a.point.prediction.service;
                 m_plan.scenario.objective == Objective::CheapestTokens && s.priceKnown)
            add(say2("{} ({}) for {}: {} for 1M output tokens, {} for each user",
                     "{}（{}）部署 {}：每百万输出 token {}，每用户 {}", machines(a), split(a), model,
                     people(s.dollarsPerMillionOutputTokens.value.base(), Measure::MillionPrice), speed(a)));
        else
            add(say2("{} ({}) for {}: {} for each user", "{}（{}）部署 {}：每用户 {}", machines(a), split(a),
                     model, speed(a)));
        add("\n");
        if (m_plan.meets && !m_with.change.empty())
            add(say2("No without that: {}\n", "不改则不行：{}\n", tell(m_with.why)));
        if (kind == ask::QuestionKind::Capacity && m_plan.meets)
            mostLikelyUsers();
        toBeSafe();
        add("\n");
    }

    // Beside the number that leads.
    void mostLikelyUsers()
    {
        const UsersCarried users = m_plan.usersCarried();
        const std::string most = people(users.mostLikely, Measure::Whole);
        if (m_plan.safeUsers && *m_plan.safeUsers < 1)
            return add(say2("{} most likely; this layout is safe for none\n",
                            "最可能 {} 个；此布局对任何用户都谈不上稳妥\n", most));
        if (!users.safe)
            return;
        std::string line = users.elsewhere
            ? say2("{} most likely, as {}", "最可能 {} 个（{}）", most, split(*users.elsewhere))
            : say2("{} most likely", "最可能 {} 个", most);
        if (m_plan.mostLikely)
            line += say2(", {} sure", "，把握 {}", chanceText(m_plan.mostLikely->confidence));
        add(line + "\n");
    }

    void toBeSafe()
    {
        const Candidate& a = m_plan.answer;
        if (!m_plan.safe)
            return;
        if (sameService(*m_plan.safe, a)) // it stands before what takes less and is a gamble
            return m_plan.cheapest ? gamble(*m_plan.cheapest) : void();
        if (m_plan.safe->gpus() == a.gpus() && m_plan.safe->deployment.gpu == a.deployment.gpu)
            add(say2("as many to be safe, as {} ({})\n", "保险起见张数不变，改为 {}（{}）\n",
                     split(*m_plan.safe), speed(*m_plan.safe)));
        else
            add(say2("{} most likely; {} to be safe ({}, {})\n", "最可能 {}；保险起见 {}（{}，{}）\n",
                     machines(a), machines(*m_plan.safe), split(*m_plan.safe), speed(*m_plan.safe)));
    }

    // What is less of it: money, GPUs, or what else was asked to be small.
    void gamble(const Candidate& c)
    {
        const Candidate& a = m_plan.answer;
        const Service& service = c.point.prediction.service;
        const Service& answer = a.point.prediction.service;
        const bool known = service.priceKnown && answer.priceKnown;
        const std::string less = known && service.price < answer.price ? say2("cost less", "更便宜")
            : c.gpus() >= a.gpus()                                     ? say2("take less", "更省")
            : known ? say2("are fewer GPUs", "张数更少")
                    : say2("are fewer GPUs, their price unknown,", "张数更少（价格未知）");
        add(say2("{} ({}) {} and are {} sure\n", "{}（{}）{}，但把握仅 {}\n", machines(c), split(c), less,
                 chanceText(c.confidence)));
    }

    [[nodiscard]] std::string carried(const Candidate& a, const std::string& model) const
    {
        const bool alone = a.deployment.layout.gpus() == 1;
        const UsersCarried users = m_plan.usersCarried();
        const std::string told = people(users.told, Measure::Whole);
        if (users.told < 2)
            return say2(alone ? "{} ({}) carries {} user of {} at a time"
                              : "{} ({}) carry {} user of {} at a time",
                        "{}（{}）最多支持 {} 个用户同时使用 {}", machines(a), split(a), told, model);
        if (users.safe)
            return say2(alone ? "{} ({}) carries {} users of {} at once to be safe"
                              : "{} ({}) carry {} users of {} at once to be safe",
                        "{}（{}）保险起见支持 {} 个用户同时使用 {}", machines(a), split(a), told, model);
        return say2(alone ? "{} ({}) carries {} users of {} at once" : "{} ({}) carry {} users of {} at once",
                    "{}（{}）最多支持 {} 个用户同时使用 {}", machines(a), split(a), told, model);
    }

    // What was asked of the machine, first.
    void measured(const Candidate& a, const std::string& model)
    {
        const OperatingPoint& p = a.point;
        const std::string who = say2("{} ({}) with {}", "{}（{}）跑 {}", machines(a), split(a), model);
        switch (m_question->asked) {
        case ask::Asked::FirstToken:
            return add(say2("{}: time to first token {}", "{}：首 token 延迟 {}", who,
                            people(p.ttft, Measure::Time)));
        case ask::Asked::BetweenTokens:
            return add(say2("{}: time between tokens {}", "{}：每 token 延迟 {}", who,
                            people(p.tpot, Measure::Time)));
        case ask::Asked::Power:
            if (a.point.prediction.service.power.value > Watts())
                return add(say2("{}: {} of power at this load", "{}：此负载下功耗 {}", who,
                                people(a.point.prediction.service.power, Measure::Power)));
            return add(say2("{}: power unknown, {} for each user", "{}：功耗未知，每用户 {}", who, speed(a)));
        case ask::Asked::Request:
            if (const std::string time = jobTimeText(m_plan, language()); !time.empty())
                return add(say2("{}: the job takes {}", "{}：作业需 {}", who, time));
            return add(
                say2("{}: a request takes {}", "{}：整个请求耗时 {}", who, people(p.latency, Measure::Time)));
        case ask::Asked::Throughput:
            if (loadOf(m_plan.scenario).stated() || m_plan.scenario.batch)
                return add(say2("{}: {} in total at the load that was stated, {} for each user",
                                "{}：所述负载下总吞吐 {}，每用户 {}", who,
                                people(tokensInTotal(m_plan, a), Measure::TokenRate), speed(a)));
            if (a.maxConcurrency >= 1) {
                const double tokens = a.maxRequestsPerSecond * m_plan.scenario.output.mean();
                return add(say2(a.maxConcurrency < 2 ? "{}: at most {} in total, of one user at a time"
                                                     : "{}: at most {} in total, of {} users at once",
                                "{}：总吞吐最高 {}（{} 个并发用户）", who, people(tokens, Measure::TokenRate),
                                people(a.maxConcurrency, Measure::Whole)));
            }
            break;
        default:
            break;
        }
        const bool alone = a.deployment.layout.gpus() == 1;
        add(say2(alone ? "{} ({}) gives {} at {} for each user" : "{} ({}) give {} at {} for each user",
                 "{}（{}）跑 {}：每用户 {}", machines(a), split(a), model, speed(a)));
    }

    const SizingPlan& m_plan;
    const ask::Question* m_question;
    const ChangedQuestion& m_with;
};

} // namespace

std::string headlineText(const SizingPlan& plan, const ask::Question* question, ask::Language language,
                         const ChangedQuestion& with)
{
    return Headline(plan, question, language, with).written();
}

} // namespace headroom
