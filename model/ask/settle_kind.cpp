#include "model/ask/rules.h"

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
        applyRules("how-many", m_draft, m_settled);
        applyRules("asks", m_draft, m_settled);
        if (!m_settled.kindSaid && !m_scenario.gpus.empty() && !m_settled.objectiveSaid)
            byMachine(); // the best within so many GPUs is a sizing question too
        full();
    }

private:
    // A machine was named and nothing asked.
    void byMachine()
    {
        // "8xH200 tokens/s per user at concurrency 32": a measure without a number is what is asked.
        if (applyRules("measure", m_draft, m_settled))
            return;
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
        if (kind == QuestionKind::Fit && !counted && !m_scenario.gpus.empty() && paid)
            kind = QuestionKind::Size; // "no more than 3 nodes of 8 H100, enough?"
        const bool asked = m_scenario.concurrency || m_scenario.requestsPerSecond || m_scenario.targets.any();
        if ((kind == QuestionKind::Fit || kind == QuestionKind::Predict) && m_scenario.gpus.empty() && asked
            && !paid)
            kind = QuestionKind::Size; // "what would it take", "can I run it for 20 users?": on any
        if (m_settled.objectiveSaid)
            return;
        if (kind == QuestionKind::Capacity && (counted || paid))
            objective = m_settled.ratesAsked ? Objective::MostThroughput : Objective::MostUsers;
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
};

} // namespace

void settleKind(Draft& draft, Settled& settled) { Kind(draft, settled).settle(); }

} // namespace headroom::ask
