#include "app/desktop/views/probe_charts.h"

#include "app/desktop/text/quantities.h"
#include "app/desktop/text/translated.h"
#include "model/advise/plan_view.h"

#include <algorithm>
#include <cmath>

namespace headroom::app {

namespace {

constexpr double perSecond = 1000; // ms

using Predicted = Estimate<Seconds> Prediction::*;
using Measured = probe::TimeSpread probe::ProbeLevel::*;

double replicasOf(const PlanView& planView) { return planView.answer().deployment.layout.replicas; }

ChartSeries predictedCurve(const PlanView& planView, Predicted time)
{
    ChartSeries curve{.name = tr("Predicted"), .colour = 0};
    for (const BatchFigure& figure : planView.byBatch) {
        const Estimate<Seconds>& predicted = figure.prediction.*time;
        curve.x << figure.batch * replicasOf(planView);
        curve.y << predicted.value.base() * perSecond;
        curve.low << predicted.low.base() * perSecond;
        curve.high << predicted.high.base() * perSecond;
    }
    return curve;
}

ChartSeries measuredPoints(const probe::ProbeReport& report, Measured times,
                           Seconds serve::Spread::*percentile, const QString& name, int colour)
{
    ChartSeries points{.name = name, .kind = ChartSeries::Kind::Points, .colour = colour};
    for (const probe::ProbeLevel& level : report.levels) {
        const serve::Spread& spread = (level.*times).spread;
        if (spread.count == 0 || level.concurrency < 1)
            continue;
        points.x << level.concurrency;
        points.y << (spread.*percentile).base() * perSecond;
        points.labels << tr("%n user(s)", nullptr, level.concurrency) + QStringLiteral(" · ")
                + text(spread.*percentile);
    }
    return points;
}

ChartData probedChart(const PlanView& planView, const probe::ProbeReport& report, const QString& title,
                      Predicted predicted, Measured measured)
{
    ChartData data{.title = title,
                   .x = {.title = tr("Users at once"), .logarithmic = true, .doubling = true},
                   .y = {.title = title, .unit = QStringLiteral("ms"), .logarithmic = true}};
    data.series << predictedCurve(planView, predicted)
                << measuredPoints(report, measured, &serve::Spread::p50, tr("Measured, median"), 1)
                << measuredPoints(report, measured, &serve::Spread::p90, tr("Measured, 90th percentile"), 2);
    return data;
}

// Measured over predicted, at the batch that comes nearest.
std::optional<double> ratioAt(const PlanView& planView, const probe::ProbeLevel& level)
{
    if (level.tpot.spread.count == 0 || planView.byBatch.empty())
        return std::nullopt;
    const double batch = level.concurrency / replicasOf(planView);
    const auto off = [&](const BatchFigure& figure) { return std::abs(std::log(figure.batch / batch)); };
    const auto nearest
        = std::min_element(planView.byBatch.begin(), planView.byBatch.end(),
                           [&](const BatchFigure& a, const BatchFigure& b) { return off(a) < off(b); });
    return level.tpot.spread.p50 / nearest->prediction.tpotUnderLoad.value;
}

} // namespace

ChartData probedBetweenChart(const PlanView& planView, const probe::ProbeReport& report)
{
    return probedChart(planView, report, tr("Time between tokens"), &Prediction::tpotUnderLoad,
                       &probe::ProbeLevel::tpot);
}

ChartData probedFirstChart(const PlanView& planView, const probe::ProbeReport& report)
{
    return probedChart(planView, report, tr("Time to the first token"), &Prediction::ttft,
                       &probe::ProbeLevel::ttft);
}

QVector<KeyFigure> probeFigures(const PlanView& planView, const probe::ProbeReport& report)
{
    if (report.levels.empty())
        return {};
    std::vector<double> ratios;
    for (const probe::ProbeLevel& level : report.levels)
        if (const std::optional<double> ratio = ratioAt(planView, level))
            ratios.push_back(*ratio);
    std::sort(ratios.begin(), ratios.end());
    QVector<KeyFigure> figures{{wholeText(static_cast<double>(report.levels.size())), tr("levels measured")}};
    if (planView.asked.targets.any())
        figures << KeyFigure{report.highest > 0 ? wholeText(report.highest) : tr("none"),
                             tr("users within the targets"), report.highest > 0 ? Tone::Good : Tone::Bad};
    if (!ratios.empty())
        figures << KeyFigure{percentText(ratios[ratios.size() / 2]),
                             tr("measured over predicted, in the middle")};
    return figures;
}

} // namespace headroom::app
