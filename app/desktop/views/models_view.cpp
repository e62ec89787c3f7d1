#include "app/desktop/views/models_view.h"

#include "app/desktop/charts/elided_label.h"
#include "app/desktop/tables/table_panel.h"
#include "app/desktop/text/model_text.h"
#include "model/import/trace.h"
#include "model/report/fitting_columns.h"
#include "model/scenario/alternatives.h"

#include <QCheckBox>
#include <QTableView>
#include <QVBoxLayout>

#include <string_view>

namespace headroom::app {

namespace {

// The question about the answer's GPUs, whatever the model: how it is laid out and typed is open again.
Scenario machineOf(const PlanView& planView)
{
    Scenario machine = planView.asked;
    machine.model.clear();
    machine.gpus = {planView.answer().deployment.gpu->id};
    machine.gpuCount = planView.answer().deployment.layout.gpus(); // without another pool for prompts
    forgetAlternatives(machine);
    machine.tp = machine.pp = machine.ep = machine.dp = machine.replicas = std::nullopt;
    machine.weights.reset();
    machine.kv.reset();
    machine.compute.reset();
    machine.allowed = {};
    machine.prefill = {};
    machine.speculation.clear(); // chosen for a model
    return machine;
}

// As people call them; an id is for files.
Columns<FittingModel> shownColumns()
{
    Columns<FittingModel> columns = fittingColumns();
    for (Column<FittingModel>& column : columns)
        if (std::string_view(column.key) == "model")
            column.cell = [](const FittingModel& model) { return Cell(model.llm->name); };
    return columns;
}

int columnOf(std::string_view key)
{
    const Columns<FittingModel>& columns = fittingColumns();
    for (std::size_t i = 0; i < columns.size(); ++i)
        if (key == columns[i].key)
            return static_cast<int>(i);
    return -1;
}

} // namespace

ModelsView::ModelsView(QWidget* parent)
    : View(parent),
      m_model(new TableModel<FittingModel>(shownColumns(), this)),
      m_panel(new TablePanel(tr("Models"), m_model, this)),
      m_withOthers(new QCheckBox(tr("Also those that do not run"), this)),
      m_machine(new ElidedLabel(this))
{
    needExplained(); // a catalogue of models is planned when the hand rests
    m_machine->setForegroundRole(QPalette::PlaceholderText);
    m_panel->addTool(m_withOthers);
    m_panel->addTool(m_machine);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_panel);
    connect(m_withOthers, &QCheckBox::toggled, this, &ModelsView::fill);
    watch(m_runner);
    connect(m_panel, &TablePanel::rowActivated, this, &ModelsView::take);
    m_panel->table().setToolTip(tr("Double click or Return takes the model"));
}

void ModelsView::present(const PlanView& planView)
{
    const Scenario machine = machineOf(planView);
    const QString title = tr("on %1, with this load and these targets")
                              .arg(QString::number(*machine.gpuCount) + QStringLiteral(" × ")
                                   + QString::fromStdString(planView.answer().deployment.gpu->name));
    m_runner.start<Result<std::vector<FittingModel>>>(
        [catalogue = planView.catalogue, machine](const RunControl& control) {
            return modelsThatFit(machine, *catalogue, readTraceFile, control);
        },
        [this, catalogue = planView.catalogue, machine, title](Result<std::vector<FittingModel>> models) {
            m_machine->setText(models ? title : modelText(models.error().front().what));
            m_machine->setToolTip(m_machine->text());
            m_all = models ? *std::move(models) : std::vector<FittingModel>{};
            m_catalogue = catalogue;
            m_asked = machine;
            fill();
        });
}

void ModelsView::fill()
{
    std::vector<FittingModel> rows;
    for (const FittingModel& model : m_all)
        if (model.meets || m_withOthers->isChecked())
            rows.push_back(model);
    // The same in every row where only what runs is shown.
    for (const std::string_view key : {"runs", "reason"})
        m_panel->table().setColumnHidden(columnOf(key), !m_withOthers->isChecked());
    m_model->setRows(std::move(rows));
    m_panel->fitColumns();
}

void ModelsView::take(int row)
{
    if (!document() || row < 0)
        return;
    // what the row was found for, whatever was edited since
    document()->edit(withModel(m_asked, m_model->row(row)), tr("choice of a model"));
}

} // namespace headroom::app

#include "moc_models_view.cpp"
