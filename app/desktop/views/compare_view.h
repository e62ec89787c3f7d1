#pragma once

#include "app/desktop/jobs/job_runner.h"
#include "app/desktop/views/compare_charts.h"
#include "app/desktop/views/view.h"

#include <QAbstractTableModel>

class QSplitter;

namespace headroom::app {

class Chart;
class Picker;
class Pins;
class TablePanel;

// Answers side by side: a column for each, a row for each figure; the best of a row in bold where better is
// clear.
class ComparisonModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;
    void setStudies(NamedPlanViews planViews);
    [[nodiscard]] const NamedPlanViews& planViews() const { return m_planViews; }
    [[nodiscard]] const PlanView* planViewAt(int column) const; // none in the column of titles

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    [[nodiscard]] bool differs(int row) const;
    [[nodiscard]] bool isBest(int row, int column) const;

    NamedPlanViews m_planViews;
};

// The current scenario on other machines, and the other open scenarios.
class CompareView final : public View {
    Q_OBJECT

public:
    explicit CompareView(QWidget* parent = nullptr);
    void setPins(Pins& pins); // columns of their own
    void setDocuments(std::function<QVector<Document*>()> documents) { m_documents = std::move(documents); }
    [[nodiscard]] bool isBusy() const override { return m_runner.isRunning() || View::isBusy(); }
    [[nodiscard]] ComparisonModel& model() { return *m_model; }
    void compareWith(const QStringList& gpus);

protected:
    void present(const PlanView& planView) override;
    void documentChanged() override;

private:
    void plan();
    void fill(NamedPlanViews planViews);
    void part();
    [[nodiscard]] int panelHeight(int rows) const;

    std::function<QVector<Document*>()> m_documents;
    Pins* m_pins = nullptr;
    Picker* m_gpus;
    QStringList m_chosen;
    ComparisonModel* m_model;
    TablePanel* m_panel;
    Chart* m_speed;
    Chart* m_tokenCost;
    Chart* m_hourlyCost;
    QSplitter* m_split = nullptr;
    bool m_splitByHand = false;
    int m_run = 0;      // of planning: what an earlier one still tells is not for this one
    JobRunner m_runner; // last: waits for its worker first
};

} // namespace headroom::app
