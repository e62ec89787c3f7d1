#include "app/desktop/views/compare_view.h"

#include "app/desktop/panels/catalogue_rows.h"
#include "app/desktop/panels/picker.h"
#include "app/desktop/tables/table_panel.h"
#include "app/desktop/text/cell_text.h"
#include "app/desktop/text/study_text.h"
#include "app/desktop/views/explain_clicks.h"
#include "model/report/candidate_columns.h"

#include <QFont>
#include <QLabel>
#include <QTableView>
#include <QVBoxLayout>

#include <optional>

namespace headroom::app {

namespace {

// Which end of a figure a buyer wants; nothing where that is a matter of taste.
enum class Better { Neither, Low, High };
Better betterOf(std::string_view key)
{
    if (key == "tokens_per_s_per_user" || key == "max_concurrency" || key == "confidence")
        return Better::High;
    if (key == "ttft_s" || key == "usd_per_hour" || key == "usd_per_million_output_tokens" || key == "gpus")
        return Better::Low;
    return Better::Neither;
}

std::optional<double> numberIn(const Cell& cell)
{
    if (const auto* interval = std::get_if<Interval>(&cell))
        return interval->value;
    if (const auto* number = std::get_if<double>(&cell))
        return *number;
    return std::nullopt;
}

} // namespace

void ComparisonModel::setStudies(Studies studies)
{
    beginResetModel();
    m_studies = std::move(studies);
    endResetModel();
}

int ComparisonModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(candidateColumns().size());
}
int ComparisonModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_studies.size()) + 1;
}

QVariant ComparisonModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (role == Qt::UserRole) // names the column where it is clicked
        return QString::number(section);
    if (role != Qt::DisplayRole)
        return {};
    return section == 0 ? tr("Figure") : m_studies[static_cast<std::size_t>(section - 1)].first;
}

const Study* ComparisonModel::studyAt(int column) const
{
    return column < 1 || column >= columnCount()
        ? nullptr
        : m_studies[static_cast<std::size_t>(column - 1)].second.get();
}

bool ComparisonModel::differs(int row) const
{
    const Column<Candidate>& column = candidateColumns()[static_cast<std::size_t>(row)];
    for (const auto& [name, study] : m_studies)
        if (column.cell(study->answer()) != column.cell(m_studies.front().second->answer()))
            return true;
    return false;
}

bool ComparisonModel::isBest(int row, int place) const
{
    const Column<Candidate>& column = candidateColumns()[static_cast<std::size_t>(row)];
    const Better better = betterOf(column.key);
    const std::optional<double> mine
        = numberIn(column.cell(m_studies[static_cast<std::size_t>(place)].second->answer()));
    if (better == Better::Neither || !mine || !differs(row))
        return false;
    for (const auto& [name, study] : m_studies)
        if (const std::optional<double> other = numberIn(column.cell(study->answer()));
            other && (better == Better::Low ? *other < *mine : *other > *mine))
            return false;
    return true;
}

QVariant ComparisonModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Column<Candidate>& column = candidateColumns()[static_cast<std::size_t>(index.row())];
    if (index.column() == 0)
        return role == Qt::DisplayRole ? QVariant(columnTitle(column)) : QVariant();
    const int place = index.column() - 1;
    const Cell cell = column.cell(m_studies[static_cast<std::size_t>(place)].second->answer());
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole)
        return shownText(column, cell) + (isBest(index.row(), place) ? QStringLiteral("  ★") : QString());
    if (role == Qt::FontRole && isBest(index.row(), place)) {
        QFont bold;
        bold.setWeight(QFont::DemiBold);
        return bold;
    }
    return {};
}

CompareView::CompareView(QWidget* parent)
    : View(parent),
      m_gpus(new Picker(tr("GPUs to compare with"), true, this)),
      m_model(new ComparisonModel(this)),
      m_panel(new TablePanel(tr("Comparison"), m_model, this))
{
    needExplained(); // other machines are planned when the hand rests
    m_gpus->setChosen({}, tr("Compare with other GPUs"));
    m_panel->addTool(m_gpus);
    m_panel->table().setSortingEnabled(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_panel);
    connect(m_gpus, &Picker::picked, this, &CompareView::compareWith);
    connect(m_panel, &TablePanel::cellActivated, this, [this](int row, const QString& place) {
        const Study* const study = m_model->studyAt(place.toInt());
        const std::string_view figure = candidateColumns()[static_cast<std::size_t>(row)].key;
        if (const auto request = study ? explainCandidate(study->answer(), *study, figure) : std::nullopt)
            explain(*request);
    });
}

void CompareView::documentChanged()
{
    if (!document())
        return;
    const auto catalogue = document()->session().sharedCatalogue();
    m_gpus->setContent([catalogue] { return gpuRows(*catalogue); });
}

void CompareView::compareWith(const QStringList& gpus)
{
    m_chosen = gpus;
    m_gpus->setChosen(gpus, tr("Compared with %n GPU(s)", nullptr, static_cast<int>(gpus.size())));
    plan();
}

void CompareView::present(const Study&)
{
    if (m_chosen.isEmpty()) // the usual suspects of a purchase; any others are a click away
        m_chosen = {QStringLiteral("h100-sxm-80gb"), QStringLiteral("h200-sxm"), QStringLiteral("l40s"),
                    QStringLiteral("b200-sxm-180gb")};
    plan();
}

void CompareView::plan()
{
    if (!document())
        return;
    Scenario base = document()->session().scenario();
    base.gpuCount.reset();
    base.tp = base.pp = base.ep = base.dp = base.replicas = std::nullopt;
    base.node.clear();
    base.calibration.clear(); // of one machine: says nothing of another
    base.compute.reset();
    ComparisonModel::Studies fixed{{document()->title(), document()->session().study()}};
    for (Document* other : m_documents ? m_documents() : QVector<Document*>())
        if (other != document() && other->session().study())
            fixed.emplace_back(other->title(), other->session().study());
    m_runner.start<ComparisonModel::Studies>(
        [catalogue = document()->session().sharedCatalogue(), base, gpus = m_chosen,
         fixed](const RunControl& control) {
            ComparisonModel::Studies out = fixed;
            for (const QString& gpu : gpus) {
                Scenario scenario = base;
                scenario.gpus = {gpu.toStdString()};
                if (auto study = makeStudy(catalogue, scenario, control);
                    study && !control.stop.stop_requested())
                    out.emplace_back(answerHeadline(**study), *study);
            }
            return out;
        },
        [this](ComparisonModel::Studies studies) {
            m_model->setStudies(std::move(studies));
            m_panel->fitColumns();
        });
}

} // namespace headroom::app
