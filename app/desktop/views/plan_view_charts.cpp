#include "app/desktop/views/plan_view_charts.h"

#include "app/desktop/text/model_text.h"
#include "app/desktop/text/plan_view_text.h"
#include "app/desktop/text/quantities.h"
#include "app/desktop/text/translated.h"
#include "model/advise/plan_view.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace headroom::app {

namespace {

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

ChartMark chosenBatch(const PlanView& planView)
{
    return {.at = planView.resolved.load.batch,
            .orientation = Qt::Vertical,
            .text = tr("chosen"),
            .limit = false};
}

ChartMark memoryLimit(const PlanView& planView)
{
    return {
        .at = planView.prediction.memory.maxBatch, .orientation = Qt::Vertical, .text = tr("memory is full")};
}

QString atLengths(const PlanView& planView)
{
    return tr("%1 prompt and %2 output tokens")
        .arg(wholeText(planView.resolved.load.promptTokens), wholeText(planView.resolved.load.outputTokens));
}

} // namespace

ChartData memoryByBatchChart(const PlanView& planView)
{
    MemoryBars bars(tr("Memory over batch"), tr("Sequences in one replica"));
    for (int row = 0; row < static_cast<int>(planView.byBatch.size()); ++row) {
        const BatchFigure& figure = planView.byBatch[static_cast<std::size_t>(row)];
        const double octave = std::log2(figure.batch);
        const double nearest = std::exp2(std::round(octave));
        const bool isChosen = figure.batch == planView.resolved.load.batch
            && wholeText(figure.batch) != wholeText(nearest); // that bar is there already
        if (std::abs(octave - std::round(octave)) < 1e-9 || isChosen)
            bars.add(wholeText(figure.batch), figure.prediction.memory.perGpu, row);
    }
    ChartData data = std::move(bars).finish(planView.prediction.memory.perGpu);
    data.note = atLengths(planView);
    return data;
}

ChartData memoryByContextChart(const PlanView& planView)
{
    MemoryBars bars(tr("Memory over context"), tr("Tokens of each sequence"));
    for (int row = 0; row < static_cast<int>(planView.byContext.size()); ++row) {
        const ContextFigure& figure = planView.byContext[static_cast<std::size_t>(row)];
        bars.add(shortTokens(figure.contextTokens), figure.memory.perGpu, row);
    }
    ChartData data = std::move(bars).finish(planView.prediction.memory.perGpu);
    data.note = tr("batch %1").arg(wholeText(planView.resolved.load.batch));
    return data;
}

ChartData batchByContextChart(const PlanView& planView)
{
    ChartData data{
        .title = tr("Largest batch over context"),
        .x = {.title = tr("Tokens of each sequence"), .logarithmic = true, .doubling = true},
        .y = {.title = tr("Sequences that one replica holds"), .logarithmic = true, .doubling = true}};
    ChartSeries line{.name = tr("Largest batch"), .colour = 0};
    for (const ContextFigure& figure : planView.byContext) {
        if (figure.largestBatch < 1)
            continue;
        line.x << figure.contextTokens;
        line.y << figure.largestBatch;
    }
    data.series << line;
    data.marks << ChartMark{.at = planView.resolved.load.batch,
                            .orientation = Qt::Horizontal,
                            .text = tr("chosen"),
                            .limit = false};
    data.whenEmpty = tr("Not even one sequence fits");
    return data;
}

ChartData speedByBatchChart(const PlanView& planView)
{
    ChartData data{.title = tr("Speed over batch"),
                   .note = atLengths(planView),
                   .x = {.title = tr("Sequences in one replica"), .logarithmic = true, .doubling = true},
                   .y
                   = {.title = tr("Time between tokens"), .unit = QStringLiteral("ms"), .logarithmic = true}};
    ChartSeries alone{.name = tr("Decoding only"), .colour = 0};
    ChartSeries loaded{.name = tr("With prompts arriving"), .colour = 1};
    for (const BatchFigure& figure : planView.byBatch) {
        for (const auto& [series, tpot] : {std::pair(&alone, figure.prediction.tpot),
                                           std::pair(&loaded, figure.prediction.tpotUnderLoad)}) {
            series->x << figure.batch;
            series->y << tpot.value.base() / milli;
            series->low << tpot.low.base() / milli;
            series->high << tpot.high.base() / milli;
        }
    }
    data.series << alone << loaded;
    if (const auto target = planView.asked.targets.tokensPerSecond)
        data.marks << ChartMark{.at = 1 / *target / milli,
                                .orientation = Qt::Horizontal,
                                .text = tr("target %1").arg(text(TokensPerSecond(*target), Zeros::Dropped)),
                                .drags = QStringLiteral("tps")};
    data.marks << memoryLimit(planView) << chosenBatch(planView);
    return data;
}

ChartData throughputByBatchChart(const PlanView& planView)
{
    ChartData data{.title = tr("Throughput over batch"),
                   .note = atLengths(planView),
                   .x = {.title = tr("Sequences in one replica"), .logarithmic = true, .doubling = true},
                   .y = {.title = tr("Output of the service"), .unit = tr("tok/s")}};
    ChartSeries line{.name = tr("Output tokens"), .colour = 2};
    for (const BatchFigure& figure : planView.byBatch) {
        const Estimate<TokensPerSecond>& rate = figure.prediction.service.outputTokensPerSecond;
        line.x << figure.batch;
        line.y << rate.value.base();
        line.low << rate.low.base();
        line.high << rate.high.base();
    }
    data.series << line;
    data.marks << memoryLimit(planView) << chosenBatch(planView);
    return data;
}

ChartData rooflineChart(const PlanView& planView)
{
    constexpr double tera = 1e12;
    const Gpu& gpu = *planView.resolved.deployment.gpu;
    ChartData data{.title = tr("Roofline of one GPU"),
                   .note
                   = tr("area: share of the step's time; slope: %1 of memory").arg(text(gpu.memoryBandwidth)),
                   .x = {.title = tr("Arithmetic intensity"), .unit = tr("FLOP/B"), .logarithmic = true},
                   .y = {.title = tr("Achieved"), .unit = QStringLiteral("TFLOP/s"), .logarithmic = true}};
    ChartSeries prefill{.name = tr("Prefill"), .kind = ChartSeries::Kind::Points, .colour = 0};
    ChartSeries decode{.name = tr("Decode"), .kind = ChartSeries::Kind::Points, .colour = 1};
    double least = 1;
    double most = 1000;
    for (int row = 0; row < static_cast<int>(planView.operators.size()); ++row) {
        const OperatorFigure& figure = planView.operators[static_cast<std::size_t>(row)];
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
        return std::any_of(
            planView.operators.begin(), planView.operators.end(),
            [&](const OperatorFigure& figure) { return figure.op.unit == unit && figure.flopsPerByte > 0; });
    };
    for (const Ceiling& ceiling : planView.ceilings)
        most = std::max(most, ceiling.peak.base() / gpu.memoryBandwidth.base() * 4);
    for (std::size_t i = 0; i < planView.ceilings.size();) {
        // Types with one peak are one line.
        const FlopsPerSecond peak = planView.ceilings[i].peak;
        QStringList types;
        bool quiet = true;
        for (; i < planView.ceilings.size() && planView.ceilings[i].peak == peak; ++i) {
            const std::string_view unit = name(planView.ceilings[i].unit);
            types << QString::fromUtf8(unit.data(), static_cast<qsizetype>(unit.size()));
            quiet = quiet && !used(planView.ceilings[i].unit);
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

} // namespace headroom::app
