#pragma once

#include "app/desktop/tables/table_model.h"
#include "app/desktop/views/view.h"
#include "model/search/search.h"

class QCheckBox;
class QToolButton;

namespace headroom::app {

class Chart;
class TablePanel;

// Candidates of the search, the best layout of each purchase or all: sorted, filtered, with the reason where
// one will not do; Return takes it.
class LayoutsView final : public View {
    Q_OBJECT

public:
    explicit LayoutsView(QWidget* parent = nullptr);
    [[nodiscard]] TablePanel& panel() { return *m_panel; }

protected:
    void present(const PlanView& planView) override;
    void documentChanged() override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void showMarked();
    void pinRow();
    void part();

    TableModel<Candidate>* m_model;
    TablePanel* m_panel;
    QCheckBox* m_onlyMeeting;
    QCheckBox* m_all;
    QToolButton* m_pin;
    Chart* m_costs; // below the rows, where there is room
    QMetaObject::Connection m_marks;
    bool m_filling = false; // what is selected then was not chosen
};

// The scenario with a candidate's machine, layout and types fixed.
[[nodiscard]] Scenario withCandidate(Scenario scenario, const Candidate& candidate);
// The same in the document's scenario, as one undoable edit.
void takeCandidate(Document& document, const Candidate& candidate);

} // namespace headroom::app
