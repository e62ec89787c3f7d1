#include "app/desktop/panels/catalogue_rows.h"

#include "app/desktop/text/quantities.h"
#include "app/desktop/text/translated.h"
#include "model/count/parameters.h"
#include "model/scenario/scenario.h"
#include "model/yaml/catalogue.h"

#include <algorithm>
#include <cmath>

namespace headroom::app {

namespace {

const double asText = std::nan("");

// "GQA 64:8": how many query heads share a key-value head matters to who plans for its cache.
QString mixerText(const Mixer& mixer)
{
    const std::string_view name = std::visit([](const auto& kind) { return kind.name(); }, mixer);
    const QString text = QString::fromUtf8(name.data(), qsizetype(name.size()));
    const auto* const attention = std::get_if<Attention>(&mixer);
    return attention && attention->kvHeads > 1 && attention->kvHeads < attention->queryHeads
        ? QStringLiteral("%1 %2:%3").arg(text).arg(attention->queryHeads).arg(attention->kvHeads)
        : text;
}

QString attentionText(const Llm& llm)
{
    QStringList parts;
    bool window = false;
    for (const LayerKind& kind : llm.kinds) {
        const QString text = mixerText(kind.mixer);
        if (!text.isEmpty() && !parts.contains(text))
            parts << text;
        window = window
            || std::visit([](const auto& mixer) { return mixer.lookBack(); }, kind.mixer) == LookBack::Window;
    }
    if (window)
        parts << tr("sliding window");
    return parts.join(QStringLiteral(" + "));
}

QString sizeText(const ParameterCount& count)
{
    const auto total = static_cast<double>(count.total);
    const auto active = static_cast<double>(count.active);
    return active < total * 0.9 ? tr("%1, %2 active").arg(parametersText(total), parametersText(active))
                                : parametersText(total);
}

} // namespace

QString modelFacts(const Llm& llm)
{
    QStringList parts{sizeText(countParameters(llm)), attentionText(llm)};
    if (llm.maxContext > 0)
        parts << tr("%1 tokens of context").arg(wholeText(static_cast<double>(llm.maxContext)));
    if (!llm.licence.empty())
        parts << QString::fromStdString(llm.licence);
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

std::pair<QStringList, QVector<PickerRow>> modelRows(const Catalogue& catalogue)
{
    QVector<PickerRow> rows;
    for (const std::string& id : catalogue.modelIds()) {
        const Result<const Llm*> llm = catalogue.model(id);
        if (!llm)
            continue;
        const ParameterCount count = countParameters(**llm);
        rows << PickerRow{QString::fromStdString(id),
                          {QString::fromStdString((*llm)->name), sizeText(count), attentionText(**llm),
                           wholeText(static_cast<double>((*llm)->maxContext)),
                           QString::fromStdString((*llm)->licence)},
                          {asText, static_cast<double>(count.total), asText,
                           static_cast<double>((*llm)->maxContext), asText}};
    }
    return {{tr("Model"), tr("Parameters"), tr("Attention"), tr("Context"), tr("Licence")}, rows};
}

std::pair<QStringList, QVector<PickerRow>> gpuRows(const Catalogue& catalogue)
{
    QVector<PickerRow> rows;
    for (const std::string& id : catalogue.gpuIds()) {
        const Result<const Gpu*> gpu = catalogue.gpu(id);
        if (!gpu)
            continue;
        const Gpu& g = **gpu;
        const FlopsPerSecond half = std::max(g.peak(MathUnit::Bf16), g.peak(MathUnit::Fp16));
        const double price = g.cloudPrice ? perHour(*g.cloudPrice) : 0;
        rows << PickerRow{
            QString::fromStdString(id),
            {QString::fromStdString(g.name), text(g.memorySold), text(g.memoryBandwidth), text(half),
             g.cloudPrice ? perHourText(*g.cloudPrice) : QStringLiteral("–"),
             QString::fromStdString(g.linkName)},
            {asText, g.memorySold.base(), g.memoryBandwidth.base(), half.base(), price, asText}};
    }
    return {{tr("GPU"), tr("Memory"), tr("Bandwidth"), tr("16-bit peak"), tr("Cloud price"), tr("Link")},
            rows};
}

QStringList machineNames(const Catalogue& catalogue, const Scenario& scenario)
{
    QStringList names;
    for (std::size_t i = 0; i < scenario.gpus.size(); ++i) {
        const std::string& id = scenario.gpus[i];
        const Result<const Gpu*> gpu = catalogue.gpu(id);
        const QString count = i < scenario.gpuCounts.size()
            ? QString::number(scenario.gpuCounts[i]) + QStringLiteral(" × ")
            : QString();
        names << count + QString::fromStdString(gpu ? (*gpu)->name : id);
    }
    return names;
}

} // namespace headroom::app
