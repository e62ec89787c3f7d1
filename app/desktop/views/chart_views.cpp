#include "app/desktop/views/chart_views.h"

#include "app/desktop/views/charts_view.h"
#include "app/desktop/views/explain_clicks.h"
#include "app/desktop/views/measured_points.h"
#include "app/desktop/views/plan_view_charts.h"
#include "app/desktop/views/planning_charts.h"

#include <cmath>

namespace headroom::app {

namespace {

// A bar of memory: the whole sum, at that bar's batch. Only the weights have a formula of their own.
void explainMemoryBar(ChartsView& view, const PlanView& planView, const ChartSeries& series, int point)
{
    const int row = series.rows.value(point, -1);
    if (row >= 0)
        view.explain(explainAtBatch(planView, QStringLiteral("memory"),
                                    planView.byBatch[static_cast<std::size_t>(row)].batch));
}

ChartsView::Click explainCurve(const QString& figure)
{
    return [figure](ChartsView& view, const PlanView& planView, const ChartSeries& series, int point) {
        // The second curve of speeds is the one with prompts arriving.
        const bool loaded = figure == QStringLiteral("tpot") && series.colour == 1;
        view.explain(explainAtBatch(planView, loaded ? QStringLiteral("tpot-under-load") : figure,
                                    series.x.value(point)));
    };
}

void explainDot(ChartsView& view, const PlanView& planView, const ChartSeries& series, int point)
{
    if (const int row = series.rows.value(point, -1); row >= 0)
        view.explain(explainOperatorAt(planView, row));
}

void takeLayout(ChartsView& view, const PlanView& planView, const ChartSeries& series, int point)
{
    if (point < 0 || point >= static_cast<int>(planView.sizing->pareto.size()) || series.rows.isEmpty())
        return; // the answer itself is taken already
    const ParetoPoint& chosen = planView.sizing->pareto[static_cast<std::size_t>(point)];
    Scenario after = view.document()->session().scenario();
    after.tp = chosen.layout.tp;
    after.pp = chosen.layout.pp;
    after.ep = chosen.layout.ep;
    after.dp = chosen.layout.dp;
    after.redundantExperts = chosen.layout.redundantExperts;
    view.document()->edit(std::move(after), View::tr("choice of a layout"));
}

double batchOnAxis(const PlanView&, const ChartSeries& series, int point) { return series.x.value(point); }

double batchOfBar(const PlanView& planView, const ChartSeries& series, int point)
{
    const int row = series.rows.value(point, -1);
    return row < 0 ? 0 : planView.byBatch[static_cast<std::size_t>(row)].batch;
}

double batchOfLayout(const PlanView& planView, const ChartSeries& series, int point)
{
    const int row = series.rows.value(point, -1);
    return row < 0 ? 0 : planView.sizing->pareto[static_cast<std::size_t>(row)].users;
}

double batchOfCandidate(const PlanView& planView, const ChartSeries& series, int point)
{
    const int row = series.rows.value(point, -1);
    return row < 0 ? 0 : planView.sizing->candidates[static_cast<std::size_t>(row)].load.batch;
}

// Two digits are what a hand can mean.
std::optional<Scenario> withSpeed(Scenario scenario, const QString& key, double tokensPerSecond)
{
    if (key != QStringLiteral("tps") || !(tokensPerSecond > 0) || !std::isfinite(tokensPerSecond))
        return std::nullopt;
    const double unit = std::pow(10, std::floor(std::log10(tokensPerSecond)) - 1);
    scenario.targets.tokensPerSecond = std::round(tokensPerSecond / unit) * unit;
    return scenario;
}

std::optional<Scenario> withTimeBetween(Scenario scenario, const QString& key, double ms)
{
    constexpr double second = 1000; // ms
    return withSpeed(std::move(scenario), key, ms > 0 ? second / ms : 0);
}

void explainCost(ChartsView& view, const PlanView& planView, const ChartSeries& series, int point)
{
    const int row = series.rows.value(point, -1);
    if (row < 0)
        return;
    if (const auto request = explainCandidate(planView.sizing->candidates[static_cast<std::size_t>(row)],
                                              planView, "usd_per_hour"))
        view.explain(*request);
}

} // namespace

View* makeMemoryView(QWidget* parent)
{
    return new ChartsView(
        {{.make = memoryByBatchChart, .click = explainMemoryBar, .columns = 2, .batchOf = batchOfBar},
         {.make = memoryByContextChart, .click = {}, .row = 1},
         {.make = batchByContextChart, .click = {}, .row = 1, .column = 1}},
        parent);
}

View* makeRooflineView(QWidget* parent)
{
    const auto measured = std::make_shared<MeasuredPoints>();
    return new ChartsView({{.make =
                                [measured](const PlanView& planView) {
                                    ChartData data = rooflineChart(planView);
                                    measured->addTo(data, planView);
                                    return data;
                                },
                            .click = explainDot}},
                          parent);
}

View* makeBatchView(QWidget* parent, Pins& pins)
{
    return new ChartsView({{.make = speedByBatchChart,
                            .click = explainCurve(QStringLiteral("tpot")),
                            .batchOf = batchOnAxis,
                            .drag = withTimeBetween,
                            .overlaid = 1}, // with prompts arriving
                           {.make = throughputByBatchChart,
                            .click = explainCurve(QStringLiteral("throughput")),
                            .row = 1,
                            .batchOf = batchOnAxis,
                            .overlaid = 0}},
                          parent, &pins);
}

View* makeTradeoffView(QWidget* parent)
{
    auto* view = new ChartsView(
        {{.make = tradeoffChart, .click = takeLayout, .batchOf = batchOfLayout, .drag = withSpeed},
         {.make = candidateCostChart,
          .click = explainCost,
          .column = 1,
          .batchOf = batchOfCandidate,
          .drag = withSpeed}},
        parent);
    view->needExplained(); // of the Pareto set
    return view;
}

} // namespace headroom::app
