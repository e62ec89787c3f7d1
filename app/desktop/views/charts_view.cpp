#include "app/desktop/views/charts_view.h"

#include "app/desktop/charts/chart.h"
#include "app/desktop/session/pins.h"
#include "app/desktop/text/scenario_fields.h"

#include <QEvent>
#include <QGridLayout>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::app {

namespace {

// Curves of pinned plans, in colours of their own: their values are beside each other, their ranges would
// only hide them.
void layOver(ChartData& data, int overlaid, const QVector<Pin>& pins, const PlanView& own,
             const std::function<ChartData(const PlanView&)>& make)
{
    auto colour = static_cast<int>(data.series.size());
    for (const Pin& pin : pins) {
        if (!pin.planView || pin.planView->asked == own.asked)
            continue;
        ChartSeries curve = make(*pin.planView).series.value(overlaid);
        if (curve.x.isEmpty())
            continue;
        curve.name = ChartsView::tr("Pinned: %1").arg(pin.title);
        curve.low.clear();
        curve.high.clear();
        curve.rows.clear();
        curve.colour = colour++;
        data.series << curve;
    }
}

} // namespace

ChartsView::ChartsView(std::vector<Place> places, QWidget* parent, Pins* pins)
    : View(parent), m_places(std::move(places)), m_pins(pins), m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setSpacing(8);
    for (std::size_t i = 0; i < m_places.size(); ++i) {
        auto* chart = new Chart(this);
        m_grid->addWidget(chart, m_places[i].row, m_places[i].column, 1, m_places[i].columns);
        connect(chart, &Chart::pointClicked, this,
                [this, i](int series, int point) { clicked(i, series, point); });
        connect(chart, &Chart::markDragged, this,
                [this, i](const QString& key, double at) { dragged(i, key, at); });
        m_charts.push_back(chart);
    }
    if (m_pins)
        connect(m_pins, &Pins::changed, this, [this] {
            for (std::size_t i = 0; i < m_places.size() && m_planView; ++i)
                if (m_places[i].overlaid >= 0)
                    fill(i);
        });
}

void ChartsView::documentChanged()
{
    disconnect(m_marks);
    if (document())
        m_marks = connect(document(), &Document::batchMarked, this, &ChartsView::showMarked);
}

void ChartsView::fill(std::size_t place)
{
    ChartData drawn = m_places[place].make(*m_planView);
    m_own.resize(m_places.size());
    m_own[place] = drawn.series.size();
    if (m_pins && m_places[place].overlaid >= 0)
        layOver(drawn, m_places[place].overlaid, m_pins->all(), *m_planView, m_places[place].make);
    m_charts[place]->setData(std::move(drawn));
}

int ChartsView::leastHeight(int room) const
{
    constexpr int leastOfChart = 165;  // px: its title, its legend, and a curve whose bend is seen
    constexpr int enoughOfChart = 260; // px: where one has to scroll anyway
    constexpr int leastOfOther = 34;   // px: a line of words
    constexpr int nextInSight = 8;     // px of what comes below
    int first = std::numeric_limits<int>::max();
    int last = 0;
    for (const Place& place : m_places) {
        first = std::min(first, place.row);
        last = std::max(last, place.row);
    }
    const int rows = last - first + 1;
    int others = 0;
    for (int row = 0; row < m_grid->rowCount(); ++row)
        if (const QLayoutItem* const item = m_grid->itemAtPosition(row, 0);
            (row < first || row > last) && item && item->widget() && !item->widget()->isHidden())
            others += leastOfOther;
    return rows * leastOfChart + others <= room
        ? 0
        : rows * std::clamp(room - nextInSight, leastOfChart, enoughOfChart) + others;
}

bool ChartsView::event(QEvent* event)
{
    const bool handled = View::event(event);
    if (event->type() == QEvent::LayoutRequest)
        emit leastHeightChanged();
    return handled;
}

void ChartsView::present(const PlanView& planView)
{
    const std::shared_ptr<const PlanView>& current = document()->session().planView();
    // A view may show an example in the place of what is planned.
    m_planView = current.get() == &planView ? current : std::make_shared<const PlanView>(planView);
    for (std::size_t i = 0; i < m_places.size(); ++i)
        fill(i);
    showMarked();
}

void ChartsView::clicked(std::size_t place, int series, int point)
{
    const QVector<ChartSeries>& shown = m_charts[place]->data().series;
    if (!m_planView || series < 0 || series >= m_own[place])
        return;
    const Place& its = m_places[place];
    if (its.batchOf)
        if (const double batch = its.batchOf(*m_planView, shown[series], point); batch > 0)
            document()->markBatch(batch);
    if (its.click)
        its.click(*this, *m_planView, shown[series], point);
}

void ChartsView::dragged(std::size_t place, const QString& key, double at)
{
    if (!document() || !m_places[place].drag)
        return;
    if (auto after = m_places[place].drag(document()->session().scenario(), key, at))
        document()->edit(*std::move(after), tr("change of %1").arg(scenarioKeyTitle(key.toStdString())), key);
}

// A ring around what stands for the marked batch, or comes nearest to it.
void ChartsView::showMarked()
{
    const std::optional<double> marked = document() ? document()->markedBatch() : std::nullopt;
    for (std::size_t i = 0; i < m_places.size() && m_planView; ++i) {
        if (!m_places[i].batchOf)
            continue;
        double least = std::log(2.0) / 2; // half an octave: further off is another batch
        std::pair<int, int> nearest{-1, -1};
        const QVector<ChartSeries>& series = m_charts[i]->data().series;
        for (int s = 0; marked && s < series.size(); ++s)
            for (int p = 0; s < m_own[i] && p < series[s].x.size(); ++p)
                if (const double batch = m_places[i].batchOf(*m_planView, series[s], p); batch > 0)
                    if (const double off = std::abs(std::log(batch / *marked)); off < least) {
                        least = off;
                        nearest = {s, p};
                    }
        m_charts[i]->setChosen(nearest.first, nearest.second);
    }
}

} // namespace headroom::app

#include "moc_charts_view.cpp"
