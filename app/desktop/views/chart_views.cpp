#include "app/desktop/views/chart_views.h"

#include "app/desktop/charts/chart.h"
#include "app/desktop/views/study_charts.h"

#include <QGridLayout>
#include <QVBoxLayout>

namespace headroom::app {

MemoryView::MemoryView(QWidget* parent)
    : View(parent), m_byBatch(new Chart(this)), m_byContext(new Chart(this)), m_largestBatch(new Chart(this))
{
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(8);
    grid->addWidget(m_byBatch, 0, 0, 1, 2);
    grid->addWidget(m_byContext, 1, 0);
    grid->addWidget(m_largestBatch, 1, 1);
}

void MemoryView::present(const Study& study)
{
    m_byBatch->setData(memoryByBatchChart(study));
    m_byContext->setData(memoryByContextChart(study));
    m_largestBatch->setData(batchByContextChart(study));
}

RooflineView::RooflineView(QWidget* parent) : View(parent), m_roofline(new Chart(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_roofline);
}

void RooflineView::present(const Study& study) { m_roofline->setData(rooflineChart(study)); }

BatchView::BatchView(QWidget* parent) : View(parent), m_speed(new Chart(this)), m_throughput(new Chart(this))
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(m_speed);
    column->addWidget(m_throughput);
}

void BatchView::present(const Study& study)
{
    m_speed->setData(speedByBatchChart(study));
    m_throughput->setData(throughputByBatchChart(study));
}

} // namespace headroom::app
