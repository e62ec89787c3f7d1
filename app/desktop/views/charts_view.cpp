#include "app/desktop/views/charts_view.h"

#include "app/desktop/charts/chart.h"

#include <QGridLayout>

namespace headroom::app {

ChartsView::ChartsView(std::vector<Place> places, QWidget* parent)
    : View(parent), m_places(std::move(places)), m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setSpacing(8);
    for (std::size_t i = 0; i < m_places.size(); ++i) {
        auto* chart = new Chart(this);
        m_grid->addWidget(chart, m_places[i].row, m_places[i].column, 1, m_places[i].columns);
        connect(chart, &Chart::pointClicked, this,
                [this, i](int series, int point) { clicked(i, series, point); });
        m_charts.push_back(chart);
    }
}

void ChartsView::present(const PlanView& planView)
{
    m_planView = document()->session().planView();
    for (std::size_t i = 0; i < m_places.size(); ++i)
        m_charts[i]->setData(m_places[i].make(planView));
}

void ChartsView::clicked(std::size_t place, int series, int point)
{
    const QVector<ChartSeries>& shown = m_charts[place]->data().series;
    if (m_planView && m_places[place].click && series >= 0 && series < shown.size())
        m_places[place].click(*this, *m_planView, shown[series], point);
}

} // namespace headroom::app
