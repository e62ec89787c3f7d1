#include "app/desktop/session/pins.h"

#include "app/desktop/session/settings.h"
#include "model/advise/plan_view.h"
#include "model/import/trace.h"
#include "model/yaml/scenario_yaml.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace headroom::app {

namespace {
const QString settingsKey = QStringLiteral("pins");
const QString titleField = QStringLiteral("title");
const QString scenarioField = QStringLiteral("scenario");
} // namespace

Pins::Pins(Settings& settings, std::shared_ptr<const Catalogue> catalogue, QObject* parent)
    : QObject(parent), m_settings(settings), m_catalogue(std::move(catalogue))
{
    read();
}

bool Pins::contains(const Scenario& scenario) const
{
    return std::any_of(m_all.begin(), m_all.end(), [&](const Pin& pin) { return pin.scenario == scenario; });
}

void Pins::add(const QString& title, const Scenario& scenario, std::shared_ptr<const PlanView> planView)
{
    if (contains(scenario))
        return;
    m_all << Pin{title, scenario, std::move(planView)};
    while (m_all.size() > most)
        m_all.removeFirst();
    write();
    emit changed();
    planMissing();
}

void Pins::remove(int place)
{
    if (place < 0 || place >= m_all.size())
        return;
    m_all.removeAt(place);
    write();
    emit changed();
}

void Pins::clear()
{
    m_all.clear();
    write();
    emit changed();
}

void Pins::stop() { m_runner.stop(); }

void Pins::planAnew()
{
    for (Pin& pin : m_all)
        pin.planView.reset();
    emit changed();
    planMissing();
}

// One after the other, each told as soon as it is planned. What cannot be planned any more (a file that is
// gone) keeps its place without figures.
void Pins::planMissing()
{
    if (m_runner.isRunning())
        return;
    const auto next = std::find_if(m_all.begin(), m_all.end(), [](const Pin& pin) { return !pin.planView; });
    if (next == m_all.end())
        return;
    using Answer = Result<std::shared_ptr<const PlanView>>;
    m_runner.start<Answer>(
        [catalogue = m_catalogue, scenario = next->scenario](const RunControl& control) -> Answer {
            return makePlanView(catalogue, scenario, readTraceFile, control);
        },
        [this, scenario = next->scenario](const Answer& answer) {
            if (!answer)
                return;
            for (Pin& pin : m_all)
                if (pin.scenario == scenario)
                    pin.planView = *answer;
            emit changed();
            planMissing();
        });
}

void Pins::read()
{
    const QJsonArray kept = QJsonDocument::fromJson(m_settings.value(settingsKey)).array();
    for (const QJsonValue& each : kept) {
        const QJsonObject pin = each.toObject();
        const auto scenario = parseScenario(pin[scenarioField].toString().toStdString(), "settings");
        if (scenario && m_all.size() < most && !contains(*scenario))
            m_all << Pin{pin[titleField].toString(), *scenario, nullptr};
    }
}

void Pins::write() const
{
    QJsonArray kept;
    for (const Pin& pin : m_all)
        kept << QJsonObject{{titleField, pin.title},
                            {scenarioField, QString::fromStdString(writeScenario(pin.scenario))}};
    m_settings.setValue(settingsKey, QJsonDocument(kept).toJson(QJsonDocument::Compact));
}

} // namespace headroom::app

#include "moc_pins.cpp"
