#include "app/desktop/text/scenario_words.h"

#include "app/desktop/text/model_text.h"
#include "app/desktop/text/quantities.h"
#include "app/desktop/text/scenario_fields.h"
#include "app/desktop/text/translated.h"
#include "model/scenario/arrival_shape.h"
#include "model/scenario/scenario_keys.h"
#include "model/scenario/scenario_values.h"
#include "model/yaml/catalogue.h"

#include <QFileInfo>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace headroom::app {

QString modelName(const std::string& id, const Catalogue& catalogue)
{
    const auto model = catalogue.model(id);
    return model ? QString::fromStdString((*model)->name)
                 : QFileInfo(QString::fromStdString(id)).completeBaseName();
}

QString nameOrWords(const std::string& words, const Catalogue& catalogue)
{
    const auto isIn = [&](const std::vector<std::string>& ids) {
        return std::find(ids.begin(), ids.end(), words) != ids.end();
    };
    return isIn(catalogue.modelIds()) ? modelName(words, catalogue)
        : isIn(catalogue.gpuIds())    ? QString::fromStdString(catalogue.gpuName(words))
                                      : QString::fromStdString(words);
}

namespace {

QString gpuNames(const Scenario& scenario, const Catalogue& catalogue)
{
    QStringList names;
    for (const std::string& id : scenario.gpus) {
        const auto gpu = catalogue.gpu(id);
        names << (gpu ? QString::fromStdString((*gpu)->name) : QString::fromStdString(id));
    }
    return names.join(QStringLiteral(", "));
}

const FieldSpec* fieldOf(const std::vector<SectionSpec>& sections, std::string_view key)
{
    for (const SectionSpec& section : sections)
        for (const FieldSpec& field : section.fields)
            if (key == field.key)
                return &field;
    return nullptr;
}

// "poisson:peak=2.5,hour=14" in words; what cannot be read stays.
QString arrivalsText(const std::string& value)
{
    using Kind = serve::ArrivalShape::Kind;
    const Result<serve::ArrivalShape> shape = serve::arrivalsFromText(value);
    if (!shape)
        return QString::fromStdString(value);
    const auto words = [&]() -> QString {
        switch (shape->kind) {
        case Kind::Poisson:
            return tr("at random");
        case Kind::Constant:
            return tr("evenly");
        case Kind::Gamma:
        case Kind::Weibull:
            return tr("in bursts, gaps that vary by %1 times their mean").arg(numberText(shape->variation));
        case Kind::AtOnce:
            return tr("all at once");
        case Kind::Closed:
            break;
        }
        return shape->think > Seconds()
            ? tr("each user again %1 after an answer").arg(text(shape->think, Zeros::Dropped))
            : tr("each user again after an answer");
    }();
    if (shape->peak <= 1)
        return words;
    const int minutes = static_cast<int>(std::lround(shape->peakHour * 60));
    return tr("%1, at %2 %3 times the mean of the day")
        .arg(words, QStringLiteral("%1:%2").arg(minutes / 60).arg(minutes % 60, 2, 10, QLatin1Char('0')),
             numberText(shape->peak));
}

// "235,741,434,880" of "235741434880", "0.11" of "0.109989825941"; what is no number stays.
QString readable(const QString& value)
{
    constexpr int digits = 4; // of what was worked out from another unit; nobody types more
    bool isNumber = false;
    const qlonglong whole = value.toLongLong(&isNumber);
    if (isNumber)
        return QLocale().toString(whole);
    const double number = value.toDouble(&isNumber);
    return isNumber && value.size() > digits + 2 ? numberText(number, digits) : value;
}

} // namespace

QString scenarioPartText(std::string_view key, const std::string& value, const Scenario& of,
                         const Catalogue& catalogue)
{
    if (key == "model")
        return modelName(value, catalogue);
    if (key == "gpu" && !of.gpus.empty())
        return gpuNames(of, catalogue);
    if (key == "prefill-gpu")
        if (const auto gpu = catalogue.gpu(value))
            return QString::fromStdString((*gpu)->name);
    if (key == "node")
        if (const auto node = catalogue.node(value))
            return modelText(asIs((*node)->name));
    if (key == "engine")
        if (const auto engine = catalogue.engine(value))
            return QString::fromStdString((*engine)->name);
    if (key == "traffic")
        return arrivalsText(value);
    if (key == "deadline" && of.deadline)
        return text(*of.deadline, Zeros::Dropped);
    return readable(scenarioValueText(key, value));
}

QVector<SaidPart> saidParts(const Scenario& scenario, const Catalogue& catalogue)
{
    const std::vector<SectionSpec> sections = scenarioSections();
    const Scenario untouched;
    QVector<SaidPart> parts;
    for (const ScenarioKey& key : scenarioKeys()) {
        const std::string said = scenarioValue(scenario, key.name);
        if (said.empty() || said == scenarioValue(untouched, key.name))
            continue;
        const FieldSpec* const field = fieldOf(sections, key.name);
        QString value = scenarioPartText(key.name, said, scenario, catalogue);
        if (field && *field->unit != 0)
            value += u' ' + fieldText(field->unit);
        parts << SaidPart{key.name, field ? fieldText(field->label) : scenarioKeyTitle(key.name), value};
    }
    return parts;
}

QString scenarioWords(const Scenario& scenario, const Catalogue& catalogue)
{
    QStringList words;
    for (const SaidPart& part : saidParts(scenario, catalogue)) {
        const bool speaksForItself = part.key == "model" || part.key == "gpu";
        words << (speaksForItself ? part.value : part.title + u' ' + part.value);
    }
    return words.join(QStringLiteral(" · "));
}

} // namespace headroom::app
