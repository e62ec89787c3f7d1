#pragma once

#include "app/desktop/jobs/job_runner.h"
#include "app/desktop/tables/table_model.h"
#include "app/desktop/views/error_groups.h"
#include "app/desktop/views/view.h"
#include "model/measured/judged_row.h"

class QLabel;
class QProgressBar;
class QTabWidget;
class QToolButton;

namespace headroom::app {

class Chart;
class FigureStrip;
class TablePanel;

// Predictions beside published measurements: how far to trust which.
class AccuracyView final : public View {
    Q_OBJECT

public:
    explicit AccuracyView(QWidget* parent = nullptr);
    [[nodiscard]] bool isBusy() const override { return m_runner.isRunning(); }
    void validateFile(const QString& path);

protected:
    void present(const PlanView& planView) override;

private:
    void chooseFile();
    void fill(const ValidationReport& report);
    void tell(const QString& problem);
    void showRow(int row);

    QString m_file;
    QLabel* m_problem;
    FigureStrip* m_figures;
    QProgressBar* m_progress;
    Chart* m_scatter;
    TableModel<JudgedRow>* m_rows;
    TablePanel* m_panel;
    TableModel<ErrorGroup>* m_groups;
    TablePanel* m_groupPanel;
    QTabWidget* m_tables;
    JobRunner m_runner; // last: waits for its worker first
};

} // namespace headroom::app
