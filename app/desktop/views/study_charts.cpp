#include "app/desktop/views/study_charts.h"

#include "app/desktop/text/model_text.h"
#include "app/desktop/text/quantities.h"
#include "app/desktop/text/study_text.h"
#include "model/plan/search.h"
#include "model/plan/study.h"
#include "model/report/layout_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>

namespace headroom::app {

namespace {

QString tr(const char* text, const char* = nullptr, int n = -1)
{
    return QCoreApplication::translate("headroom::app", text, nullptr, n);
}

constexpr double giga = 1e9;   // charts show GB
constexpr double milli = 1e-3; // and ms

struct MemoryPart {
    const char* name;
    int colour;
    Bytes GpuMemory::*bytes;
};
const MemoryPart memoryParts[]{
    {QT_TRANSLATE_NOOP("headroom::app::MemoryBars", "Weights"), 0, &GpuMemory::weights},
    {QT_TRANSLATE_NOOP("headroom::app::MemoryBars", "KV cache"), 1, &GpuMemory::kv},
    {QT_TRANSLATE_NOOP("headroom::app::MemoryBars", "Activations"), 2, &GpuMemory::activation},
    {QT_TRANSLATE_NOOP("headroom::app::MemoryBars", "Runtime"), 6, &GpuMemory::runtime},
};

// Stacked bars of one GPU's memory with the lines that must not be crossed.
class MemoryBars {
public:
    MemoryBars(const QString& title, const QString& axis)
    {
        m_data.title = title;
        m_data.stacked = true;
        m_data.x.title = axis;
        m_data.y = {.title = tr("Memory of one GPU"), .unit = QStringLiteral("GB")};
        for (const MemoryPart& part : memoryParts)
            m_data.series << ChartSeries{
                .name = tr(part.name), .kind = ChartSeries::Kind::Bars, .colour = part.colour};
    }
    void add(const QString& place, const GpuMemory& memory, int row)
    {
        for (qsizetype i = 0; i < m_data.series.size(); ++i) {
            m_data.series[i].rows << row;
            m_data.series[i].x << static_cast<double>(m_data.x.categories.size());
            m_data.series[i].y << (memory.*(memoryParts[i].bytes)).base() / giga;
        }
        m_data.x.categories << place;
    }
    ChartData finish(const GpuMemory& memory) &&
    {
        m_data.marks << ChartMark{.at = memory.capacity.base() / giga,
                                  .orientation = Qt::Horizontal,
                                  .text = tr("capacity")}
                     << ChartMark{.at = memory.usable.base() / giga,
                                  .orientation = Qt::Horizontal,
                                  .text = tr("usable"),
                                  .limit = false};
        return std::move(m_data);
    }

private:
    static QString tr(const char* text)
    {
        return QCoreApplication::translate("headroom::app::MemoryBars", text);
    }

    ChartData m_data;
};

// "512", "4k", "131k": places of a crowded axis.
QString shortTokens(double tokens)
{
    return tokens >= 10000 ? numberText(tokens / 1000) + u'k' : wholeText(tokens);
}

ChartMark chosenBatch(const Study& study)
{
    return {
        .at = study.resolved.load.batch, .orientation = Qt::Vertical, .text = tr("chosen"), .limit = false};
}

ChartMark memoryLimit(const Study& study)
{
    return {
        .at = study.prediction.memory.maxBatch, .orientation = Qt::Vertical, .text = tr("memory is full")};
}

// Where the answer stands among the others, larger than they.
ChartSeries theAnswer(const Study& study, double y)
{
    return {.name = tr("The answer"),
            .kind = ChartSeries::Kind::Points,
            .colour = 1,
            .x = {study.answer().point.tokensPerSecondPerUser.value.base()},
            .y = {y},
            .size = {0.2},
            .labels = {answerHeadline(study)}};
}

QString atLengths(const Study& study)
{
    return tr("%1 prompt and %2 output tokens")
        .arg(wholeText(study.resolved.load.promptTokens), wholeText(study.resolved.load.outputTokens));
}

} // namespace

ChartData memoryByBatchChart(const Study& study)
{
    MemoryBars bars(tr("Memory over batch"), tr("Sequences in one replica"));
    for (int row = 0; row < static_cast<int>(study.byBatch.size()); ++row) {
        const BatchFigure& figure = study.byBatch[static_cast<std::size_t>(row)];
        const double octave = std::log2(figure.batch);
        if (std::abs(octave - std::round(octave)) < 1e-9 || figure.batch == study.resolved.load.batch)
            bars.add(wholeText(figure.batch), figure.prediction.memory.perGpu, row);
    }
    ChartData data = std::move(bars).finish(study.prediction.memory.perGpu);
    data.note = atLengths(study);
    return data;
}

ChartData memoryByContextChart(const Study& study)
{
    MemoryBars bars(tr("Memory over context"), tr("Tokens of each sequence"));
    for (int row = 0; row < static_cast<int>(study.byContext.size()); ++row) {
        const ContextFigure& figure = study.byContext[static_cast<std::size_t>(row)];
        bars.add(shortTokens(figure.contextTokens), figure.memory.perGpu, row);
    }
    ChartData data = std::move(bars).finish(study.prediction.memory.perGpu);
    data.note = tr("batch %1").arg(wholeText(study.resolved.load.batch));
    return data;
}

ChartData batchByContextChart(const Study& study)
{
    ChartData data{
        .title = tr("Largest batch over context"),
        .x = {.title = tr("Tokens of each sequence"), .logarithmic = true, .doubling = true},
        .y = {.title = tr("Sequences that one replica holds"), .logarithmic = true, .doubling = true}};
    ChartSeries line{.name = tr("Largest batch"), .colour = 0};
    for (const ContextFigure& figure : study.byContext) {
        if (figure.largestBatch < 1)
            continue;
        line.x << figure.contextTokens;
        line.y << figure.largestBatch;
    }
    data.series << line;
    data.marks << ChartMark{
        .at = study.resolved.load.batch, .orientation = Qt::Horizontal, .text = tr("chosen"), .limit = false};
    data.whenEmpty = tr("Not even one sequence fits");
    return data;
}

ChartData speedByBatchChart(const Study& study)
{
    ChartData data{.title = tr("Speed over batch"),
                   .note = atLengths(study),
                   .x = {.title = tr("Sequences in one replica"), .logarithmic = true, .doubling = true},
                   .y
                   = {.title = tr("Time between tokens"), .unit = QStringLiteral("ms"), .logarithmic = true}};
    ChartSeries alone{.name = tr("Decoding only"), .colour = 0};
    ChartSeries loaded{.name = tr("With prompts arriving"), .colour = 1};
    for (const BatchFigure& figure : study.byBatch) {
        for (const auto& [series, tpot] : {std::pair(&alone, figure.prediction.tpot),
                                           std::pair(&loaded, figure.prediction.tpotUnderLoad)}) {
            series->x << figure.batch;
            series->y << tpot.value.base() / milli;
            series->low << tpot.low.base() / milli;
            series->high << tpot.high.base() / milli;
        }
    }
    data.series << alone << loaded;
    if (const auto target = study.asked.targets.tokensPerSecond)
        data.marks << ChartMark{.at = 1 / *target / milli,
                                .orientation = Qt::Horizontal,
                                .text = tr("target %1").arg(text(TokensPerSecond(*target), Zeros::Dropped))};
    data.marks << memoryLimit(study) << chosenBatch(study);
    return data;
}

ChartData throughputByBatchChart(const Study& study)
{
    ChartData data{.title = tr("Throughput over batch"),
                   .note = atLengths(study),
                   .x = {.title = tr("Sequences in one replica"), .logarithmic = true, .doubling = true},
                   .y = {.title = tr("Output of the service"), .unit = tr("tok/s")}};
    ChartSeries line{.name = tr("Output tokens"), .colour = 2};
    for (const BatchFigure& figure : study.byBatch) {
        const Estimate<TokensPerSecond>& rate = figure.prediction.service.outputTokensPerSecond;
        line.x << figure.batch;
        line.y << rate.value.base();
        line.low << rate.low.base();
        line.high << rate.high.base();
    }
    data.series << line;
    data.marks << memoryLimit(study) << chosenBatch(study);
    return data;
}

ChartData rooflineChart(const Study& study)
{
    constexpr double tera = 1e12;
    const Gpu& gpu = *study.resolved.deployment.gpu;
    ChartData data{.title = tr("Roofline of one GPU"),
                   .note
                   = tr("area: share of the step's time; slope: %1 of memory").arg(text(gpu.memoryBandwidth)),
                   .x = {.title = tr("Arithmetic intensity"), .unit = tr("FLOP/B"), .logarithmic = true},
                   .y = {.title = tr("Achieved"), .unit = QStringLiteral("TFLOP/s"), .logarithmic = true}};
    ChartSeries prefill{.name = tr("Prefill"), .kind = ChartSeries::Kind::Points, .colour = 0};
    ChartSeries decode{.name = tr("Decode"), .kind = ChartSeries::Kind::Points, .colour = 1};
    double least = 1;
    double most = 1000;
    for (int row = 0; row < static_cast<int>(study.operators.size()); ++row) {
        const OperatorFigure& figure = study.operators[static_cast<std::size_t>(row)];
        if (figure.flopsPerByte <= 0 || figure.achieved.base() <= 0)
            continue;
        ChartSeries& series = figure.prefill ? prefill : decode;
        series.x << figure.flopsPerByte;
        series.y << figure.achieved.base() / tera;
        series.size << figure.shareOfStep;
        series.rows << row;
        constexpr double worthNaming = 0.03; // of the step's time
        const std::string_view op = opName(figure.op.name);
        const QString called = QString::fromUtf8(op.data(), static_cast<qsizetype>(op.size()));
        series.captions << (figure.shareOfStep >= worthNaming ? called : QString());
        series.labels << called + QStringLiteral(" · ") + percentText(figure.shareOfStep)
                + QStringLiteral(" · ") + text(figure.time);
        least = std::min(least, figure.flopsPerByte / 2);
        most = std::max(most, figure.flopsPerByte * 2);
    }
    // The arithmetic that the answer uses stands out; what else the card could do stays in the background.
    const auto used = [&](MathUnit unit) {
        return std::any_of(study.operators.begin(), study.operators.end(), [&](const OperatorFigure& figure) {
            return figure.op.unit == unit && figure.flopsPerByte > 0;
        });
    };
    for (const Ceiling& ceiling : study.ceilings)
        most = std::max(most, ceiling.peak.base() / gpu.memoryBandwidth.base() * 4);
    for (std::size_t i = 0; i < study.ceilings.size();) {
        // Types with one peak are one line.
        const FlopsPerSecond peak = study.ceilings[i].peak;
        QStringList types;
        bool quiet = true;
        for (; i < study.ceilings.size() && study.ceilings[i].peak == peak; ++i) {
            const std::string_view unit = name(study.ceilings[i].unit);
            types << QString::fromUtf8(unit.data(), static_cast<qsizetype>(unit.size()));
            quiet = quiet && !used(study.ceilings[i].unit);
        }
        const double ridge = peak.base() / gpu.memoryBandwidth.base();
        const double begin = quiet ? ridge : least; // one slope is enough
        ChartSeries roof{.name = types.join(QStringLiteral(", ")), .colour = 2};
        roof.quiet = quiet;
        roof.endLabel = roof.name + u' ' + text(peak);
        roof.x << begin << ridge << most;
        roof.y << begin * gpu.memoryBandwidth.base() / tera << peak.base() / tera << peak.base() / tera;
        data.series << roof;
    }
    data.series << prefill << decode;
    return data;
}

ChartData tradeoffChart(const Study& study)
{
    ChartData data{.title = tr("Speed against throughput"),
                   .note = tr("a click takes the layout"),
                   .x = {.title = tr("Speed for each user"), .unit = tr("tok/s")},
                   .y = {.title = tr("Throughput of one GPU"), .unit = tr("tok/s")}};
    ChartSeries set{.name = tr("Best layouts"), .kind = ChartSeries::Kind::Points, .colour = 0};
    for (const ParetoPoint& point : study.sizing->pareto) {
        set.x << point.tokensPerSecondPerUser;
        set.y << point.tokensPerSecondPerGpu;
        set.rows << static_cast<int>(set.rows.size());
        set.labels << QString::fromStdString(layoutText(point.layout)) + QStringLiteral(" · ")
                + tr("%1 users in a replica").arg(wholeText(point.users));
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
    if (const OperatingPoint& point = study.answer().point; study.sizing->meets && study.answer().gpus() > 0)
        data.series << theAnswer(
            study, point.prediction.service.outputTokensPerSecond.value.base() / study.answer().gpus());
    if (const auto target = study.asked.targets.tokensPerSecond)
        data.marks << ChartMark{.at = *target, .orientation = Qt::Vertical, .text = tr("target")};
    data.whenEmpty = tr("Nothing can be compared: no layout runs this model here");
    return data;
}

ChartData candidateCostChart(const Study& study)
{
    ChartData data{
        .title = tr("Speed against cost"),
        .x = {.title = tr("Speed for each user"), .unit = tr("tok/s")},
        .y = {.title = tr("Cost of the service"), .unit = QStringLiteral("$/h"), .logarithmic = true}};
    ChartSeries meets{.name = tr("Meets the targets"), .kind = ChartSeries::Kind::Points, .colour = 2};
    ChartSeries misses{.name = tr("Misses them"), .kind = ChartSeries::Kind::Points, .colour = 6};
    for (int row = 0; row < static_cast<int>(study.sizing->candidates.size()); ++row) {
        const Candidate& candidate = study.sizing->candidates[static_cast<std::size_t>(row)];
        const Service& service = candidate.point.prediction.service;
        if (!service.priceKnown || perHour(service.price) <= 0)
            continue;
        ChartSeries& series = candidate.meets ? meets : misses;
        series.x << candidate.point.tokensPerSecondPerUser.value.base();
        series.y << perHour(service.price);
        series.rows << row;
        series.labels << QStringLiteral("%1 × %2 · %3")
                             .arg(candidate.gpus())
                             .arg(QString::fromStdString(candidate.deployment.gpu->name),
                                  QString::fromStdString(layoutText(candidate.deployment.layout)));
    }
    data.series << meets << misses;
    if (const Service& service = study.answer().point.prediction.service;
        study.sizing->meets && service.priceKnown)
        data.series << theAnswer(study, perHour(service.price));
    if (const auto target = study.asked.targets.tokensPerSecond)
        data.marks << ChartMark{.at = *target, .orientation = Qt::Vertical, .text = tr("target")};
    data.whenEmpty = tr("No candidate has a known price");
    return data;
}

namespace {

// From the answer as it is to the one at the low end of an input and to the one at its high end, widest on
// top.
ChartData tornado(const Study& study, const ChartAxis& axis, const QString& title, double now,
                  double (*low)(const Sensitivity&), double (*high)(const Sensitivity&))
{
    const std::vector<Sensitivity>& all = study.sizing->sensitivity;
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
    if (!order.empty())
        data.series << less << more;
    data.marks << ChartMark{.at = now, .orientation = Qt::Vertical, .text = tr("now"), .limit = false};
    data.whenEmpty = tr("Nothing was varied");
    return data;
}

} // namespace

ChartData speedTornadoChart(const Study& study)
{
    return tornado(
        study, {.title = tr("Speed for each user"), .unit = tr("tok/s")}, tr("What moves the speed"),
        study.sizing->answer.point.tokensPerSecondPerUser.value.base(),
        [](const Sensitivity& s) { return s.speedLow; }, [](const Sensitivity& s) { return s.speedHigh; });
}

ChartData gpuTornadoChart(const Study& study)
{
    return tornado(
        study, {.title = tr("GPUs needed"), .whole = true, .low = 0}, tr("What moves the number of GPUs"),
        double(study.sizing->answer.gpus()), [](const Sensitivity& s) { return double(s.gpusLow); },
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

ChartData overTheDay(const Study& study, ChartData data)
{
    constexpr double quarterDay = 6; // h
    data.x = {.title = tr("Hour")};
    data.y.low = 0;
    if (const std::optional<FleetDay>& day = study.sizing->day) { // of a trace: as long as it is
        data.x.low = 0;
        data.x.high = static_cast<double>(day->curve.requestsPerSecond.size()) * day->curve.stretch.base()
            / secondsOfHour;
        if (*data.x.high > quarterDay)
            data.x.step = quarterDay;
    }
    data.whenEmpty = study.asked.requestsPerSecond ? tr("The load is the same all day")
                                                   : tr("A day needs requests per second, or a trace");
    return data;
}

} // namespace

ChartData growthChart(const Study& study)
{
    constexpr double roomForWords = 1.15; // over the tallest bar
    ChartData data{.title = tr("Growth"), .y = {.title = tr("GPUs needed"), .whole = true, .low = 0}};
    ChartSeries bars{.name = tr("GPUs needed"), .kind = ChartSeries::Kind::Bars, .colour = 0};
    for (const YearOfGrowth& year : study.sizing->growth) {
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
        data.note = tr("load grows by %1 a year").arg(percentText(study.asked.growthPerYear));
    data.whenEmpty = study.asked.growthPerYear > 0
        ? tr("Growth needs a load, users or requests, and an answer that meets the targets")
        : tr("No growth was stated");
    data.series << bars;
    return data;
}

ChartData dayLoadChart(const Study& study)
{
    ChartData data = overTheDay(
        study, {.title = tr("Load through the day"), .y = {.title = tr("Requests"), .unit = tr("per s")}});
    if (const std::optional<FleetDay>& day = study.sizing->day) {
        data.series << steps(day->curve, tr("Requests"), 0,
                             [&](std::size_t i) { return day->curve.requestsPerSecond[i]; });
        data.marks << ChartMark{.at = day->curve.mean(), .text = tr("mean"), .limit = false};
    }
    return data;
}

ChartData dayGpusChart(const Study& study)
{
    ChartData data = overTheDay(
        study, {.title = tr("GPUs through the day"), .y = {.title = tr("GPUs needed"), .whole = true}});
    if (const std::optional<FleetDay>& day = study.sizing->day) {
        data.series << steps(day->curve, tr("GPUs needed"), 1,
                             [&](std::size_t i) { return double(day->gpus.at(i)); });
        data.marks << ChartMark{
            .at = double(study.answer().gpus()), .text = tr("sized for the peak"), .limit = false};
    }
    return data;
}

QString breakPointText(const BreakPoint& point)
{
    const QString input = modelText(point.input);
    constexpr double counted = 1000; // above, every whole one is told
    const QString from = point.from < counted ? numberText(point.from) : wholeText(point.from);
    return point.gpus > 0 ? tr("From %1 %2 on, %3 GPUs are needed").arg(from, input).arg(point.gpus)
                          : tr("From %1 %2 on, nothing meets the targets").arg(from, input);
}

} // namespace headroom::app
