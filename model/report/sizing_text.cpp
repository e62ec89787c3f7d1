#include "model/report/sizing_text.h"

#include "model/base/chance_text.h"
#include "model/memory/loading_time.h"
#include "model/report/beside_answer_text.h"
#include "model/report/choices_text.h"
#include "model/report/costs_text.h"
#include "model/report/headline_text.h"
#include "model/report/layout_text.h"
#include "model/report/text_page.h"
#include "model/resolve/money.h"
#include "model/scenario/stated_load.h"
#include "model/search/too_few.h"

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
        add(headlineText(m_plan, m_question, language(), m_with));
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
        if (const std::optional<Candidate> fewer = m_plan.meets ? nextTooFew(m_plan) : std::nullopt)
            text += say2(fewer->gpus() == 1 ? "; with {} GPU: {}" : "; with {} GPUs: {}", "；{} 张：{}",
                         fewer->gpus(), tell(fewer->reason));
        line(say("Limited by", "瓶颈"), text);
    }

    void layout()
    {
        const Candidate& a = m_plan.answer;
        const Deployment& d = a.deployment;
        const std::string filled = a.machine->wholeBox > 0
            ? say2(d.node->gpusPerNode == 1 ? " ({} GPU each)" : " ({} GPUs each)", "（每台 {} 张）",
                   d.node->gpusPerNode)
            : std::string();
        line(say("Layout", "部署方式"),
             say2("{} in {} × {}{}, {}; {} weights, {} KV cache", "{}，{} 台 {}{}，{}；权重 {}，KV 缓存 {}",
                  tell(layoutText(d.layout)), nodesOf(d), tell(asIs(d.node->name)), filled, d.engine->name,
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
        const UserTimes judged = judgedTimes(m_plan.answer);
        if (const auto& s = m_plan.answer.simulated)
            line(fmt::format("p{:.4g}", s->percentile),
                 say2("simulated under load: TTFT {}, TPOT {}, request {}",
                      "负载仿真：TTFT {}，TPOT {}，请求 {}", people(judged.ttft, Measure::Time),
                      people(judged.tpot, Measure::Time), people(judged.latency, Measure::Time)));
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
                             "此方案较有把握支持 {} 个并发用户{}；最多 {} 个，{}",
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
        if (!mayMiss(m_plan.scenario))
            return;
        const std::string chance = chanceText(m_plan.answer.confidence);
        line(say("Confidence", "把握"),
             !m_plan.scenario.targets.any()
                 ? say2("{} that the job is done by then", "{} 的概率按时完成作业", chance)
                 : m_plan.answer.point.keepsUp
                 ? say2("{} that the targets are met at that rate", "{} 的概率在该请求率下满足目标", chance)
                 : say2("{} that the targets are met", "{} 的概率满足目标", chance));
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
