#pragma once

#include "app/desktop/charts/chart_data.h"
#include "app/desktop/jobs/job_runner.h"
#include "app/desktop/views/view.h"
#include "calib/calibrate.h"

#include <QTimer>

class QCheckBox;
class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;

namespace headroom::app {

class Chart;
class FigureStrip;

// Measures a device of this machine: points appear as they are finished, stopping keeps them, and the result
// can be used in the plan at once.
class CalibrateView final : public View {
    Q_OBJECT

public:
    explicit CalibrateView(QWidget* parent = nullptr);
    ~CalibrateView() override;
    [[nodiscard]] bool isBusy() const override
    {
        return false;
    } // only when someone started it: see isMeasuring
    [[nodiscard]] bool isMeasuring() const { return m_runner.isRunning(); }
    void start(const QString& device, bool quick, const QString& file, double budgetSeconds = 0);
    [[nodiscard]] QString stateText() const; // what the view says of the run
    [[nodiscard]] QString calibrationFile() const { return m_written; }
    void useInPlan();

protected:
    void present(const PlanView& planView) override;

private:
    void listTargets();
    void begin();
    void finish(const Result<CalibrationReport>& report);
    void take(const CalibrationProgress& progress);

    QComboBox* m_device;
    QComboBox* m_shapes;
    QCheckBox* m_quick;
    QPushButton* m_start;
    QPushButton* m_use;
    QProgressBar* m_progress;
    QLabel* m_state;
    FigureStrip* m_figures;
    Chart* m_live;
    Chart* m_residuals;
    ChartData m_points;
    QTimer m_redraw;
    QString m_written;
    std::stop_source m_stop; // stopping keeps what was measured: not the runner's own, which drops the result
    JobRunner m_runner;      // last: waits for its worker first
};

} // namespace headroom::app
