#pragma once

#include "app/desktop/jobs/job_runner.h"
#include "app/desktop/tables/table_model.h"
#include "app/desktop/views/view.h"
#include "model/advise/fitting_models.h"

#include <memory>
#include <vector>

class QCheckBox;
class QLabel;

namespace headroom::app {

class TablePanel;

// What else the machine of the answer runs within the targets, in which type and how fast; Return takes the
// model.
class ModelsView final : public View {
    Q_OBJECT

public:
    explicit ModelsView(QWidget* parent = nullptr);
    [[nodiscard]] bool isBusy() const override { return m_runner.isRunning() || View::isBusy(); }
    [[nodiscard]] const std::vector<FittingModel>& models() const { return m_all; }
    [[nodiscard]] TablePanel& panel() { return *m_panel; }

protected:
    void present(const PlanView& planView) override;

private:
    void fill();
    void take(int row);

    TableModel<FittingModel>* m_model;
    TablePanel* m_panel;
    QCheckBox* m_withOthers;
    QLabel* m_machine;
    std::shared_ptr<const Catalogue> m_catalogue; // what `m_all` points into
    std::vector<FittingModel> m_all;
    Scenario m_asked;   // that they were found for
    JobRunner m_runner; // last: waits for its worker first
};

} // namespace headroom::app
