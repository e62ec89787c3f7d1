#pragma once

#include "model/advise/explain_plan.h"
#include "model/search/candidate_text.h"

#include <optional>
#include <utility>

namespace headroom {

// Answers to changed questions. A value: a way out keeps one to ask for less.
class ChangedAnswers {
public:
    ChangedAnswers(const Replanner& replanner, const Llm& llm) : m_replanner(&replanner), m_llm(&llm) {}

    // Nobody is sent beyond what the model was made for.
    [[nodiscard]] double mostTokens() const
    {
        const auto most = static_cast<double>(m_llm->maxContext);
        return most > 0 ? most : 1e18;
    }
    [[nodiscard]] std::optional<Candidate> best(const Scenario& changed) const
    {
        if (changed.prompt.quantile(0.99) + changed.output.quantile(0.99) > mostTokens())
            return std::nullopt;
        std::optional<Candidate> best = m_replanner->best(changed);
        return best && best->meets ? best : std::nullopt;
    }
    [[nodiscard]] std::optional<Remedy> remedy(Scenario changed, Message change, double size) const
    {
        std::optional<Candidate> answer = best(changed);
        if (!answer)
            return std::nullopt;
        Message effect = effectText(*answer, changed);
        return Remedy{std::move(change), std::move(effect), size, std::move(changed), *std::move(answer)};
    }

private:
    const Replanner* m_replanner;
    const Llm* m_llm;
};

} // namespace headroom
