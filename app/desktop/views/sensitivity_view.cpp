#include "app/desktop/views/sensitivity_view.h"

#include "app/desktop/views/explain_clicks.h"
#include "app/desktop/views/planning_charts.h"

#include <QGridLayout>
#include <QLabel>
#include <QListWidget>

namespace headroom::app {

namespace {

void explainBar(ChartsView& view, const PlanView& planView, const ChartSeries& series, int point)
{
    if (const int row = series.rows.value(point, -1); row >= 0)
        view.explain(explainSensitivity(planView, row));
}

} // namespace

SensitivityView::SensitivityView(QWidget* parent)
    : ChartsView({{.make = speedTornadoChart, .click = explainBar},
                  {.make = gpuTornadoChart, .click = explainBar, .column = 1}},
                 parent),
      m_breaks(new QListWidget(this))
{
    needExplained();
    auto* title = new QLabel(tr("Where the answer changes"), this);
    QFont bold = title->font();
    bold.setWeight(QFont::DemiBold);
    title->setFont(bold);
    title->setContentsMargins(10, 4, 0, 0);
    m_breaks->setAccessibleName(title->text());
    m_breaks->setFrameShape(QFrame::NoFrame);
    m_breaks->setSpacing(3);
    grid().addWidget(title, 1, 0, 1, 2);
    grid().addWidget(m_breaks, 2, 0, 1, 2);
    grid().setRowStretch(0, 3);
    grid().setRowStretch(2, 1);
}

void SensitivityView::present(const PlanView& planView)
{
    ChartsView::present(planView);
    m_breaks->clear();
    for (const BreakPoint& point : planView.sizing->breakPoints)
        m_breaks->addItem(breakPointText(planView, point));
    if (m_breaks->count() == 0 && planView.sizing->breaksSought)
        m_breaks->addItem(tr("No input changes the answer within the range that was looked at."));
}

} // namespace headroom::app

#include "moc_sensitivity_view.cpp"
