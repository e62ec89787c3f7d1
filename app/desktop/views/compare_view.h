#pragma once

#include "app/desktop/jobs/job_runner.h"
#include "app/desktop/views/view.h"

#include <QAbstractTableModel>

namespace headroom::app {

class Picker;
class TablePanel;

// Answers side by side: a column for each, a row for each figure; the best of a row in bold where better is
// clear.
class ComparisonModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;
    using Studies = std::vector<std::pair<QString, std::shared_ptr<const Study>>>;
    void setStudies(Studies studies);
    [[nodiscard]] const Study* studyAt(int column) const; // none in the column of titles

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    [[nodiscard]] bool differs(int row) const;
    [[nodiscard]] bool isBest(int row, int column) const;

    Studies m_studies;
};

// The current scenario on other machines, and the other open scenarios.
class CompareView final : public View {
    Q_OBJECT

public:
    explicit CompareView(QWidget* parent = nullptr);
    void setDocuments(std::function<QVector<Document*>()> documents) { m_documents = std::move(documents); }
    [[nodiscard]] bool isBusy() const override { return m_runner.isRunning() || View::isBusy(); }
    [[nodiscard]] ComparisonModel& model() { return *m_model; }
    void compareWith(const QStringList& gpus);

protected:
    void present(const Study& study) override;
    void documentChanged() override;

private:
    void plan();

    std::function<QVector<Document*>()> m_documents;
    Picker* m_gpus;
    QStringList m_chosen;
    ComparisonModel* m_model;
    TablePanel* m_panel;
    JobRunner m_runner; // last: waits for its worker first
};

} // namespace headroom::app
