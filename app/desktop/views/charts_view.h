#pragma once

#include "app/desktop/charts/chart_data.h"
#include "app/desktop/views/view.h"

#include <functional>
#include <optional>
#include <vector>

class QGridLayout;

namespace headroom::app {

class Chart;
class Pins;

// A view that is charts and nothing else: each is made from the plan view, and a click on a point of one does
// what its place says.
class ChartsView : public View {
    Q_OBJECT

public:
    // `point` of `series`, of the chart's data as it was made from the plan view.
    using Click = std::function<void(ChartsView& view, const PlanView& planView, const ChartSeries& series,
                                     int point)>;
    // The batch that a point stands for; 0: none.
    using BatchOf = std::function<double(const PlanView& planView, const ChartSeries& series, int point)>;
    // The scenario with the line of `key` where a hand has dragged it; nothing where it cannot be there.
    using Drag = std::function<std::optional<Scenario>(Scenario scenario, const QString& key, double at)>;
    struct Place {
        std::function<ChartData(const PlanView&)> make;
        Click click;
        int row = 0;
        int column = 0;
        int columns = 1;
        BatchOf batchOf = {}; // a point that is clicked marks its batch everywhere
        Drag drag = {};
        int overlaid = -1; // which series of each pinned plan is laid over this chart; -1: none
    };

    explicit ChartsView(std::vector<Place> places, QWidget* parent = nullptr, Pins* pins = nullptr);
    using View::needExplained;
    [[nodiscard]] int leastHeight(int room) const override;
    bool event(QEvent* event) override; // rows of words come and go

protected:
    void present(const PlanView& planView) override;
    void documentChanged() override;
    [[nodiscard]] QGridLayout& grid() { return *m_grid; }

private:
    void clicked(std::size_t place, int series, int point);
    void dragged(std::size_t place, const QString& key, double at);
    void fill(std::size_t place);
    void showMarked();

    std::vector<Place> m_places;
    std::vector<Chart*> m_charts;
    std::vector<qsizetype> m_own;               // series of each chart that are not pinned ones
    std::shared_ptr<const PlanView> m_planView; // what the charts show
    Pins* m_pins;
    QMetaObject::Connection m_marks;
    QGridLayout* m_grid;
};

} // namespace headroom::app
