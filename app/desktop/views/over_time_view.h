#pragma once

#include "app/desktop/views/charts_view.h"

namespace headroom::app {

class FigureStrip;
class FlowLayout;

// How the answer grows over the years, and what a day of changing load leaves idle.
class OverTimeView final : public ChartsView {
    Q_OBJECT

public:
    explicit OverTimeView(QWidget* parent = nullptr);

protected:
    void present(const PlanView& planView) override;

private:
    // What these charts need and the scenario does not say, as buttons that say it.
    void offerWhatIsMissing(const PlanView& planView);
    void offer(const QString& words, const Scenario& after);

    FigureStrip* m_day;
    QWidget* m_offerBox;
    FlowLayout* m_offers;
};

} // namespace headroom::app
