#include "app/desktop/views/choice_views.h"

#include "app/desktop/charts/chart.h"
#include "app/desktop/text/model_text.h"
#include "app/desktop/text/quantities.h"
#include "app/desktop/views/study_charts.h"

#include <QLabel>
#include <QListWidget>
#include <QVBoxLayout>

namespace headroom::app {

TradeoffView::TradeoffView(QWidget* parent) : View(parent), m_speed(new Chart(this)), m_cost(new Chart(this))
{
    auto* line = new QHBoxLayout(this);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(8);
    line->addWidget(m_speed);
    line->addWidget(m_cost);
    connect(m_speed, &Chart::pointClicked, this, [this](int, int point) { take(point); });
}

void TradeoffView::present(const Study& study)
{
    m_study = document()->session().study();
    m_speed->setData(tradeoffChart(study));
    m_cost->setData(candidateCostChart(study));
}

void TradeoffView::take(int point)
{
    if (!m_study || point < 0 || point >= static_cast<int>(m_study->sizing->pareto.size()))
        return;
    const ParetoPoint& chosen = m_study->sizing->pareto[static_cast<std::size_t>(point)];
    Scenario after = document()->session().scenario();
    after.tp = chosen.layout.tp;
    after.pp = chosen.layout.pp;
    after.ep = chosen.layout.ep;
    after.dp = chosen.layout.dp;
    document()->edit(std::move(after), tr("choice of a layout"));
}

SensitivityView::SensitivityView(QWidget* parent)
    : View(parent), m_speed(new Chart(this)), m_gpus(new Chart(this)), m_breaks(new QListWidget(this))
{
    auto* charts = new QHBoxLayout;
    charts->setSpacing(8);
    charts->addWidget(m_speed);
    charts->addWidget(m_gpus);
    auto* title = new QLabel(tr("Where the answer changes"), this);
    QFont bold = title->font();
    bold.setWeight(QFont::DemiBold);
    title->setFont(bold);
    title->setContentsMargins(10, 4, 0, 0);
    m_breaks->setAccessibleName(title->text());
    m_breaks->setFrameShape(QFrame::NoFrame);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(charts, 3);
    column->addWidget(title);
    column->addWidget(m_breaks, 1);
}

void SensitivityView::present(const Study& study)
{
    m_speed->setData(speedTornadoChart(study));
    m_gpus->setData(gpuTornadoChart(study));
    m_breaks->clear();
    for (const BreakPoint& point : study.sizing->breakPoints)
        m_breaks->addItem(breakPointText(point));
    if (m_breaks->count() == 0)
        m_breaks->addItem(tr("No input changes the answer within the range that was looked at."));
}

} // namespace headroom::app
