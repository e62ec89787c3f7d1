// What changed since an earlier report.
#include "app/desktop/text/plan_view_text.h"
#include "app/desktop/text/quantities.h"
#include "app/desktop/text/scenario_fields.h"
#include "app/desktop/text/scenario_words.h"
#include "app/report/report_sections.h"
#include "model/scenario/scenario_keys.h"
#include "model/scenario/scenario_values.h"

#include <QLocale>

#include <cmath>

namespace headroom::app {

namespace {

using Told = QString (*)(double);

struct ChangedFigure {
    QString title;
    std::optional<double> Offer::*figure;
    Told told;
    double least; // of a difference that is told
};

QString sign(double by) { return by < 0 ? QStringLiteral("−") : QStringLiteral("+"); }

} // namespace

void Report::changedFigures(const Offer& then, const Offer& now)
{
    const QVector<ChangedFigure> figures{
        {tr("GPUs"), &Offer::gpus, [](double v) { return wholeText(v); }, 0.5},
        {tr("An hour"), &Offer::usdPerHour, [](double v) { return perHourText(dollarsPerHour(v)); }, 0.005},
        {tr("To buy"), &Offer::usdToBuy, [](double v) { return text(Dollars(v)); }, 0.5},
        {tr("Speed for each user"), &Offer::tokensPerSecondPerUser,
         [](double v) { return text(TokensPerSecond(v)); }, 0.05},
        {tr("Time to the first token"), &Offer::ttft, [](double v) { return text(Seconds(v)); }, 1e-4},
        {tr("Users at most"), &Offer::maxConcurrency, [](double v) { return wholeText(v); }, 0.5},
        {tr("Sure"), &Offer::confidence, [](double v) { return probabilityText(v); }, 0.005},
        {tr("Power"), &Offer::power, [](double v) { return text(Watts(v)); }, 0.5}};
    ReportTable table{.headers = {tr("Figure"), tr("Then"), tr("Now"), tr("Difference")},
                      .rows = {{tr("The choice"), then.machines, now.machines, {}}},
                      .widths = {3, 3.4, 3.4, 2},
                      .right = {false, true, true, true}};
    for (const auto& [title, figure, told, least] : figures) {
        const std::optional<double>& before = then.*figure;
        const std::optional<double>& after = now.*figure;
        if (!before && !after)
            continue;
        const double by = before && after ? *after - *before : 0;
        table.rows << QStringList{title, before ? told(*before) : QStringLiteral("–"),
                                  after ? told(*after) : QStringLiteral("–"),
                                  std::abs(by) < least ? QString() : sign(by) + told(std::abs(by))};
    }
    m_page.table(table);
}

void Report::changes()
{
    if (!m_options.since)
        return;
    const Offer& then = *m_options.since;
    m_page.section(
        tr("What changed since the report of %1").arg(QLocale().toString(then.date, QLocale::LongFormat)));
    changedFigures(then, offerOf(m_planView, m_options.date));
    ReportTable table{.headers = {tr("What was asked"), tr("Then"), tr("Now")},
                      .rows = {},
                      .widths = {3, 3, 3},
                      .right = {}};
    for (const ScenarioKey& key : scenarioKeys()) {
        const std::string before = scenarioValue(then.scenario, key.name);
        const std::string after = scenarioValue(m_planView.asked, key.name);
        if (before == after)
            continue;
        const auto told = [&](const std::string& value, const Scenario& of) {
            return value.empty() ? tr("left open")
                                 : scenarioPartText(key.name, value, of, *m_planView.catalogue);
        };
        table.rows << QStringList{scenarioKeyTitle(key.name), told(before, then.scenario),
                                  told(after, m_planView.asked)};
    }
    if (table.rows.isEmpty())
        m_page.paragraph(
            tr("The same was asked then: what differs comes from prices, timings or the program."));
    else
        m_page.table(table);
}

} // namespace headroom::app
