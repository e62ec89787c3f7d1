#include "model/ask/settle.h"

#include <fmt/format.h>
#include <string>
#include <string_view>

namespace headroom::ask {

using enum Meaning;

namespace {

// What is asked: a number of machines, what a machine gives, whether it is enough, or how many it serves.
class Kind {
public:
    Kind(Draft& draft, Settled& settled)
        : m_draft(draft), m_settled(settled), m_scenario(draft.question.scenario)
    {}

    void settle()
    {
        costPeriods();
        for (std::size_t i = 0; i < m_draft.size(); ++i)
            if (m_draft.is(i, HowMany))
                howMany(i);
        for (std::size_t i = 0; i < m_draft.size(); ++i)
            word(i);
        if (!m_settled.kindSaid && !m_scenario.gpus.empty() && !m_settled.objectiveSaid)
            byMachine(); // the best within so many GPUs is a sizing question too
        full();
    }

private:
    void set(QuestionKind kind)
    {
        m_draft.question.kind = kind;
        m_settled.kindSaid = true;
    }
    [[nodiscard]] bool isMeasure(std::size_t i) const
    {
        return m_draft.isAny(
            i, {TokenRate, Token, Ttft, Tpot, Latency, Speed, Throughput, MemoryWord, KvCache, Time});
    }
    [[nodiscard]] bool ends(std::size_t i) const { return i == none || m_draft.isAny(i, {YesNo, Comma}); }

    // "how many": of GPUs it asks for a size, of users for a capacity, of tokens for a prediction.
    void howMany(std::size_t i)
    {
        m_draft.take(i);
        if (m_draft.isAny(m_draft.previous(i), {AtLeast, AtMost, Total, About}))
            m_draft.take(m_draft.previous(i));
        const std::size_t verb
            = m_draft.is(m_draft.previous(i), Output) ? m_draft.previous(i) : i; // "每秒能生成多少 token"
        if (const std::size_t unit = m_draft.previous(verb);
            m_draft.is(unit, Time) && m_draft.is(m_draft.previous(unit), Every)) {
            m_draft.take(m_draft.previous(unit)); // "每秒多少 token"
            m_draft.take(unit);
            m_ratesAsked = true;
        }
        if (m_draft.isAny(m_draft.next(i), {AtMost, AtLeast, Concurrent})
            && !m_draft.isNumber(m_draft.next(m_draft.next(i))) && m_draft.next(m_draft.next(i)) != none
            && m_draft.isAny(m_draft.next(m_draft.next(i)), {User, Request}))
            m_draft.take(m_draft.next(i));
        const std::size_t what = m_draft.next(i);
        const std::size_t before = m_draft.previous(i);
        const bool people = m_draft.isAny(what, {User, Moment, Concurrent, Request, RequestRate});
        m_ratesAsked = m_ratesAsked || m_draft.is(what, RequestRate)
            || (m_draft.is(what, Request) && m_draft.isAny(m_draft.next(what), {Per, Every, PerTime}));
        const bool measureBefore = ends(what) && isMeasure(before) && !m_draft.isAny(before, {Token, Time});
        const bool peopleBefore
            = ends(what) && m_draft.isAny(before, {User, Moment, Concurrent, RequestRate});
        const bool measure = isMeasure(what);
        if (measure || measureBefore)
            asksFor(measure ? what : before);
        if (measure || people || m_draft.isAny(what, {Card, Box}))
            m_draft.take(what);
        if (measureBefore || peopleBefore)
            m_draft.take(before);
        if (people && m_draft.isAny(m_draft.next(what), {Concurrent, User, Moment}))
            m_draft.take(m_draft.next(what));
        const std::size_t per = m_draft.next(what);
        if (measure && m_draft.isAny(per, {Per, Every}) && m_draft.is(m_draft.next(per), Time)) {
            m_draft.take(m_draft.next(per)); // "how many tokens per second"
            m_draft.take(per);
        }
        set(measure || measureBefore     ? QuestionKind::Predict
                : people || peopleBefore ? QuestionKind::Capacity
                                         : QuestionKind::Size);
    }

    // "max rps: 30", "max users 50"; not "max rps at 512/128".
    [[nodiscard]] bool isCounted(std::size_t measure) const
    {
        if (measure == none || ends(m_draft.next(measure)))
            return false;
        const std::size_t number = m_draft.next(measure);
        return number == measure + 1 || !m_draft.isNumber(number);
    }

    // Of the measures of a machine the one that was asked for first.
    void asksFor(std::size_t measure)
    {
        Asked& asked = m_draft.question.asked;
        if (asked != Asked::Speed)
            return;
        const Item& item = m_draft.at(measure);
        const auto has = [&](std::string_view word) { return item.text.find(word) != std::string::npos; };
        const bool how = item.is(HowFast); // "what ttft", "吞吐是多少"
        if (item.is(Ttft) || (how && has("ttft")))
            asked = Asked::FirstToken;
        else if (item.is(Tpot) || (how && has("tpot")))
            asked = Asked::BetweenTokens;
        else if (item.is(Latency)
                 || (how
                     && (has("latency") || has("延迟") || has("how long") || has("多久") || has("多长时间"))))
            asked = Asked::Request;
        else if (item.is(Throughput) || (how && (has("throughput") || has("吞吐"))))
            asked = Asked::Throughput;
    }

    void word(std::size_t i)
    {
        if (m_draft.is(i, PowerDraw) && m_settled.find("power") != nullptr) { // its limit
            m_draft.take(i);
        } else if (m_draft.is(i, PowerDraw)) { // "功耗多少", "what is the power draw of 8 H100 with X"
            m_draft.take(i);
            for (const std::size_t beside : {m_draft.previous(i), m_draft.next(i)})
                if (m_draft.isAny(beside, {HowMany, Which, WhatGives, HowFast}))
                    m_draft.take(beside);
            m_draft.question.asked = Asked::Power;
            set(m_scenario.gpus.empty() ? QuestionKind::Size : QuestionKind::Predict);
        } else if (m_draft.is(i, WhatGives)
                   && m_draft.mentions(CostWord)) { // "what does it cost": of as many as it takes
            m_draft.take(i);
        } else if (m_draft.isAny(i, {HowFast, WhatGives})) {
            m_draft.take(i);
            const std::size_t next = m_draft.next(i);
            const std::size_t before = m_draft.previous(i);
            const auto measures = {Ttft, Tpot, Latency, Throughput};
            // "what is the tpot", "how long is the first token", "首字多久"
            asksFor(m_draft.isAny(next, measures) && !m_draft.isNumber(m_draft.next(next)) ? next
                        : m_draft.isAny(before, measures)                                  ? before
                                                                                           : i);
            if (!m_settled.kindSaid || m_draft.question.kind == QuestionKind::Fit)
                m_draft.question.kind = QuestionKind::Predict;
            m_settled.kindSaid = true;
        } else if (m_draft.is(i, AtMost) && !isCounted(m_draft.next(i))
                   && m_draft.isAny(m_draft.next(i), {RequestRate, User, Concurrent, Moment, Request})) {
            m_ratesAsked = m_draft.is(m_draft.next(i), RequestRate); // "max QPS?"
            m_draft.take(m_draft.next(i));
            m_draft.take(i);
            set(QuestionKind::Capacity);
        } else if (m_draft.is(i, AtMost) && m_draft.is(m_draft.next(i), Lexicon::shipped().meaningOf("Batch"))
                   && !m_draft.isNumber(m_draft.next(m_draft.next(i)))) { // "max batch size of X on 2 H200"
            m_draft.take(m_draft.next(i));
            m_draft.take(i);
            set(QuestionKind::Capacity);
        } else if (m_draft.is(i, MostUsers)) { // read already where it has a number
            m_draft.take(i);
            set(QuestionKind::Capacity);
        } else if (m_draft.isAny(i, {CanRun, Enough, YesNo})) {
            m_draft.take(i);
            // "最少几张能跑" asks for a number, "T4行不行" for as many as it takes
            const bool fewest = (m_settled.objectiveSaid || m_settled.severalSaid || m_draft.at(i).is(YesNo))
                && !m_scenario.gpuCount;
            if (!m_settled.kindSaid && !fewest && (m_scenario.gpuCount || !m_scenario.gpus.empty()))
                set(QuestionKind::Fit);
        } else if (m_draft.isAny(i, {Which, MemoryWord, CostWord})
                   && !m_draft.isNumber(m_draft.previous(i))) {
            which(i);
        }
    }

    void which(std::size_t i)
    {
        if (m_draft.is(i, CostWord)) // "一共要花多少钱", "total cost"
            for (const std::size_t beside : {m_draft.previous(i), m_draft.next(i)})
                if (m_draft.is(beside, Total))
                    m_draft.take(beside);
        const bool asks = m_draft.is(i, Which);
        m_draft.take(i);
        noteWhatIsBetter(i);
        const std::size_t next = m_draft.next(i);
        if (!asks || !m_draft.isAny(next, {Ttft, Tpot, Latency, TokenRate, Speed, Throughput, MemoryWord}))
            return;
        asksFor(next);
        m_draft.take(next);
        set(QuestionKind::Predict);
    }

    // "which is better: A100 or H100": by what the answer is one of them.
    void noteWhatIsBetter(std::size_t i)
    {
        const std::string& text = m_draft.at(i).text;
        const bool better = m_draft.at(i).is(Which)
            && (text.starts_with("better") || text.starts_with("which is") || text.starts_with("which one is")
                || text.starts_with("哪个") || text.starts_with("谁更") || text.starts_with("更"));
        const bool counted = m_scenario.gpuCount || !m_scenario.gpuCounts.empty();
        if (better && m_scenario.gpus.size() > 1 && !counted && !m_settled.objectiveSaid)
            m_draft.note(
                i, m_draft.tell("fewest GPUs, then the lower price; what each gives is compared below"));
    }

    // "how much does it cost per month", "monthly cost": the answer says it by the hour and by the month.
    void costPeriods()
    {
        bool asked = false;
        for (std::size_t i = 0; i < m_draft.size(); ++i)
            asked = asked || m_draft.at(i).is(CostWord) || m_draft.at(i).text == "how much";
        for (std::size_t i = 0; asked && i < m_draft.size(); ++i) {
            const bool one = m_draft.is(i, Time) && i > 0
                && (m_draft.at(i - 1).text == "a" || m_draft.is(m_draft.previous(i), CostWord)
                    || m_draft.is(m_draft.next(i), CostWord));
            const std::size_t period = m_draft.isAny(i, {Per, Every}) ? m_draft.next(i) : i;
            const bool perPeriod = m_draft.isAny(i, {Per, Every}) && m_draft.is(period, Time)
                && m_draft.at(period).value >= 3600;
            if (!m_draft.is(i, PerTime) && !perPeriod && !one)
                continue;
            const std::size_t number = m_draft.previous(i);
            if (m_draft.isNumber(number) && m_draft.at(number).value != 1)
                continue;
            if (m_draft.isNumber(number))
                m_draft.take(number); // "一年多少钱"
            m_draft.take(i);
            m_draft.take(period);
        }
        for (std::size_t i = 0; i < m_draft.size(); ++i) // "how much per month" asks for a price
            if (asked && m_draft.is(i, HowMany) && m_draft.at(i).text == "how much" && ends(m_draft.next(i)))
                m_draft.take(i);
    }

    // Whether the measure has a number of its own elsewhere.
    [[nodiscard]] bool isTarget(std::size_t i) const
    {
        const Targets& targets = m_scenario.targets;
        return (m_draft.is(i, Ttft) && targets.ttft) || (m_draft.is(i, Tpot) && targets.tpot)
            || (m_draft.is(i, Latency) && targets.latency)
            || (m_draft.isAny(i, {TokenRate, Speed}) && targets.tokensPerSecond);
    }

    // A machine was named and nothing asked.
    void byMachine()
    {
        // "8xH200 tokens/s per user at concurrency 32": a measure without a number is what is asked.
        for (std::size_t i = 0; i < m_draft.size(); ++i)
            if (m_draft.isAny(i, {TokenRate, Speed, Throughput, Ttft, Tpot, Latency})
                && !m_draft.isNumber(m_draft.previous(i)) && !m_draft.isNumber(m_draft.next(i))
                && !isTarget(i)) {
                asksFor(i);
                m_draft.question.kind = QuestionKind::Predict;
                return;
            }
        // "2xL40S: users at 20 tps?"
        for (std::size_t i = 0; m_scenario.gpuCount && m_scenario.targets.any() && i < m_draft.size(); ++i)
            if (!m_scenario.concurrency && !m_scenario.requestsPerSecond
                && m_draft.isAny(i, {User, Moment, Concurrent})) {
                m_draft.take(i);
                m_draft.question.kind = QuestionKind::Capacity;
                return;
            }
        // With a target the question is whether it meets it.
        if (m_scenario.gpuCount)
            m_draft.question.kind
                = m_scenario.targets.any() || m_scenario.requestsPerSecond || m_scenario.concurrency
                ? QuestionKind::Fit
                : QuestionKind::Predict;
    }

    // Questions that are asked of GPUs that are full.
    void full()
    {
        QuestionKind& kind = m_draft.question.kind;
        Objective& objective = m_scenario.objective;
        const bool paid = m_scenario.money.budgetPerHour || m_scenario.money.purchaseBudget
            || m_scenario.powerCap || m_scenario.mostGpus || m_scenario.mostBoxes;
        const bool counted = m_scenario.gpuCount || !m_scenario.gpuCounts.empty() || m_settled.oneSaid;
        if (m_settled.objectiveSaid)
            return;
        if (kind == QuestionKind::Capacity && (counted || paid))
            objective = m_ratesAsked ? Objective::MostThroughput : Objective::MostUsers;
        // "How fast is it for $10 an hour": of what the budget pays the fastest.
        if (kind == QuestionKind::Predict && m_scenario.gpus.empty() && paid) {
            kind = QuestionKind::Size;
            objective = m_draft.question.asked == Asked::Throughput ? Objective::MostThroughput
                                                                    : Objective::FastestStream;
        }
        // "What throughput do 8 H100 have": with no load said, that of as many users as they carry.
        const bool loadSaid = m_scenario.concurrency || m_scenario.requestsPerSecond || m_scenario.batch;
        if (kind == QuestionKind::Predict && m_draft.question.asked == Asked::Throughput && !loadSaid)
            objective = Objective::MostThroughput;
    }

    Draft& m_draft;
    Settled& m_settled;
    Scenario& m_scenario;
    bool m_ratesAsked = false; // of those that are served a second, or a minute
};

} // namespace

void settleKind(Draft& draft, Settled& settled) { Kind(draft, settled).settle(); }

} // namespace headroom::ask
