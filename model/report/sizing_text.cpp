#include "model/report/sizing_text.h"

#include "model/memory/loading_time.h"
#include "model/report/asked_figure.h"
#include "model/report/beside_answer_text.h"
#include "model/report/choices_text.h"
#include "model/report/costs_text.h"
#include "model/report/layout_text.h"
#include "model/report/text_page.h"
#include "model/resolve/money.h"
#include "model/scenario/service_load.h"
#include "model/search/safe_answer.h"
#include "model/search/safe_confidence.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headroom {

namespace {

class Answer : TextPage {
public:
    Answer(const SizingPlan& plan, const ask::Question* question, ask::Language language,
           const ChangedQuestion& with)
        : TextPage(language), m_plan(plan), m_question(question), m_with(with)
    {}

    std::string written() &&
    {
        headline();
        if (m_question)
            interpretation();
        warnings();
        why();
        layout();
        pools();
        memory();
        loading();
        speeds();
        capacity();
        job();
        cost();
        add(costsText(m_plan, language()));
        confidence();
        evidence();
        add(choicesText(m_plan, language()));
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
            add(say2("No: {} cannot be served so: {}", "不行：{} 无法这样部署：{}", model,
                     tell(m_plan.reason)));
        else if (!m_with.change.empty())
            add(say2(alone ? "Yes, with {}: {} ({}) runs {}, {} for each user"
                           : "Yes, with {}: {} ({}) run {}, {} for each user",
                     "可以（{}）：{}（{}）能跑 {}，每用户 {}", tell(m_with.change), machines(a), split(a),
                     model, speed(a)));
        else if (kind == ask::QuestionKind::Fit && m_plan.scenario.targets.any()
                 && a.confidence < leastConfidence) // a gamble is no yes
            add(say2(alone ? "Perhaps, {:.0f} % sure: {} ({}) runs {}, {} for each user"
                           : "Perhaps, {:.0f} % sure: {} ({}) run {}, {} for each user",
                     "可能可以（把握 {:.0f} %）：{}（{}）能跑 {}，每用户 {}", a.confidence * 100, machines(a),
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
            line += say2(", {:.0f} % sure", "，把握 {:.0f} %", m_plan.mostLikely->confidence * 100);
        add(line + "\n");
    }

    void toBeSafe()
    {
        const Candidate& a = m_plan.answer;
        if (!m_plan.safe)
            return;
        if (sameService(*m_plan.safe, a)) // it stands before what costs less and is a gamble
            return m_plan.cheapest
                ? add(say2("{} ({}) cost less and are {:.0f} % sure\n", "{}（{}）更便宜，但把握仅 {:.0f} %\n",
                           machines(*m_plan.cheapest), split(*m_plan.cheapest),
                           m_plan.cheapest->confidence * 100))
                : void();
        if (m_plan.safe->gpus() == a.gpus() && m_plan.safe->deployment.gpu == a.deployment.gpu)
            add(say2("as many to be safe, as {} ({})\n", "保险起见张数不变，布局改为 {}（{}）\n",
                     split(*m_plan.safe), speed(*m_plan.safe)));
        else
            add(say2("{} most likely; {} to be safe ({}, {})\n", "最可能 {}；保险起见 {}（{}，{}）\n",
                     machines(a), machines(*m_plan.safe), split(*m_plan.safe), speed(*m_plan.safe)));
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

    void interpretation()
    {
        bool first = true;
        for (const ask::Interpretation& one : m_question->interpretation) {
            std::string text = fmt::format("{} → {}", one.said, one.readAs);
            if (!one.others.empty()) {
                text += say2("  (or {}", "（也可能是 {}", one.others.front());
                text += one.others.size() > 1
                    ? say2(" and {} more)", " 等 {} 种）", one.others.size() - (chinese() ? 0 : 1))
                    : std::string(say(")", "）"));
            }
            line(first ? say("Read as", "理解为") : "", text);
            first = false;
        }
        if (const std::string unused = unusedOf(*m_question); !unused.empty())
            line(say("Not used", "未使用"), unused);
    }

    void warnings()
    {
        for (const Message& one : m_plan.warnings)
            line(say("Take care", "注意"), tell(one));
    }

    void why()
    {
        const Candidate& a = m_plan.answer;
        std::string text = tell(a.limitedBy());
        const auto onIts = [&](const Candidate& c, bool meets) {
            return c.meets == meets && c.deployment.gpu == a.deployment.gpu;
        };
        const auto fewer
            = std::find_if(m_plan.candidates.begin(), m_plan.candidates.end(), [&](const Candidate& miss) {
                  return onIts(miss, false) && miss.gpus() < a.gpus()
                      && std::none_of(
                             m_plan.candidates.begin(), m_plan.candidates.end(),
                             [&](const Candidate& c) { return onIts(c, true) && c.gpus() <= miss.gpus(); });
              });
        if (m_plan.meets && fewer != m_plan.candidates.end())
            text += say2(fewer->gpus() == 1 ? "; with {} GPU: {}" : "; with {} GPUs: {}", "；{} 张：{}",
                         fewer->gpus(), tell(fewer->reason));
        line(say("Limited by", "瓶颈"), text);
    }

    void layout()
    {
        const Candidate& a = m_plan.answer;
        const Deployment& d = a.deployment;
        line(say("Layout", "部署方式"),
             say2("{} in {} × {}, {}; {} weights, {} KV cache", "{}，{} 台 {}，{}；权重 {}，KV 缓存 {}",
                  tell(layoutText(d.layout)), nodesOf(d), tell(asIs(d.node->name)), d.engine->name,
                  name(d.weights), name(d.kv)));
    }

    void pools()
    {
        const auto& pool = m_plan.answer.prompts;
        if (!pool)
            return;
        const Deployment& d = pool->deployment;
        line(say("Prompts", "预填充"),
             say2("{} × {} ({}) busy {:.0f} % of the time; the cache of a prompt goes over {} in {}",
                  "{} × {}（{}），忙碌 {:.0f} %；每个 prompt 的缓存经 {} 传输 {}", d.layout.gpus(),
                  d.gpu->name, tell(layoutText(d.layout)), pool->busy * 100, d.node->inter.name,
                  people(pool->transfer.base(), Measure::Time)));
    }

    void memory()
    {
        const GpuMemory& m = m_plan.answer.point.prediction.memory.perGpu;
        const auto gb = [this](Bytes bytes) { return people(bytes.base(), Measure::Storage); };
        line(say("Memory", "显存"),
             say2("{} of {} on each GPU: weights {}, KV {}, activations {}, runtime {}",
                  "每张 {}，可用 {}：权重 {}，KV {}，激活 {}，运行时 {}", gb(m.used), gb(m.usable),
                  gb(m.weights), gb(m.kv), gb(m.activation), gb(m.runtime)));
    }

    void loading()
    {
        const Deployment& d = m_plan.answer.deployment;
        const std::optional<LoadingTime> loading = loadingTime(d);
        if (loading && m_plan.answer.point.prediction.memory.fits)
            line(say("Starts in", "启动"),
                 say2("a replica's weights load in {} from storage at {:.3g} GB/s, in {} from the box's own "
                      "memory",
                      "加载一个副本的权重：从存储 {}（{:.3g} GB/s），从本机内存 {}",
                      people(loading->fromStorage.base(), Measure::Time), d.node->storageRead.base() / 1e9,
                      people(loading->fromHostMemory.base(), Measure::Time)));
    }

    void speeds()
    {
        const OperatingPoint& p = m_plan.answer.point;
        line("TTFT", people(p.ttft, Measure::Time));
        line("TPOT",
             say2("{}: {} for each user", "{}：每用户 {}", people(p.tpot, Measure::Time),
                  people(p.tokensPerSecondPerUser, Measure::TokenRate)));
        line(say("Request", "整个请求"), people(p.latency, Measure::Time));
        if (const auto& s = m_plan.answer.simulated)
            line(fmt::format("p{:.4g}", s->percentile),
                 say2("simulated under load: TTFT {}, TPOT {}, request {}",
                      "负载仿真：TTFT {}，TPOT {}，请求 {}", people(s->ttft.base(), Measure::Time),
                      people(s->tpot.base(), Measure::Time), people(s->latency.base(), Measure::Time)));
    }

    void capacity()
    {
        const Candidate& a = m_plan.answer;
        if (a.maxConcurrency < 1)
            return;
        const std::string within(m_plan.scenario.targets.any() ? say(" within the targets", "（满足目标）")
                                                               : "");
        const std::string rate = people(a.maxRequestsPerSecond, Measure::RequestRate);
        const std::string most = people(a.maxConcurrency, Measure::Whole);
        const UsersCarried users = m_plan.usersCarried();
        if (users.safe && a.maxConcurrency >= 2)
            return line(say("Carries", "最大承载"),
                        say2(users.told < 2 ? "{} user at a time{} to be safe in this layout; {} at most, {}"
                                            : "{} users at once{} to be safe in this layout; {} at most, {}",
                             "此布局保险起见 {} 个并发用户{}；最多 {} 个，{}",
                             people(users.told, Measure::Whole), within, most, rate));
        line(say("Carries", "最大承载"),
             a.maxConcurrency < 2
                 ? say2("one user at a time{}, {}", "最多 1 个并发用户{}，{}", within, rate)
                 : say2("at most {} users at once{}, {}", "最多 {} 个并发用户{}，{}", most, within, rate));
    }

    void job()
    {
        const std::string text = jobText(m_plan, language());
        if (!text.empty())
            line(say("Job", "作业"), text);
    }

    void cost()
    {
        const Service& s = m_plan.answer.point.prediction.service;
        const std::string power = s.power.value > Watts() ? people(s.power.value.base(), Measure::Power)
                                                          : std::string(say("power unknown", "功耗未知"));
        if (!s.priceKnown)
            return line(say("Cost", "成本"),
                        say2("unknown: give --price; {}", "未知：请给出 --price；{}", power));
        const double month
            = perMonth(s.price, s.power.value, m_plan.answer.deployment, m_plan.scenario.money);
        line(say("Cost", "成本"),
             say2("{}, {} a month, {} a year; {} for 1M output tokens at this load; {}",
                  "{}，每月 {}，每年 {}；此负载下每百万输出 token {}；{}",
                  people(perHour(s.price), Measure::HourlyPrice), people(month, Measure::Money),
                  people(12 * month, Measure::Money),
                  people(s.dollarsPerMillionOutputTokens, Measure::MillionPrice), power));
    }

    void confidence()
    {
        if (m_plan.scenario.targets.any())
            line(say("Confidence", "把握"),
                 say2("{:.0f} % that the targets are met", "{:.0f} % 的概率满足目标",
                      m_plan.answer.confidence * 100));
    }

    // How good the ranges are: nothing else in the answer tells a measured card from a guessed one.
    void evidence()
    {
        const OperatingPoint& point = m_plan.answer.point;
        const auto said = [&] {
            switch (worse(point.tpot.source, point.ttft.source)) {
            case Source::Exact:
                return say("physical limits, every efficiency 1", "物理极限，效率均为 1");
            case Source::MeasuredHere:
                return say("kernels measured on this machine", "本机实测的算子");
            case Source::MeasuredPublished:
                return say("published timings of this accelerator's kernels", "该加速卡算子的已发表实测");
            case Source::SameFamily:
                return say("published timings of its family, carried over with wider ranges",
                           "同系列加速卡的已发表实测，外推且区间更宽");
            case Source::Prior:
                break;
            }
            return say("in part estimates without timings of their kind: the widest ranges",
                       "部分为估计值，无同类实测，区间最宽");
        };
        line(say("Evidence", "依据"), std::string(said()));
    }

    const SizingPlan& m_plan;
    const ask::Question* m_question;
    ChangedQuestion m_with;
};

} // namespace

std::string sizingText(const SizingPlan& plan, const ask::Question* question, ask::Language language,
                       const ChangedQuestion& with)
{
    return Answer(plan, question, language, with).written() + besideTheAnswer(plan, question, language);
}

} // namespace headroom
