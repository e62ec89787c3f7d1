#include "app/desktop/views/serving_charts.h"

#include "app/desktop/text/model_text.h"
#include "app/desktop/text/quantities.h"
#include "app/desktop/text/translated.h"
#include "model/advise/plan_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace headroom::app {

namespace {

constexpr std::size_t ganttRows = 48; // requests that can still be told apart

// Runs of minutes and hours are drawn in minutes and hours.
void tellTimesInTheirUnit(ChartData& data)
{
    constexpr double minute = 60; // s
    constexpr double hour = 3600;
    constexpr double many = 5; // of a unit, before it is worth using
    double longest = 0;
    for (const ChartSeries& series : data.series)
        for (const double time : series.x)
            longest = std::max(longest, time);
    if (longest < many * minute)
        return;
    const double unit = longest < many * hour ? minute : hour;
    data.x.unit = unit == minute ? QStringLiteral("min") : QStringLiteral("h");
    for (ChartSeries& series : data.series) {
        for (double& time : series.x)
            time /= unit;
        for (double& time : series.from)
            time /= unit;
    }
}

ChartSeries percentiles(const QString& name, const serve::Spread& spread, int colour,
                        const ServedRanges& ranges, std::optional<Metric> metric)
{
    ChartSeries series{.name = name, .kind = ChartSeries::Kind::Points, .colour = colour};
    double place = -1;
    for (const Statistic statistic : allStatistics) {
        ++place;
        const double time = valueOf(spread, statistic).base();
        if (time <= 0) // nothing is at zero on a logarithmic axis
            continue;
        series.x << place;
        series.y << time;
        if (!metric)
            continue;
        const RangeFactors& range = ranges.of(*metric, statistic);
        series.low << time * range.low;
        series.high << time * range.high;
    }
    return series;
}

} // namespace

ChartData percentilesChart(const serve::ServingView& planView, const ServedRanges& ranges)
{
    const serve::Measures& m = planView.run.measures;
    ChartData data{.title = tr("Percentiles"),
                   .x = {.categories = {tr("mean"), QStringLiteral("p50"), QStringLiteral("p75"),
                                        QStringLiteral("p90"), QStringLiteral("p95"), QStringLiteral("p99")}},
                   .y = {.title = tr("Time"), .unit = QStringLiteral("s"), .logarithmic = true}};
    data.series << percentiles(tr("First token"), m.ttft, 0, ranges, Metric::Ttft)
                << percentiles(tr("Between tokens"), m.tpot, 1, ranges, Metric::Tpot)
                << percentiles(tr("Whole answer"), m.latency, 2, ranges, Metric::Latency);
    if (m.queue.p99.base() > 0)
        data.series << percentiles(tr("Waiting"), m.queue, 3, ranges, std::nullopt);
    data.whenEmpty = tr("No request was finished");
    return data;
}

ChartData distributionChart(const serve::ServingView& planView)
{
    ChartData data{.title = tr("Time to the first token"),
                   .x = {.title = tr("Time"), .unit = QStringLiteral("s"), .logarithmic = true},
                   .y = {.title = tr("Requests"), .unit = QStringLiteral("%"), .low = 0, .high = 100}};
    const auto add = [&](const QString& name, const serve::ServingRun& run, int colour) {
        ChartSeries line{.name = name, .colour = colour};
        for (const serve::DistributionPoint& point : serve::distributionOf(run, serve::ServingTime::Ttft)) {
            if (point.time.base() <= 0)
                continue;
            line.x << point.time.base();
            line.y << point.share * 100;
        }
        data.series << line;
    };
    add(tr("As the engine batches"), planView.run, 0);
    if (planView.staticBatching)
        add(tr("Static batching"), *planView.staticBatching, 1);
    return data;
}

namespace {

ChartData ganttOf(const serve::ServingRun& run, std::size_t begin, const QString& title)
{
    ChartData data{.title = title,
                   .x = {.title = tr("Time"), .unit = QStringLiteral("s")},
                   .y = {.title = tr("Request")}};
    ChartSeries waiting{.name = tr("Waiting"), .kind = ChartSeries::Kind::Spans, .colour = 6};
    ChartSeries prefill{.name = tr("Prefill"), .kind = ChartSeries::Kind::Spans, .colour = 1};
    ChartSeries decode{.name = tr("Decode"), .kind = ChartSeries::Kind::Spans, .colour = 0};
    ChartSeries preempted{.name = tr("Decode, preempted"), .kind = ChartSeries::Kind::Spans, .colour = 3};
    const auto& outcomes = run.simulation.outcomes;
    for (std::size_t i = begin; i < std::min(outcomes.size(), begin + ganttRows); ++i) {
        const serve::Outcome& o = outcomes[i];
        if (o.state != serve::Outcome::State::Done)
            continue;
        const auto row = static_cast<double>(i - begin);
        const auto add = [&](ChartSeries& series, Seconds from, Seconds to) {
            if (to <= from)
                return;
            series.from << from.base();
            series.x << to.base();
            series.y << row;
            series.labels << tr("request %1, %2").arg(i + 1).arg(series.name);
        };
        add(waiting, o.arrival, o.start);
        add(prefill, o.start, o.firstToken);
        add(o.preemptions > 0 ? preempted : decode, o.firstToken, o.end);
    }
    data.series << waiting << prefill << decode;
    if (!preempted.x.isEmpty())
        data.series << preempted;
    tellTimesInTheirUnit(data);
    data.whenEmpty = tr("No request was finished");
    return data;
}

} // namespace

ChartData ganttChart(const serve::ServingView& planView)
{
    const std::size_t requests = planView.run.simulation.outcomes.size();
    // Beside static batching from the start, where its batches form and its queue begins; alone from the
    // middle of the run, where the queue has settled.
    const std::size_t begin = planView.staticBatching || requests <= 2 * ganttRows ? 0 : requests / 2;
    return ganttOf(planView.run, begin, tr("Requests as the engine batches them"));
}

ChartData staticGanttChart(const serve::ServingView& planView)
{
    const QString title = tr("The same requests under static batching");
    ChartData data
        = planView.staticBatching ? ganttOf(*planView.staticBatching, 0, title) : ChartData{.title = title};
    if (!planView.staticBatching)
        data.whenEmpty = tr("Not compared: users take turns, prompts have GPUs of their own,\nor the engine "
                            "batches statically itself");
    return data;
}

ChartData cacheUseChart(const serve::ServingRun& run, double capacityTokens)
{
    ChartData data{.title = tr("Cache in use"),
                   .note = tr("of the first replica"),
                   .x = {.title = tr("Time"), .unit = QStringLiteral("s")},
                   .y = {.title = tr("Tokens")}};
    ChartSeries line{.name = tr("Tokens"), .colour = 0};
    if (!run.simulation.replicas.empty())
        for (const serve::LoadSample& sample : run.simulation.replicas.front().samples) {
            line.x << sample.time.base();
            line.y << static_cast<double>(sample.kvTokens);
        }
    data.series << line;
    tellTimesInTheirUnit(data);
    data.marks << ChartMark{.at = capacityTokens, .orientation = Qt::Horizontal, .text = tr("full")};
    return data;
}

ChartData loadSweepChart(const serve::ServingView& planView)
{
    ChartData data{.title = tr("Up to overload"),
                   .x = {.title = tr("Requests offered"), .unit = tr("per s")},
                   .y = {.title = tr("Time"), .unit = QStringLiteral("s"), .logarithmic = true}};
    const auto add = [&](const QString& name, int colour, Seconds (*of)(const serve::Measures&)) {
        ChartSeries line{.name = name, .colour = colour};
        for (const serve::LoadPoint& point : planView.sweep)
            if (const double time = of(point.measures).base(); time > 0) {
                line.x << point.offered.base();
                line.y << time;
            }
        data.series << line;
    };
    add(tr("First token, p50"), 0, [](const serve::Measures& m) { return m.ttft.p50; });
    add(tr("First token, p95"), 1, [](const serve::Measures& m) { return m.ttft.p95; });
    add(tr("Between tokens, p95"), 2, [](const serve::Measures& m) { return m.tpot.p95; });
    data.marks << ChartMark{
        .at = planView.run.verdict.capacity.base(), .orientation = Qt::Vertical, .text = tr("capacity")};
    data.whenEmpty = tr("A closed loop is never overloaded: users wait for their answers");
    return data;
}

QString servingVerdict(const serve::ServingView& serving)
{
    return titled(serving.run.verdict.stable ? tr("Stable") : tr("Overloaded"),
                  modelText(serving.run.verdict.reason));
}

namespace {

// A load that nobody stated says what the service can bear, and condemns nothing.
bool isLoadStated(const PlanView& planView)
{
    return planView.asked.requestsPerSecond || planView.asked.concurrency || !planView.asked.trace.empty();
}

bool keepsTheTargets(const serve::ServingView& serving, const PlanView& planView)
{
    return serving.run.measures.attainment >= planView.asked.targets.percentile / 100;
}

} // namespace

Tone servingTone(const serve::ServingView& serving, const PlanView& planView)
{
    if (!serving.run.verdict.stable)
        return Tone::Bad;
    if (!planView.asked.targets.any() || keepsTheTargets(serving, planView))
        return Tone::Good;
    return isLoadStated(planView) ? Tone::Bad : Tone::Doubtful;
}

QStringList servingRemarks(const serve::ServingView& serving, const PlanView& planView)
{
    QStringList lines;
    if (planView.sizing->day && planView.asked.trace.empty())
        lines << tr("the busiest stretch of the day, all the time");
    for (const Message& assumption : serving.run.assumptions)
        lines << modelText(assumption);
    if (planView.asked.targets.any() && !isLoadStated(planView) && !keepsTheTargets(serving, planView))
        lines << tr("requests that come at random overlap: more than %1 at once miss a target")
                     .arg(wholeText(std::floor(planView.answer().maxConcurrency)));
    if (serving.run.measures.partial)
        lines << tr("Stopped early: what was finished so far");
    return lines;
}

QVector<KeyFigure> servingFigures(const serve::ServingView& serving, const PlanView& planView)
{
    const serve::Measures& m = serving.run.measures;
    QVector<KeyFigure> figures;
    const bool stated = isLoadStated(planView);
    if (planView.asked.targets.any())
        figures << KeyFigure{percentText(m.attainment),
                             stated ? tr("kept the targets") : tr("kept the targets, at random arrivals"),
                             keepsTheTargets(serving, planView) ? Tone::Good
                                 : stated                       ? Tone::Bad
                                                                : Tone::Doubtful};
    figures << KeyFigure{text(m.requestRate), tr("served")}
            << KeyFigure{text(serving.run.verdict.capacity), tr("largest stable rate"),
                         serving.run.verdict.stable ? Tone::Good : Tone::Bad}
            << KeyFigure{text(m.outputRate), tr("output")}
            << KeyFigure{figureText(m.meanBatch), tr("mean batch")}
            << KeyFigure{percentText(m.busy), tr("busy")}
            << KeyFigure{wholeText(static_cast<double>(m.preemptions)), tr("preemptions")}
            << KeyFigure{wholeText(static_cast<double>(m.measured)), tr("requests measured")};
    return figures;
}

QStringList servingSummary(const serve::ServingView& serving, const PlanView& planView)
{
    QStringList figures;
    for (const KeyFigure& figure : servingFigures(serving, planView))
        figures << titled(figure.title, figure.value);
    QStringList lines{servingVerdict(serving), figures.join(QStringLiteral(" · "))};
    if (const QStringList remarks = servingRemarks(serving, planView); !remarks.isEmpty())
        lines << remarks.join(QStringLiteral(" · "));
    return lines;
}

} // namespace headroom::app
