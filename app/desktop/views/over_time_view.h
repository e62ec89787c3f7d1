#pragma once

#include "app/desktop/jobs/job_runner.h"
#include "app/desktop/views/charts_view.h"

class QLabel;

namespace headroom::app {

class FigureStrip;
class FlowLayout;

// How the answer grows over the years, and what a day of changing load leaves idle. Of a scenario that says
// neither, an example is drawn, and named so.
class OverTimeView final : public ChartsView {
    Q_OBJECT

public:
    explicit OverTimeView(QWidget* parent = nullptr);
    [[nodiscard]] bool isBusy() const override { return m_runner.isRunning() || View::isBusy(); }
    [[nodiscard]] bool showsExample() const;

protected:
    void present(const PlanView& planView) override;
    void documentChanged() override
    {
        m_runner.cancel();
        ChartsView::documentChanged();
    }

private:
    // What these charts need and the scenario does not say, as buttons that say it.
    void offerWhatIsMissing(const PlanView& planView);
    void offer(const QString& words, const Scenario& after);

    void drawExample(const PlanView& planView);

    QLabel* m_example;
    FigureStrip* m_day;
    QWidget* m_offerBox;
    FlowLayout* m_offers;
    JobRunner m_runner; // last: waits for its worker first
};

} // namespace headroom::app
