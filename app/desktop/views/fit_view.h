#pragma once

#include "app/desktop/jobs/job_runner.h"
#include "app/desktop/views/view.h"
#include "calib/engine/engine_runs_fit.h"

#include <QStringList>

class QLabel;
class QPushButton;

namespace headroom::app {

class Chart;
class FigureStrip;

// Results of a load tool or of a probe become a calibration of the engine on that machine: what was measured
// beside what was known and what is fitted, and how far a fit that did not see a figure is off it.
class FitView final : public View {
    Q_OBJECT

public:
    explicit FitView(QWidget* parent = nullptr);
    void fit(const QStringList& files); // as `headroom fit-engine` does, for the scenario at hand
    [[nodiscard]] bool isFitting() const { return m_runner.isRunning(); }
    [[nodiscard]] QString stateText() const;
    [[nodiscard]] QString calibrationFile() const { return m_written; }
    void useInPlan();

protected:
    void present(const PlanView& planView) override;

private:
    void chooseFiles();
    void finish(const Result<EngineRunsFit>& fit, const QStringList& remarks);

    QPushButton* m_choose;
    QPushButton* m_use;
    QLabel* m_state;
    FigureStrip* m_figures;
    Chart* m_points;
    Chart* m_numbers;
    QString m_written;
    JobRunner m_runner; // last: waits for its worker first
};

} // namespace headroom::app
