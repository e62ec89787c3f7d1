#pragma once

#include "app/desktop/jobs/job_runner.h"
#include "app/desktop/views/view.h"

#include <QTimer>

class QLabel;
class QProgressBar;
class QToolButton;

namespace headroom {
struct ReplayedAnswer;
}

namespace headroom::app {

class Chart;
class FigureStrip;

// The answer under traffic, played through: starts by itself when the hand rests, and can be stopped.
class ServingView final : public View {
    Q_OBJECT

public:
    explicit ServingView(QWidget* parent = nullptr);
    [[nodiscard]] bool isBusy() const override
    {
        return m_runner.isRunning() || m_rest.isActive() || View::isBusy();
    }
    [[nodiscard]] int leastHeight(int room) const override;

protected:
    void present(const PlanView& planView) override;
    void documentChanged() override;
    void changeEvent(QEvent* event) override;

private:
    void run();
    void explainTime(int series, int point);
    void fill(const ReplayedAnswer& replayed);
    void tell(const QString& problem); // in place of a result
    void paintVerdict();
    [[nodiscard]] QString whyNotReplayed() const;

    QTimer m_rest;
    std::shared_ptr<const PlanView> m_planView;
    std::shared_ptr<const ReplayedAnswer> m_replayed; // what the charts show
    QLabel* m_verdict;                                // or what is wrong
    FigureStrip* m_figures;
    QLabel* m_remarks;
    QWidget* m_charts;
    QProgressBar* m_progress;
    QToolButton* m_cancel;
    Chart* m_percentiles;
    Chart* m_distribution;
    Chart* m_gantt;
    Chart* m_static;
    Chart* m_cache;
    Chart* m_sweep;
    JobRunner m_runner; // last: waits for its worker first
};

} // namespace headroom::app
