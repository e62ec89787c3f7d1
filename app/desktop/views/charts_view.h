#pragma once

#include "app/desktop/charts/chart_data.h"
#include "app/desktop/views/view.h"

#include <functional>
#include <vector>

class QGridLayout;

namespace headroom::app {

class Chart;

// A view that is charts and nothing else: each is made from the plan view, and a click on a point of one does
// what its place says.
class ChartsView : public View {
    Q_OBJECT

public:
    // `point` of `series`, of the chart's data as it was made from the plan view.
    using Click = std::function<void(ChartsView& view, const PlanView& planView, const ChartSeries& series,
                                     int point)>;
    struct Place {
        std::function<ChartData(const PlanView&)> make;
        Click click;
        int row = 0;
        int column = 0;
        int columns = 1;
    };

    explicit ChartsView(std::vector<Place> places, QWidget* parent = nullptr);
    using View::needExplained;

protected:
    void present(const PlanView& planView) override;
    [[nodiscard]] QGridLayout& grid() { return *m_grid; }

private:
    void clicked(std::size_t place, int series, int point);

    std::vector<Place> m_places;
    std::vector<Chart*> m_charts;
    std::shared_ptr<const PlanView> m_planView; // what the charts show
    QGridLayout* m_grid;
};

} // namespace headroom::app
