#include "app/desktop/views/planning_charts.h"

#include "app/desktop/text/model_text.h"
#include "app/desktop/text/plan_view_text.h"
#include "app/desktop/text/quantities.h"
#include "app/desktop/text/translated.h"
#include "model/advise/plan_view.h"
#include "model/report/layout_text.h"
#include "model/search/search.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>

namespace headroom::app {

namespace {

// Where the answer stands among the others, larger than they.
ChartSeries theAnswer(const PlanView& planView, double y)
{
    return {.name = tr("The answer"),
            .kind = ChartSeries::Kind::Points,
            .colour = 1,
            .x = {planView.answer().point.tokensPerSecondPerUser.value.base()},
            .y = {y},
            .size = {0.2},
            .labels = {answerHeadline(planView) + QStringLiteral(" · ")
                       + modelText(layoutText(planView.answer().deployment.layout)) + QStringLiteral(" · ")
                       + tr("batch %1").arg(wholeText(planView.answer().load.batch))}};
}

ChartMark speedTarget(double tokensPerSecond)
{
    return {.at = tokensPerSecond,
            .orientation = Qt::Vertical,
            .text = tr("target"),
            .drags = QStringLiteral("tps")};
}

} // namespace

ChartData tradeoffChart(const PlanView& planView)
{
    ChartData data{.title = tr("Speed against throughput"),
                   .note = tr("a click takes the layout"),
                   .x = {.title = tr("Speed for each user"), .unit = tr("tok/s")},
                   .y = {.title = tr("Throughput of one GPU"), .unit = tr("tok/s")}};
    ChartSeries set{.name = tr("Best layouts"), .kind = ChartSeries::Kind::Points, .colour = 0};
    for (const ParetoPoint& point : planView.sizing->pareto) {
        set.x << point.tokensPerSecondPerUser;
        set.y << point.tokensPerSecondPerGpu;
        set.rows << static_cast<int>(set.rows.size());
        set.labels << tr("%n GPU(s)", nullptr, point.layout.gpusPerReplica()) + QStringLiteral(" · ")
                + modelText(layoutText(point.layout)) + QStringLiteral(" · ")
                + tr("batch %1").arg(wholeText(point.users));
    }
    ChartSeries front{.name = set.name, .quiet = true}; // so that the bend is seen
    std::vector<std::pair<double, double>> along;
    for (qsizetype i = 0; i < set.x.size(); ++i)
        along.emplace_back(set.x[i], set.y[i]);
    std::sort(along.begin(), along.end());
    for (const auto& [speed, throughput] : along) {
        front.x << speed;
        front.y << throughput;
    }
    data.series << set << front;
    if (const OperatingPoint& point = planView.answer().point;
        planView.sizing->meets && planView.answer().gpus() > 0) {
        // As the others are counted: the users of a replica, each waiting for his answer. GPUs that compute
        // prompts for it are its own too.
        const Candidate& answer = planView.answer();
        const double perGpu = answer.load.batch * answer.load.outputTokens / point.latency.value.base()
            * answer.deployment.layout.replicas / answer.gpus();
        data.series << theAnswer(planView, perGpu);
        const auto& all = planView.sizing->pareto;
        const bool among = std::any_of(all.begin(), all.end(), [&](const ParetoPoint& best) {
            Layout one = answer.deployment.layout;
            one.replicas = best.layout.replicas;
            return one == best.layout;
        });
        // A replica that is not full lies under the line of those that are.
        const bool fuller = std::any_of(all.begin(), all.end(), [&](const ParetoPoint& best) {
            return best.tokensPerSecondPerUser >= point.tokensPerSecondPerUser.value.base()
                && best.tokensPerSecondPerGpu > perGpu && best.users > answer.load.batch;
        });
        data.note = answer.prompts
            ? tr(
                "the answer has GPUs of their own for prompts, the best layouts have none; a click takes one")
            : among && fuller ? tr("the answer has batch %1, the best layouts take more; a click takes one")
                                    .arg(wholeText(answer.load.batch))
            : among ? tr("a click takes the layout")
                    : tr("the answer takes fewer GPUs than the best layouts; a click takes one of them");
    }
    if (const auto target = planView.asked.targets.tokensPerSecond)
        data.marks << speedTarget(*target);
    data.whenEmpty = tr("Nothing can be compared: no layout runs this model here");
    return data;
}

ChartData candidateCostChart(const PlanView& planView)
{
    ChartData data{.title = tr("Speed against cost"),
                   .x = {.title = tr("Speed for each user"), .unit = tr("tok/s")},
                   .y = {.title = tr("Cost of the service"), .unit = hourlyUnit(), .logarithmic = true}};
    const bool targets = planView.asked.targets.any();
    ChartSeries meets{.name = targets ? tr("Meets the targets") : tr("Runs"),
                      .kind = ChartSeries::Kind::Points,
                      .colour = 2};
    ChartSeries misses{.name = targets ? tr("Misses them") : tr("Does not run"),
                       .kind = ChartSeries::Kind::Points,
                       .colour = 6};
    for (int row = 0; row < static_cast<int>(planView.sizing->candidates.size()); ++row) {
        const Candidate& candidate = planView.sizing->candidates[static_cast<std::size_t>(row)];
        const Service& service = candidate.point.prediction.service;
        if (!service.priceKnown || perHour(service.price) <= 0 || !candidate.point.prediction.memory.fits)
            continue;
        ChartSeries& series = candidate.meets ? meets : misses;
        series.x << candidate.point.tokensPerSecondPerUser.value.base();
        series.y << toldAmount(Dollars(perHour(service.price)));
        series.rows << row;
        series.labels << QStringLiteral("%1 × %2 · %3 · %4")
                             .arg(wholeText(candidate.gpus()),
                                  QString::fromStdString(candidate.deployment.gpu->name),
                                  modelText(layoutText(candidate.deployment.layout)),
                                  tr("batch %1").arg(wholeText(candidate.load.batch)));
    }
    data.series << meets << misses;
    if (const Service& service = planView.answer().point.prediction.service;
        planView.sizing->meets && service.priceKnown)
        data.series << theAnswer(planView, toldAmount(Dollars(perHour(service.price))));
    if (const auto target = planView.asked.targets.tokensPerSecond)
        data.marks << speedTarget(*target);
    const auto& all = planView.sizing->candidates;
    const bool someFit = std::any_of(all.begin(), all.end(),
                                     [](const Candidate& c) { return c.point.prediction.memory.fits; });
    data.whenEmpty = someFit ? tr("No candidate has a known price")
                             : tr("Nothing can be compared: no layout runs this model here");
    return data;
}

namespace {

// From the answer as it is to the one at the low end of an input and to the one at its high end, widest on
// top.
ChartData tornado(const PlanView& planView, const ChartAxis& axis, const QString& title, double now,
                  double (*low)(const Sensitivity&), double (*high)(const Sensitivity&))
{
    const std::vector<Sensitivity>& all = planView.sizing->sensitivity;
    std::vector<int> order;
    for (int row = 0; row < static_cast<int>(all.size()); ++row)
        if (const Sensitivity& s = all[static_cast<std::size_t>(row)]; low(s) > 0 && high(s) > 0)
            order.push_back(row);
    const auto width = [&](int row) {
        const Sensitivity& s = all[static_cast<std::size_t>(row)];
        return std::abs(high(s) - low(s));
    };
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return width(a) < width(b); });
    ChartData data{.title = title, .note = tr("inputs halved and doubled"), .x = axis};
    ChartSeries less{.name = tr("Low end of the input"), .kind = ChartSeries::Kind::Spans, .colour = 0};
    ChartSeries more{.name = tr("High end of the input"), .kind = ChartSeries::Kind::Spans, .colour = 1};
    for (const int row : order) {
        const Sensitivity& input = all[static_cast<std::size_t>(row)];
        QString name = modelText(input.input);
        name.replace(0, 1, name.at(0).toUpper());
        for (const auto& [series, value, at] : {std::tuple(&less, low(input), &input.lowText),
                                                std::tuple(&more, high(input), &input.highText)}) {
            series->rows << row;
            series->from << std::min(now, value);
            series->x << std::max(now, value);
            series->y << static_cast<double>(data.y.categories.size());
            series->labels << tr("%1: %2").arg(name, modelText(*at));
        }
        data.y.categories << name + u'\n' + spanText(modelText(input.lowText), modelText(input.highText));
    }
    const bool moves = std::any_of(order.begin(), order.end(), [&](int row) { return width(row) > 0; });
    if (!moves) {
        data.y.categories.clear();
        data.note.clear();
        data.whenEmpty = order.empty()
            ? tr("Nothing was varied")
            : tr("Halving or doubling any one input leaves it at %1: nothing moves it").arg(numberText(now));
        return data;
    }
    data.series << less << more;
    data.marks << ChartMark{.at = now, .orientation = Qt::Vertical, .text = tr("now"), .limit = false};
    return data;
}

} // namespace

ChartData speedTornadoChart(const PlanView& planView)
{
    return tornado(
        planView, {.title = tr("Speed for each user"), .unit = tr("tok/s")}, tr("What moves the speed"),
        planView.sizing->answer.point.tokensPerSecondPerUser.value.base(),
        [](const Sensitivity& s) { return s.speedLow; }, [](const Sensitivity& s) { return s.speedHigh; });
}

ChartData gpuTornadoChart(const PlanView& planView)
{
    return tornado(
        planView, {.title = tr("GPUs needed"), .whole = true, .low = 0}, tr("What moves the number of GPUs"),
        double(planView.sizing->answer.gpus()), [](const Sensitivity& s) { return double(s.gpusLow); },
        [](const Sensitivity& s) { return double(s.gpusHigh); });
}

namespace {

constexpr double secondsOfHour = 3600;

// A figure of each stretch of the day as steps over the hours.
ChartSeries steps(const LoadCurve& curve, const QString& name, int colour,
                  const std::function<double(std::size_t)>& of)
{
    ChartSeries line{.name = name, .colour = colour};
    for (std::size_t i = 0; i < curve.requestsPerSecond.size(); ++i)
        for (const std::size_t end : {i, i + 1}) {
            line.x << static_cast<double>(end) * curve.stretch.base() / secondsOfHour;
            line.y << of(i);
        }
    return line;
}

ChartData overTheDay(const PlanView& planView, ChartData data)
{
    constexpr double quarterDay = 6; // h
    data.x = {.title = tr("Hour")};
    data.y.low = 0;
    if (const std::optional<FleetDay>& day = planView.sizing->day) { // of a trace: as long as it is
        data.x.low = 0;
        data.x.high = static_cast<double>(day->curve.requestsPerSecond.size()) * day->curve.stretch.base()
            / secondsOfHour;
        if (*data.x.high > quarterDay)
            data.x.step = quarterDay;
    }
    data.whenEmpty = planView.asked.requestsPerSecond ? tr("The load is the same all day")
                                                      : tr("A day needs requests per second, or a trace");
    return data;
}

} // namespace

ChartData growthChart(const PlanView& planView)
{
    constexpr double roomForWords = 1.15; // over the tallest bar
    ChartData data{.title = tr("Growth"), .y = {.title = tr("GPUs needed"), .whole = true, .low = 0}};
    ChartSeries bars{.name = tr("GPUs needed"), .kind = ChartSeries::Kind::Bars, .colour = 0};
    for (const YearOfGrowth& year : planView.sizing->growth) {
        const auto at = static_cast<double>(data.x.categories.size());
        data.x.categories << (year.year == 0 ? tr("today") : tr("year %1").arg(year.year));
        if (year.gpus <= 0)
            continue; // nothing meets the targets then
        const QString gpus = tr("%n GPU(s)", nullptr, year.gpus);
        bars.x << at;
        bars.y << year.gpus;
        bars.captions << (year.usdPerHour > 0
                              ? gpus + QStringLiteral(" · ") + perHourText(dollarsPerHour(year.usdPerHour))
                              : gpus);
        data.y.high = std::max(data.y.high.value_or(0), year.gpus * roomForWords);
    }
    if (!bars.x.isEmpty())
        data.note = tr("load grows by %1 a year").arg(percentText(planView.asked.growthPerYear));
    data.whenEmpty = planView.asked.growthPerYear > 0
        ? tr("Growth needs a load, users or requests, and an answer that meets the targets")
        : tr("No growth was stated");
    data.series << bars;
    return data;
}

ChartData dayLoadChart(const PlanView& planView)
{
    ChartData data = overTheDay(
        planView, {.title = tr("Load through the day"), .y = {.title = tr("Requests"), .unit = tr("per s")}});
    if (const std::optional<FleetDay>& day = planView.sizing->day) {
        data.series << steps(day->curve, tr("Requests"), 0,
                             [&](std::size_t i) { return day->curve.requestsPerSecond[i]; });
        data.marks << ChartMark{.at = day->curve.mean(), .text = tr("mean"), .limit = false};
    }
    return data;
}

ChartData dayGpusChart(const PlanView& planView)
{
    ChartData data = overTheDay(
        planView, {.title = tr("GPUs through the day"), .y = {.title = tr("GPUs needed"), .whole = true}});
    if (const std::optional<FleetDay>& day = planView.sizing->day) {
        data.series << steps(day->curve, tr("GPUs needed"), 1,
                             [&](std::size_t i) { return double(day->gpus.at(i)); });
        data.marks << ChartMark{
            .at = double(planView.answer().gpus()), .text = tr("sized for the peak"), .limit = false};
    }
    return data;
}

QString breakPointText(const PlanView& planView, const BreakPoint& point)
{
    const QString input = modelText(point.input);
    constexpr double counted = 1000; // above, every whole one is told
    const QString from = point.from < counted ? numberText(point.from) : wholeText(point.from);
    // They are looked for on the accelerator of the answer only.
    const QString gpu = QString::fromStdString(planView.answer().deployment.gpu->name);
    if (point.gpus <= 0)
        return tr("Above %1 %2, nothing on %3 meets what was asked").arg(from, input, gpu);
    return planView.answer().prompts
        ? tr("Above %1 %2, %3 GPUs are needed").arg(from, input, wholeText(point.gpus))
        : tr("Above %1 %2, %3 × %4 are needed").arg(from, input, wholeText(point.gpus), gpu);
}

} // namespace headroom::app
