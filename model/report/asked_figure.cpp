#include "model/report/asked_figure.h"

namespace headroom {

AskedFigure askedFigure(const SizingPlan& plan, const ask::Question* question)
{
    if ((question && question->kind == ask::QuestionKind::Capacity)
        || plan.scenario.objective == Objective::MostUsers)
        return AskedFigure::UsersAtOnce;
    const bool totalAsked = question && question->kind == ask::QuestionKind::Predict
        && question->asked == ask::Asked::Throughput;
    return totalAsked || plan.scenario.objective == Objective::MostThroughput ? AskedFigure::TokensInTotal
                                                                              : AskedFigure::SpeedOfAUser;
}

double tokensInTotal(const SizingPlan& plan, const Candidate& candidate)
{
    // As many as its replay answered.
    if (candidate.simulated && candidate.simulated->takesTurns && candidate.simulated->stable)
        return candidate.point.prediction.service.outputTokensPerSecond.value.base();
    return candidate.point.requestsPerSecond() * candidate.deployment.layout.replicas
        * plan.scenario.output.mean();
}

} // namespace headroom
