#include "app/desktop/views/explain_clicks.h"

#include "app/desktop/text/model_text.h"
#include "app/desktop/text/plan_view_text.h"
#include "app/desktop/text/quantities.h"
#include "app/desktop/text/translated.h"
#include "model/advise/plan_view.h"
#include "model/report/explain_plan_view.h"
#include "model/report/layout_text.h"
#include "model/serve/serving_view.h"

namespace headroom::app {

namespace {

// Which explained figure stands in a column of candidates.
std::optional<QString> figureOf(std::string_view column)
{
    for (const auto& [key, figure] :
         {std::pair("gpus", "memory"), std::pair("layout", "memory"), std::pair("weights", "weights"),
          std::pair("kv", "kv-per-token"), std::pair("tokens_per_s_per_user", "tps"),
          std::pair("ttft_s", "ttft"), std::pair("usd_per_hour", "cost"),
          std::pair("usd_per_million_output_tokens", "cost-per-million"), std::pair("limited_by", "tpot")})
        if (column == key)
            return QString::fromLatin1(figure);
    return std::nullopt;
}

} // namespace

ExplainRequest explainAtBatch(const PlanView& planView, const QString& figure, double batch)
{
    Resolved there = planView.resolved;
    there.load.batch = batch;
    return {.figure = figure,
            .of = tr("With %1 sequences in one replica").arg(wholeText(batch)),
            .resolved = std::make_shared<const Resolved>(std::move(there)),
            .explanations = {}};
}

std::optional<ExplainRequest> explainCandidate(const Candidate& candidate, const PlanView& planView,
                                               std::string_view column)
{
    Resolved there = *candidate.machine;
    there.deployment = candidate.deployment;
    there.load = candidate.load;
    ExplainRequest request{.figure = {},
                           .of = QStringLiteral("%1 × %2 · %3")
                                     .arg(candidate.gpus())
                                     .arg(QString::fromStdString(candidate.deployment.gpu->name),
                                          modelText(layoutText(candidate.deployment.layout))),
                           .resolved = std::make_shared<const Resolved>(std::move(there)),
                           .explanations = {}};
    if (column == "confidence")
        request.explanations = {explainConfidence(candidate, planView.asked.targets)};
    else if (column == "max_concurrency")
        request.explanations = {explainCarried(candidate)};
    else if (const std::optional<QString> figure = figureOf(column))
        request.figure = *figure;
    else
        return std::nullopt;
    return request;
}

ExplainRequest explainOperatorAt(const PlanView& planView, int row)
{
    const OperatorFigure& figure = planView.operators.at(static_cast<std::size_t>(row));
    return {.figure = {},
            .of = {},
            .resolved = nullptr,
            .explanations = {explainOperator(planView.resolved.deployment, figure)}};
}

ExplainRequest explainSensitivity(const PlanView& planView, int row)
{
    const Sensitivity& input = planView.sizing->sensitivity.at(static_cast<std::size_t>(row));
    Explanation e{.figure = "sensitivity",
                  .title = say("What moves the answer: {}", input.input),
                  .formula = "the plan made again with this input lower and higher, everything else as it is",
                  .worked = say("{} – {}", input.lowText, input.highText),
                  .result = planView.answer().point.tokensPerSecondPerUser.value.base(),
                  .measure = Measure::TokenRate};
    e.numbers = {{"speed at the lower end", input.speedLow, Measure::TokenRate, input.lowText},
                 {"speed at the upper end", input.speedHigh, Measure::TokenRate, input.highText},
                 {"GPUs at the lower end", double(input.gpusLow), Measure::Whole, input.lowText},
                 {"GPUs at the upper end", double(input.gpusHigh), Measure::Whole, input.highText}};
    return {.figure = {}, .of = {}, .resolved = nullptr, .explanations = {std::move(e)}};
}

ExplainRequest explainSimulated(const serve::ServingView& planView, const QString& figure,
                                const QString& percentile, double seconds)
{
    const serve::Measures& m = planView.run.measures;
    Explanation e{.figure = "simulated",
                  .title = asIs((figure + QStringLiteral(", ") + percentile).toStdString()),
                  .formula = "every request played through the engine's scheduler, step by step; each step "
                             "timed as the prediction times it",
                  .worked = "the times of the measured requests in order, interpolated between two of them",
                  .result = seconds,
                  .measure = Measure::Time};
    e.numbers = {
        {"requests measured", double(m.measured), Measure::Whole,
         "without those that came while the service warmed up"},
        {"requests in all", double(m.requests), Measure::Whole, "scenario"},
        {"seed", double(planView.run.seed), Measure::Plain, "scenario"},
        {"served a second", m.requestRate.base(), Measure::RequestRate, "measured requests over their time"}};
    e.notes = planView.run.assumptions;
    return {.figure = {}, .of = {}, .resolved = nullptr, .explanations = {std::move(e)}};
}

} // namespace headroom::app
