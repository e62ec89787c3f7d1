#pragma once

#include "app/desktop/charts/chart_data.h"
#include "app/desktop/jobs/job_runner.h"
#include "app/desktop/views/view.h"
#include "app/probe/search.h"

#include <stop_token>

class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace headroom::app {

class Chart;
class FigureStrip;

// Loads a running server as `headroom probe` does, and draws what it measures over what is predicted: level
// by level, as they end. Stopping keeps them; they are saved as the command line writes them.
class ProbeView final : public View {
    Q_OBJECT

public:
    explicit ProbeView(QWidget* parent = nullptr);
    ~ProbeView() override;
    [[nodiscard]] bool isProbing() const { return m_runner.isRunning(); }
    void start(const QString& url, const QString& model, int mostUsers);
    void stop(); // and keep
    [[nodiscard]] QString stateText() const;
    [[nodiscard]] const probe::ProbeReport& report() const { return m_report; }
    // As `headroom probe --json`. Returns why it could not be written, or nothing.
    [[nodiscard]] QString save(const QString& path) const;

protected:
    void present(const PlanView& planView) override;

private:
    void buildHead(QWidget& head);
    void begin();
    void take(const probe::ProbeLevel& level);
    void finish(const Result<probe::ProbeReport>& report);
    void draw();
    void chooseFile();

    QLineEdit* m_url;
    QLineEdit* m_model;
    QLineEdit* m_key;
    QSpinBox* m_most;
    QPushButton* m_start;
    QPushButton* m_save;
    QLabel* m_state;
    FigureStrip* m_figures;
    Chart* m_between;
    Chart* m_first;
    QString m_loaded; // the address of what was measured
    QString m_served; // and the model there
    std::shared_ptr<const PlanView> m_planView;
    probe::ProbeReport m_report;
    std::stop_source m_stop; // stopping keeps what was measured: not the runner's own, which drops the result
    JobRunner m_runner;      // last: waits for its worker first
};

} // namespace headroom::app
