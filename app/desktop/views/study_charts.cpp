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

namespace headroom::app {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("headroom::app", text); }

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
                                  .text = tr("the engine may fill"),
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
                                .text = tr("target %1").arg(text(TokensPerSecond(*target)))};
    data.marks << memoryLimit(study) << chosenBatch(study);
    return data;
}

ChartData throughputByBatchChart(const Study& study)
{
    ChartData data{.title = tr("Throughput over batch"),
                   .note = atLengths(study),
                   .x = {.title = tr("Sequences in one replica"), .logarithmic = true, .doubling = true},
                   .y = {.title = tr("Output of the whole service"), .unit = tr("tok/s")}};
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
                   .note = tr("area: share of the step's time"),
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
        const std::string_view op = opName(figure.op.name);
        series.labels << QString::fromUtf8(op.data(), static_cast<qsizetype>(op.size()))
                + QStringLiteral(" · ") + percentText(figure.shareOfStep) + QStringLiteral(" · ")
                + text(figure.time);
        least = std::min(least, figure.flopsPerByte / 2);
        most = std::max(most, figure.flopsPerByte * 2);
    }
    int colour = 2;
    for (const Ceiling& ceiling : study.ceilings) {
        const double ridge = ceiling.peak.base() / gpu.memoryBandwidth.base();
        const std::string_view unit = name(ceiling.unit);
        ChartSeries roof{.name = QString::fromUtf8(unit.data(), static_cast<qsizetype>(unit.size())),
                         .colour = colour++};
        most = std::max(most, ridge * 4);
        roof.x << least << ridge << most;
        roof.y << least * gpu.memoryBandwidth.base() / tera << ceiling.peak.base() / tera
               << ceiling.peak.base() / tera;
        data.series << roof;
    }
    for (ChartSeries& roof : data.series)
        roof.x.last() = most;
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
    data.series << set;
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
    ChartData data{.title = tr("Speed against cost"),
                   .x = {.title = tr("Speed for each user"), .unit = tr("tok/s")},
                   .y = {.title = tr("Cost of the service"), .unit = QStringLiteral("$/h")}};
    ChartSeries meets{.name = tr("Meets the targets"), .kind = ChartSeries::Kind::Points, .colour = 2};
    ChartSeries misses{.name = tr("Misses them"), .kind = ChartSeries::Kind::Points, .colour = 6};
    for (int row = 0; row < static_cast<int>(study.sizing->candidates.size()); ++row) {
        const Candidate& candidate = study.sizing->candidates[static_cast<std::size_t>(row)];
        const Service& service = candidate.point.prediction.service;
        if (!service.priceKnown)
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

// Bars from the answer at the low input to the answer at the high input, widest on top.
ChartData tornado(const Study& study, const QString& title, const QString& axis, const QString& unit,
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
    ChartData data{.title = title, .x = {.title = axis, .unit = unit}};
    ChartSeries range{.name = title, .kind = ChartSeries::Kind::Spans, .colour = 0};
    for (const int row : order) {
        const Sensitivity& input = all[static_cast<std::size_t>(row)];
        range.rows << row;
        range.from << std::min(low(input), high(input));
        range.x << std::max(low(input), high(input));
        range.y << static_cast<double>(data.y.categories.size());
        range.labels << tr("%1: %2 to %3")
                            .arg(modelText(input.input), modelText(input.lowText), modelText(input.highText));
        data.y.categories << modelText(input.input);
    }
    data.series << range;
    data.whenEmpty = tr("Nothing was varied");
    return data;
}

} // namespace

ChartData speedTornadoChart(const Study& study)
{
    ChartData data = tornado(
        study, tr("What moves the speed"), tr("Speed for each user"), tr("tok/s"),
        [](const Sensitivity& s) { return s.speedLow; }, [](const Sensitivity& s) { return s.speedHigh; });
    data.marks << ChartMark{.at = study.sizing->answer.point.tokensPerSecondPerUser.value.base(),
                            .orientation = Qt::Vertical,
                            .text = tr("now"),
                            .limit = false};
    return data;
}

ChartData gpuTornadoChart(const Study& study)
{
    ChartData data = tornado(
        study, tr("What moves the number of GPUs"), tr("GPUs needed"), {},
        [](const Sensitivity& s) { return double(s.gpusLow); },
        [](const Sensitivity& s) { return double(s.gpusHigh); });
    data.marks << ChartMark{.at = double(study.sizing->answer.gpus()),
                            .orientation = Qt::Vertical,
                            .text = tr("now"),
                            .limit = false};
    data.x.low = 0;
    return data;
}

ChartData growthChart(const Study& study)
{
    ChartData data{.title = tr("Growth"), .x = {.title = tr("Year")}, .y = {.title = tr("GPUs needed")}};
    ChartSeries bars{.name = tr("GPUs"), .kind = ChartSeries::Kind::Bars, .colour = 0};
    for (const YearOfGrowth& year : study.sizing->growth) {
        bars.x << static_cast<double>(data.x.categories.size());
        bars.y << year.gpus;
        data.x.categories << tr("year %1").arg(year.year);
    }
    data.series << bars;
    return data;
}

QString breakPointText(const BreakPoint& point)
{
    const QString input = modelText(point.input);
    return point.gpus > 0
        ? tr("From %1 %2 on, %3 GPUs are needed").arg(wholeText(point.from), input).arg(point.gpus)
        : tr("From %1 %2 on, nothing meets the targets").arg(wholeText(point.from), input);
}

} // namespace headroom::app
