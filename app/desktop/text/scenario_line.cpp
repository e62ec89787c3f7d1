#include "app/desktop/text/scenario_line.h"

#include "model/base/spelling.h"
#include "model/scenario/scenario_keys.h"
#include "model/scenario/scenario_values.h"

#include <QStringList>
#include <QUrl>

namespace headroom::app {

namespace {

const QString mark = QStringLiteral("headroom:");

QString encoded(const std::string& text)
{
    return QString::fromLatin1(QUrl::toPercentEncoding(QString::fromStdString(text), "/:,"));
}

} // namespace

QString scenarioLine(const Scenario& scenario)
{
    const Scenario untouched;
    QStringList parts;
    if (!scenario.name.empty())
        parts << QStringLiteral("name=") + encoded(scenario.name);
    for (const ScenarioKey& key : scenarioKeys()) {
        const std::string said = scenarioValue(scenario, key.name);
        if (said != scenarioValue(untouched, key.name))
            parts << QString::fromUtf8(key.name.data(), static_cast<qsizetype>(key.name.size())) + u'='
                    + encoded(said);
    }
    return mark + parts.join(u'&');
}

bool isScenarioLine(const QString& text)
{
    return text.trimmed().startsWith(mark, Qt::CaseInsensitive) && text.contains(u'=');
}

Result<Scenario> scenarioOfLine(const QString& line)
{
    Scenario scenario;
    Problems problems;
    for (const QString& part : line.trimmed().mid(mark.size()).split(u'&', Qt::SkipEmptyParts)) {
        const std::string name = part.section(u'=', 0, 0).trimmed().toStdString();
        const std::string value = QUrl::fromPercentEncoding(part.section(u'=', 1).toUtf8()).toStdString();
        if (name == "name") {
            scenario.name = value;
            continue;
        }
        const ScenarioKey* const key = findScenarioKey(name);
        if (key == nullptr) {
            problems.push_back({name, "no scenario has this key", spellingHint(name, scenarioKeyNames())});
            continue;
        }
        for (Problem& problem : key->set(scenario, value)) {
            problem.where = name;
            problems.push_back(std::move(problem));
        }
    }
    if (!problems.empty())
        return refuse(std::move(problems));
    return scenario;
}

} // namespace headroom::app
