#include "model/ask/question.h"

#include "model/ask/reading.h"
#include "model/figure_text.h"
#include "model/plan/judge.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <utility>

namespace headroom::ask {

using enum Meaning;

// Rules that need the most neighbours run first, so that a looser rule cannot take their words.
Result<Question> Reading::finish()
{
    readUseCase();
    readModel();
    readEngine();
    readTokenPrice();
    readActiveShare();
    readPercentiles();
    readShares();
    readPeak();
    readGpus();
    readVendors();
    readMoney();
    readLayout();
    readReadingSpeed();
    readThinkTime();
    readTargets();
    readBarePercentile();
    readUsers();
    settleActiveShare();
    settleThinkTime();
    readRates();
    readBatch();
    readLengths();
    readPools();
    readAllowed();
    readTune();
    readTypes();
    readBareCounts();
    readTraffic();
    readDay();
    readObjectives();
    readMemory();
    readKind();
    settleUseCase();
    settleThroughput();
    // "How many users do they carry" is asked of GPUs that are full: of all that are there or the budget
    // pays.
    Scenario& asked = m_question.scenario;
    const bool objectiveSaid = m_said.contains(std::string(say("the objective", "优化目标")));
    if (m_question.kind == QuestionKind::Capacity
        && (asked.gpuCount || !asked.gpuCounts.empty() || m_oneSaid || paid()) && !objectiveSaid)
        asked.objective = Objective::MostThroughput;
    // "How fast is it for $10 an hour": of what the budget pays the fastest.
    if (m_question.kind == QuestionKind::Predict && asked.gpus.empty() && paid()) {
        m_question.kind = QuestionKind::Size;
        if (!objectiveSaid)
            asked.objective = m_question.asked == Asked::Throughput ? Objective::MostThroughput
                                                                    : Objective::FastestStream;
    }
    // "What throughput do 8 H100 have": with no load said, that of as many users as they carry, and all
    // figures beside it are of these.
    const bool loadSaid = asked.concurrency || asked.requestsPerSecond || asked.batch;
    if (m_question.kind == QuestionKind::Predict && m_question.asked == Asked::Throughput && !loadSaid
        && !objectiveSaid)
        asked.objective = Objective::MostThroughput;
    readLeftovers();
    fillIn();
    if (!m_problems.empty())
        return refuse(std::move(m_problems));
    std::stable_sort(
        m_question.interpretation.begin(), m_question.interpretation.end(),
        [](const Interpretation& a, const Interpretation& b) { return a.position < b.position; });
    return std::move(m_question);
}

bool Reading::paid() const
{
    const Money& money = m_question.scenario.money;
    return money.budgetPerHour || money.purchaseBudget;
}

// What "how many" counts: GPUs make it a sizing question, users a capacity question, speeds a prediction.
void Reading::readHowMany()
{
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        if (!is(i, HowMany))
            continue;
        take(i);
        if (isAny(previous(i), {AtLeast, AtMost, Total, About}))
            take(previous(i));
        const std::size_t verb = is(previous(i), Output) ? previous(i) : i; // "每秒能生成多少 token"
        if (const std::size_t unit = previous(verb);
            is(unit, Time) && is(previous(unit), Every)) { // "每秒多少 token"
            take(previous(unit));
            take(unit);
        }
        const std::size_t what = next(i);
        const bool measure = isAny(
            what, {TokenRate, Token, Ttft, Tpot, Latency, Speed, Throughput, MemoryWord, KvCache, Time});
        const bool load = isAny(what, {User, Concurrent, Request, RequestRate});
        const std::size_t before = previous(i);
        const bool measureBefore = what == none || isAny(what, {YesNo, Comma})
            ? isAny(before, {TokenRate, Ttft, Tpot, Latency, Speed, Throughput, MemoryWord, KvCache})
            : false;
        const bool loadBefore
            = (what == none || isAny(what, {YesNo, Comma})) && isAny(before, {User, Concurrent, RequestRate});
        const QuestionKind kind = measure || measureBefore ? QuestionKind::Predict
            : load || loadBefore                           ? QuestionKind::Capacity
                                                           : QuestionKind::Size;
        if (measure || measureBefore)
            asksFor(measure ? what : before);
        if (measure || load)
            take(what);
        if (measureBefore || loadBefore)
            take(before);
        if (measure && isAny(next(what), {Per, Every})
            && is(next(next(what)), Time)) { // "how many tokens per second"
            take(next(next(what)));
            take(next(what));
        }
        if (isAny(what, {Card, Box}))
            take(what);
        m_question.kind = kind;
        m_kindSaid = true;
    }
}

// Of the measures of a machine the one that was asked for first.
void Reading::asksFor(std::size_t measure)
{
    if (m_question.asked != Asked::Speed)
        return;
    const Item& item = at(measure);
    const auto has = [&](std::string_view word) { return item.text.find(word) != std::string::npos; };
    const bool how = item.is(HowFast); // "what ttft", "吞吐是多少"
    if (item.is(Ttft) || (how && has("ttft")))
        m_question.asked = Asked::FirstToken;
    else if (item.is(Tpot) || (how && has("tpot")))
        m_question.asked = Asked::BetweenTokens;
    else if (item.is(Latency)
             || (how && (has("latency") || has("延迟") || has("how long") || has("多久") || has("多长时间"))))
        m_question.asked = Asked::Request;
    else if (item.is(Throughput) || (how && (has("throughput") || has("吞吐"))))
        m_question.asked = Asked::Throughput;
}

void Reading::readKind()
{
    readHowMany();
    Scenario& s = m_question.scenario;
    for (std::size_t i = 0; i < m_items.size(); ++i) {
        if (is(i, PowerDraw)) { // "功耗多少", "what is the power draw of 8 H100 with X"
            take(i);
            for (const std::size_t beside : {previous(i), next(i)})
                if (isAny(beside, {HowMany, Which, WhatGives, HowFast}))
                    take(beside);
            m_question.asked = Asked::Power;
            m_question.kind = s.gpus.empty() ? QuestionKind::Size : QuestionKind::Predict;
            m_kindSaid = true;
        } else if (is(i, WhatGives) && mentions(CostWord)) { // "what does it cost": of as many as it takes
            take(i);
        } else if (is(i, HowFast) || is(i, WhatGives)) {
            take(i);
            const std::size_t measure = next(i);
            const auto measures = {Ttft, Tpot, Latency, Throughput};
            // "what is the tpot", "how long is the first token", "首字多久"
            asksFor(isAny(measure, measures) && !isNumber(next(measure)) ? measure
                        : isAny(previous(i), measures)                   ? previous(i)
                                                                         : i);
            // "what would I need to know about speed" still asks for a number of GPUs when it counts them.
            if (!m_kindSaid || m_question.kind == QuestionKind::Fit)
                m_question.kind = QuestionKind::Predict;
            m_kindSaid = true;
        } else if (is(i, MostUsers)) {
            take(i);
            m_question.kind = QuestionKind::Capacity;
            m_kindSaid = true;
        } else if (isAny(i, {CanRun, Enough, YesNo})) {
            take(i);
            const bool fewest = m_said.contains(std::string(say("the objective", "优化目标"))) && !s.gpuCount;
            if (!m_kindSaid && !fewest && (s.gpuCount || !s.gpus.empty())) // "最少几张能跑" asks for a number
                m_question.kind = QuestionKind::Fit;
            m_kindSaid = m_kindSaid || m_question.kind == QuestionKind::Fit;
        } else if (isAny(i, {Which, MemoryWord, CostWord}) && !isNumber(previous(i))) {
            if (is(i, CostWord)) // "一共要花多少钱", "total cost"
                for (const std::size_t beside : {previous(i), next(i)})
                    if (is(beside, Total))
                        take(beside);
            take(i);
            noteWhatIsBetter(i);
            if (at(i).is(Which)
                && isAny(next(i), {Ttft, Tpot, Latency, TokenRate, Speed, Throughput, MemoryWord})) {
                asksFor(next(i));
                take(next(i));
                m_question.kind = QuestionKind::Predict;
                m_kindSaid = true;
            }
        }
    }
    if (m_kindSaid || s.gpus.empty() || m_said.contains(std::string(say("the objective", "优化目标"))))
        return; // the best within so many GPUs is a sizing question too
    // "8xH200 tokens/s per user at concurrency 32": a measure without a number is what is asked.
    for (std::size_t i = 0; i < m_items.size(); ++i)
        if (isAny(i, {TokenRate, Speed, Throughput, Ttft, Tpot, Latency}) && !isNumber(previous(i))
            && !isNumber(next(i))) {
            asksFor(i);
            m_question.kind = QuestionKind::Predict;
            return;
        }
    if (!s.gpuCount)
        return;
    // A machine was named and nothing asked: with a target the question is whether it meets it.
    m_question.kind
        = s.targets.any() || s.requestsPerSecond || s.concurrency ? QuestionKind::Fit : QuestionKind::Predict;
}

// "which is better: A100 or H100": by what the answer is one of them.
void Reading::noteWhatIsBetter(std::size_t word)
{
    const Scenario& s = m_question.scenario;
    const bool counted = s.gpuCount || !s.gpuCounts.empty();
    const bool objective = m_said.contains(std::string(say("the objective", "优化目标")));
    if (at(word).is(Which) && asksForTheBetter(at(word)) && s.gpus.size() > 1 && !counted && !objective)
        note(word, word,
             std::string(say("fewest GPUs, then the lower price; what each gives is compared below",
                             "先比张数，再比价格；各自的数字见下面的对比")));
}

void Reading::fillIn()
{
    Scenario& s = m_question.scenario;
    auto assume = [&](std::string text) { m_question.assumptions.push_back(std::move(text)); };
    if (s.model.empty())
        m_problems.push_back(
            {std::string(say("the question", "问题")), std::string(say("no model was named", "没有说明模型")),
             s.gpus.empty()
                 ? std::string(say("e.g. 'Llama 70B', 'qwen3 32b', 'DeepSeek R1'",
                                   "例如 Llama-70B、qwen3 32b、DeepSeek R1"))
                 : fmt::format(fmt::runtime(say("'headroom fit --gpu {} --gpus {}' lists what runs there",
                                                "'headroom fit --gpu {} --gpus {}' 列出其上能运行的模型")),
                               s.gpus.front(), s.gpuCount.value_or(1))});
    const bool memory = m_question.kind == QuestionKind::Memory;
    const bool machineAsked = m_question.kind != QuestionKind::Size && !memory;
    const bool anyPaid = m_question.kind == QuestionKind::Capacity && paid(); // whichever carries most
    const bool misread = !m_problems.empty(); // the GPU may be among the words that were not understood
    if (machineAsked && s.gpus.empty() && !anyPaid && !misread)
        m_problems.push_back({std::string(say("the question", "问题")),
                              std::string(say("no GPU was named", "没有说明 GPU")),
                              std::string(say("e.g. '2x H200'", "例如 2 张 H200"))});
    const bool roomAsked = m_question.asked == Asked::LongestContext;
    if (memory && (roomAsked || m_oneSaid) && !s.gpuCount && s.gpuCounts.empty() && !s.gpus.empty()) {
        s.gpuCount = 1;
        assume(fmt::format(fmt::runtime(say("one {}", "一张 {}")), s.gpus.front()));
    } else if (memory && s.gpus.empty()) {
        assume(std::string(say("the fewest of some usual accelerators", "常见加速卡中最少的张数")));
    }
    if (machineAsked && !s.gpuCount && s.gpuCounts.empty() && !s.gpus.empty()) {
        if (m_question.kind == QuestionKind::Fit || m_oneSaid) {
            s.gpuCount = 1;
            assume(fmt::format(fmt::runtime(say("one {}", "一张 {}")), s.gpus.front()));
        } else if (!paid()) {
            assume(fmt::format(fmt::runtime(say("as few {} as hold it", "能放下它的最少数量的 {}")),
                               s.gpus.front()));
        }
    }
    if (s.concurrency && m_dailyUsers != none) {
        const std::string& word = at(m_dailyUsers).text;
        const bool registered
            = word.find("registered") != std::string::npos || word.find("注册") != std::string::npos;
        problem(m_dailyUsers, m_dailyUsers,
                std::string(registered ? say("registered users are not there at once: how many are?",
                                             "注册用户不会同时在线：同时在线多少人？")
                                       : say("users of a day are not there at once: how much does each ask?",
                                             "日活用户不会同时在线：每人每天多少次请求？")),
                std::string(registered ? say("'10,000 registered users, 5% active at once'",
                                             "例如“注册用户 1 万，5% 同时在线”")
                                       : say("'10,000 daily active users, each sends 20 requests a day'",
                                             "例如“日活 1 万，每人每天 20 次请求”")));
    }
    const auto wasSaid = [&](std::string_view english, std::string_view chinese) {
        return m_said.contains(std::string(say(english, chinese)));
    };
    const bool loadStated = s.concurrency || s.requestsPerSecond || s.batch;
    if (!loadStated && !fullyLoaded(s) && m_question.kind != QuestionKind::Capacity)
        assume(std::string(say("one user at a time", "同一时间一个用户")));
    const bool lengthsMatter = !roomAsked;
    if (lengthsMatter && !wasSaid("the prompt", "输入长度")
        && !(m_context && wasSaid("the output", "输出长度")) && !m_context)
        assume(fmt::format(fmt::runtime(say("prompts of {} tokens", "输入 {} 个 token")),
                           countText(s.prompt.mean())));
    if (lengthsMatter && !wasSaid("the output", "输出长度")
        && !(m_context && wasSaid("the prompt", "输入长度")))
        assume(fmt::format(fmt::runtime(say("answers of {} tokens", "输出 {} 个 token")),
                           countText(s.output.mean())));
    if (!wasSaid("the engine", "引擎"))
        chooseEngine();
    if (s.targets.any() && !wasSaid("the percentile", "百分位"))
        assume(fmt::format(fmt::runtime(say("targets hold for {} % of requests", "{} % 的请求满足目标")),
                           countText(s.targets.percentile)));
    if ((m_question.kind == QuestionKind::Size || anyPaid) && s.gpus.empty())
        assume(std::string(say("any accelerator of the catalogue", "目录中的任意加速卡")));
    if (m_question.kind == QuestionKind::Size && !s.targets.any() && s.gpuCounts.empty())
        assume(std::string(say("no speed was asked for: it only has to fit and carry the load",
                               "未要求速度：只需放得下并承载负载")));
    if (m_evenDay && s.requestsPerSecond && s.peakFactor <= 1 && !mentions(Daily))
        assume(fmt::format(
            fmt::runtime(say("a day's requests come evenly, {} requests/s: for the busy hour say '3x peak'",
                             "一天的请求均匀到达，每秒 {} 个：若有高峰，请写“峰值 3 倍”")),
            fewDigits(*s.requestsPerSecond, 3)));
    if (!wasSaid("the spares", "备用副本") && s.requestsPerSecond)
        assume(std::string(say("no spare replicas", "无备用副本")));
}

// The usual engine, or one that runs weights of the type that was asked for.
void Reading::chooseEngine()
{
    Scenario& s = m_question.scenario;
    const std::string able
        = s.weights && m_vocabulary.engineThatRuns ? m_vocabulary.engineThatRuns(*s.weights) : std::string();
    std::string text = fmt::format(fmt::runtime(say("engine {}", "引擎 {}")), s.engine);
    if (!able.empty() && able != s.engine) {
        text = fmt::format(
            fmt::runtime(say("engine {}: {} does not run {} weights", "引擎 {}：{} 不支持 {} 权重")), able,
            s.engine, name(*s.weights));
        s.engine = able;
    }
    m_question.assumptions.push_back(std::move(text));
}

Result<Question> read(std::string_view text, const Vocabulary& vocabulary, std::optional<Language> speak)
{
    const Lexicon lexicon;
    std::vector<Item> items = itemsOf(text, lexicon, vocabulary);
    const bool empty = std::none_of(items.begin(), items.end(),
                                    [](const Item& item) { return !item.is(Filler) && !item.is(Comma); });
    if (empty) {
        const bool blank = text.find_first_not_of(" \t\r\n") == std::string_view::npos;
        const Reading nothing(text, {}, lexicon, vocabulary, speak);
        return refuse(std::string(nothing.say("the question", "问题")),
                      std::string(blank ? nothing.say("is empty", "为空")
                                        : nothing.say("names no model and asks for nothing",
                                                      "没有说明模型，也没有提问")),
                      std::string(nothing.say("e.g. 'how many A100s for Llama-70B at 20 TPS'",
                                              "例如“20 TPS 的 Llama-70B 需要几张 A100”")));
    }
    return Reading(text, std::move(items), lexicon, vocabulary, speak).finish();
}

} // namespace headroom::ask
