#include "app/desktop/text/plan_view_text.h"
#include "app/desktop/text/quantities.h"
#include "app/desktop/views/plan_view_charts.h"
#include "app/desktop/views/planning_charts.h"
#include "app/report/report_sections.h"
#include "model/scenario/service_load.h"

namespace headroom::app {

void Report::behaviour()
{
    m_page.section(tr("How it behaves"));
    m_page.charts({memoryByBatchChart(m_planView), memoryByContextChart(m_planView)}, 200);
    if (!fits())
        return; // nothing runs
    m_page.charts({speedByBatchChart(m_planView), throughputByBatchChart(m_planView)}, 210);
    m_page.charts({rooflineChart(m_planView)}, 250);
    if (!m_options.serving.isEmpty()) {
        m_page.heading(tr("Under load"));
        m_page.bullets(m_options.servingSummary);
        m_page.charts(m_options.serving, 200);
    }
}

void Report::growth()
{
    const std::vector<YearOfGrowth>& years = m_planView.sizing->growth;
    m_page.section(tr("Growth and spares"));
    QStringList kept;
    if (loadOf(m_planView.asked).stated()
        || !m_planView.asked.trace.empty()) // without one it is as full as it can be
        kept << tr("%1 of the capacity is kept free").arg(percentText(m_planView.asked.headroom));
    if (m_planView.asked.peakFactor != 1)
        kept << tr("the busy hour is %1 times the stated load").arg(numberText(m_planView.asked.peakFactor));
    kept << (m_planView.asked.spares > 0 ? tr("%n replica(s) may fail", nullptr, m_planView.asked.spares)
                                         : tr("no spare replicas"));
    m_page.bullets(kept);
    if (years.empty())
        m_page.quiet(tr("No growth was stated."));
    else
        growthTable();
    day();
}

void Report::growthTable()
{
    ReportTable table{.headers = {tr("Year"), tr("GPUs"), tr("Cost")},
                      .rows = {},
                      .widths = {1, 1, 1},
                      .right = {true, true, true}};
    for (const YearOfGrowth& year : m_planView.sizing->growth) {
        const QString place = QStringLiteral("growth.%1.").arg(table.rows.size());
        table.figures << QStringList{{},
                                     year.gpus > 0 ? place + QStringLiteral("gpus") : QString(),
                                     year.usdPerHour > 0 ? place + QStringLiteral("usd_per_hour")
                                                         : QString()};
        table.rows << QStringList{year.year == 0 ? tr("today") : QString::number(year.year),
                                  year.gpus > 0 ? QString::number(year.gpus) : tr("none meets the targets"),
                                  year.usdPerHour > 0 ? perHourText(dollarsPerHour(year.usdPerHour))
                                                      : QStringLiteral("–")};
    }
    m_page.table(table);
}

void Report::day()
{
    const QVector<KeyFigure> figures = dayFigures(m_planView);
    if (figures.isEmpty())
        return;
    ReportTable table{.headers = {}, .rows = {{}}, .widths = {1, 1, 2, 2, 1.2}, .right = {}};
    for (const KeyFigure& figure : figures) {
        table.headers << figure.title;
        table.rows.first() << figure.value;
    }
    m_page.table(table, tr("Over a day"));
    m_page.charts({dayLoadChart(m_planView), dayGpusChart(m_planView)}, 170);
}

void Report::sensitivity()
{
    m_page.section(tr("Sensitivity"));
    if (!m_planView.sizing->sensitivity.empty())
        m_page.charts({speedTornadoChart(m_planView), gpuTornadoChart(m_planView)}, 200);
    QStringList lines;
    for (const BreakPoint& point : m_planView.sizing->breakPoints)
        lines << breakPointText(m_planView, point);
    if (lines.isEmpty() && m_planView.sizing->breaksSought)
        m_page.quiet(tr("No input changes the answer within the range that was looked at."));
    m_page.bullets(lines);
}

} // namespace headroom::app
