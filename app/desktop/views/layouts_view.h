#pragma once

#include "app/desktop/tables/table_model.h"
#include "app/desktop/views/view.h"
#include "model/search/search.h"

class QCheckBox;

namespace headroom::app {

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

private:
    TableModel<Candidate>* m_model;
    TablePanel* m_panel;
    QCheckBox* m_onlyMeeting;
    QCheckBox* m_all;
};

// Fixes a candidate's machine, layout and types in the document's scenario, as one undoable edit.
void takeCandidate(Document& document, const Candidate& candidate);

} // namespace headroom::app
