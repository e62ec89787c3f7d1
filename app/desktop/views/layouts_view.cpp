#include "app/desktop/views/layouts_view.h"

#include "app/desktop/charts/chart.h"
#include "app/desktop/tables/table_panel.h"
#include "app/desktop/text/model_text.h"
#include "app/desktop/text/shown_candidate.h"
#include "app/desktop/views/explain_clicks.h"
#include "app/desktop/views/planning_charts.h"
#include "model/advise/purchases.h"
#include "model/report/layout_text.h"
#include "model/resolve/prompt_pool.h"
#include "model/scenario/alternatives.h"
#include "model/scenario/stated_load.h"
#include "model/search/variants.h"

#include <QCheckBox>
#include <QHeaderView>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

namespace headroom::app {

namespace {

// Settings of an engine that were tried on one layout: the best of them, which comes first, stands for all.
std::vector<const Candidate*> layoutsOf(const std::vector<Candidate>& ranked)
{
    std::set<std::string> seen;
    std::vector<const Candidate*> out;
    for (const Candidate& c : ranked)
        if (seen.insert(machinesText(c) + layoutText(c).english() + std::string(name(c.deployment.weights))
                        + std::string(name(c.deployment.kv)))
                .second)
            out.push_back(&c);
    return out;
}

} // namespace

LayoutsView::LayoutsView(QWidget* parent)
    : View(parent),
      m_model(new TableModel<Candidate>(shownCandidateColumns(), this)),
      m_panel(new TablePanel(tr("Layouts"), m_model, this)),
      m_onlyMeeting(new QCheckBox(tr("Only what meets the targets"), this)),
      m_all(new QCheckBox(tr("All layouts"), this)),
      m_pin(new QToolButton(this)),
      m_costs(new Chart(this))
{
    m_all->setToolTip(
        tr("Also other layouts of the same GPUs, and purchases that another beats in everything"));
    m_panel->addTool(m_onlyMeeting);
    m_panel->addTool(m_all);
    m_pin->setText(tr("Pin the row"));
    m_pin->setAutoRaise(true);
    m_pin->setFocusPolicy(Qt::StrongFocus);
    m_pin->setToolTip(tr("Keeps the selected layout in the tray, to compare with"));
    m_panel->addTool(m_pin);
    connect(m_pin, &QToolButton::clicked, this, &LayoutsView::pinRow);
    // Its batch is marked in every view.
    connect(m_panel, &TablePanel::rowSelected, this, [this](int row) {
        if (document() && !m_filling && row >= 0)
            document()->markBatch(m_model->row(row).load.batch);
    });
    // What decides a purchase stands in sight, what describes the layout further on the right.
    QHeaderView& heads = *m_panel->table().horizontalHeader();
    int place = 0;
    for (const std::string_view key : {"meets", "confidence", "gpus", "gpu", "layout", "usd_per_hour",
                                       "tokens_per_s_per_user", "ttft_s", "max_concurrency", "reason"})
        for (int column = 0; column < m_model->columnCount(); ++column)
            if (shownCandidateColumns()[static_cast<std::size_t>(column)].key == key)
                heads.moveSection(heads.visualIndex(column), place++);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_panel, 1);
    column->addWidget(m_costs, 1);
    m_costs->hide();
    connect(m_costs, &Chart::pointClicked, this, [this](int series, int point) {
        const PlanView& planView = *document()->session().planView();
        const int row = m_costs->data().series.value(series).rows.value(point, -1);
        if (row < 0 || row >= static_cast<int>(planView.sizing->candidates.size()))
            return;
        if (const auto request = explainCandidate(planView.sizing->candidates[static_cast<std::size_t>(row)],
                                                  planView, "usd_per_hour"))
            explain(*request);
    });
    for (QCheckBox* choice : {m_onlyMeeting, m_all})
        connect(choice, &QCheckBox::toggled, this, [this] {
            if (document() && document()->session().planView())
                present(*document()->session().planView());
        });
    connect(m_panel, &TablePanel::rowActivated, this, [this](int row) {
        if (document() && row >= 0)
            takeCandidate(*document(), m_model->row(row));
    });
    connect(m_panel, &TablePanel::cellActivated, this, [this](int row, const QString& figure) {
        if (const auto request
            = explainCandidate(m_model->row(row), *document()->session().planView(), figure.toStdString()))
            explain(*request);
    });
    m_panel->table().setToolTip(tr("A click explains a figure; double click or Return takes the layout"));
}

void LayoutsView::documentChanged()
{
    disconnect(m_marks);
    if (document())
        m_marks = connect(document(), &Document::batchMarked, this, &LayoutsView::showMarked);
}

void LayoutsView::pinRow()
{
    const int row = m_panel->sourceRow();
    if (!document() || row < 0)
        return;
    const Candidate& candidate = m_model->row(row);
    emit pinRequested(QString::fromStdString(machinesText(candidate)) + QStringLiteral(" · ")
                          + modelText(layoutText(candidate)),
                      withCandidate(document()->session().scenario(), candidate));
}

// The first of the rows that run that batch, unless one is selected already.
void LayoutsView::showMarked()
{
    const std::optional<double> marked = document() ? document()->markedBatch() : std::nullopt;
    const std::vector<Candidate>& rows = m_model->rows();
    const auto runs = [&](const Candidate& candidate) { return candidate.load.batch == *marked; };
    if (!marked || m_panel->sourceRow() < 0 || runs(m_model->row(m_panel->sourceRow())))
        return;
    const auto first = std::find_if(rows.begin(), rows.end(), runs);
    if (first == rows.end())
        return;
    m_filling = true;
    m_panel->selectSourceRow(static_cast<int>(first - rows.begin()));
    m_filling = false;
}

void LayoutsView::present(const PlanView& planView)
{
    const std::vector<Candidate>& found = planView.sizing->candidates;
    std::vector<Candidate> rows;
    for (const Candidate* candidate :
         withoutReplicas(m_all->isChecked() ? layoutsOf(found) : purchases(found)))
        if (candidate->meets || !m_onlyMeeting->isChecked())
            rows.push_back(*candidate);
    // Why something will not do is a column only where something will not, and how sure the targets are kept
    // only where there are some.
    const bool reasons
        = std::any_of(rows.begin(), rows.end(), [](const Candidate& c) { return !c.reason.empty(); });
    for (int column = 0; column < m_model->columnCount(); ++column) {
        const std::string_view key = shownCandidateColumns()[static_cast<std::size_t>(column)].key;
        if (key == "reason")
            m_panel->table().setColumnHidden(column, !reasons);
        if (key == "confidence")
            m_panel->table().setColumnHidden(column, !mayMiss(planView.asked));
    }
    m_filling = true;
    m_model->setRows(std::move(rows));
    m_panel->fitColumns();
    m_panel->selectSourceRow(0);
    m_filling = false;
    showMarked();
    part();
}

// A high window has room for more than a few rows: what each costs for its speed.
void LayoutsView::part()
{
    constexpr int leastOfChart = 230; // px
    constexpr int others = 4;         // lines: the tools, the heads and the scroll bar
    const QTableView& table = m_panel->table();
    const int rows = (table.model()->rowCount() + others) * table.verticalHeader()->defaultSectionSize();
    const std::shared_ptr<const PlanView> planView = document() ? document()->session().planView() : nullptr;
    ChartData costs
        = planView && height() - rows >= leastOfChart ? candidateCostChart(*planView) : ChartData{};
    const bool shown = !costs.isEmpty();
    if (shown)
        m_costs->setData(std::move(costs));
    m_costs->setVisible(shown);
    m_panel->setMaximumHeight(shown ? rows : QWIDGETSIZE_MAX);
}

void LayoutsView::resizeEvent(QResizeEvent* event)
{
    View::resizeEvent(event);
    part();
}

Scenario withCandidate(Scenario after, const Candidate& candidate)
{
    const Deployment& d = candidate.deployment;
    if (!after.gpuCounts.empty()) // of the machine that it was judged on
        after.gpuCount = candidate.machine->scenario.gpuCount;
    if (!after.boxSizes.empty())
        after.gpusPerBox = candidate.machine->scenario.gpusPerBox;
    if (!after.weightTypes.empty())
        after.weights = d.weights;
    forgetAlternatives(after);
    after.gpus = {d.gpu->id};
    after.tp = d.layout.tp;
    after.pp = d.layout.pp;
    after.ep = d.layout.ep;
    after.dp = d.layout.dp;
    after.redundantExperts = d.layout.redundantExperts;
    after.replicas = d.layout.replicas;
    after.weights = d.weights;
    after.kv = d.kv;
    if (after.prefill.pools != Disaggregation::No)
        after.prefill.pools = candidate.prompts ? Disaggregation::Only : Disaggregation::No;
    if (candidate.prompts)
        after.prefill = promptPoolAs(candidate.prompts->deployment, after.prefill);
    return asTuned(std::move(after), *d.engine);
}

void takeCandidate(Document& document, const Candidate& candidate)
{
    document.edit(withCandidate(document.session().scenario(), candidate), View::tr("choice of a layout"));
}

} // namespace headroom::app

#include "moc_layouts_view.cpp"
