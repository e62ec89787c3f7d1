#include "app/desktop/views/compare_view.h"

#include "app/desktop/charts/chart.h"
#include "app/desktop/panels/catalogue_rows.h"
#include "app/desktop/panels/picker.h"
#include "app/desktop/session/pins.h"
#include "app/desktop/tables/table_panel.h"
#include "app/desktop/text/cell_text.h"
#include "app/desktop/text/plan_view_text.h"
#include "app/desktop/text/shown_candidate.h"
#include "app/desktop/views/explain_clicks.h"
#include "model/import/trace.h"
#include "model/report/layout_text.h"
#include "model/scenario/alternatives.h"

#include <QFont>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <optional>
#include <string_view>

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

// A column beside itself says nothing.
bool isSamePurchase(const PlanView& a, const PlanView& b)
{
    return machinesText(a.answer()) == machinesText(b.answer())
        && layoutText(a.answer()) == layoutText(b.answer())
        && a.answer().deployment.weights == b.answer().deployment.weights
        && a.answer().deployment.kv == b.answer().deployment.kv;
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

void ComparisonModel::setStudies(NamedPlanViews planViews)
{
    beginResetModel();
    m_planViews = std::move(planViews);
    endResetModel();
}

int ComparisonModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(shownCandidateColumns().size());
}
int ComparisonModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_planViews.size()) + 1;
}

QVariant ComparisonModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
        return {};
    if (role == Qt::UserRole) // names the column where it is clicked
        return QString::number(section);
    if (role == Qt::TextAlignmentRole)
        return int(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    return section == 0 ? tr("Figure") : m_planViews[static_cast<std::size_t>(section - 1)].first;
}

const PlanView* ComparisonModel::planViewAt(int column) const
{
    return column < 1 || column >= columnCount()
        ? nullptr
        : m_planViews[static_cast<std::size_t>(column - 1)].second.get();
}

bool ComparisonModel::differs(int row) const
{
    const Column<Candidate>& column = shownCandidateColumns()[static_cast<std::size_t>(row)];
    for (const auto& [name, planView] : m_planViews)
        if (shownText(column, column.cell(planView->answer()))
            != shownText(column, column.cell(m_planViews.front().second->answer())))
            return true;
    return false;
}

// No other is better by the digits that are shown, and few are as good.
bool ComparisonModel::isBest(int row, int place) const
{
    const Column<Candidate>& column = shownCandidateColumns()[static_cast<std::size_t>(row)];
    const Better better = betterOf(column.key);
    const Cell own = column.cell(m_planViews[static_cast<std::size_t>(place)].second->answer());
    const std::optional<double> mine = numberIn(own);
    if (better == Better::Neither || !mine || !differs(row))
        return false;
    std::size_t asGood = 0;
    for (const auto& [name, planView] : m_planViews) {
        const std::optional<double> other = numberIn(column.cell(planView->answer()));
        if (!other)
            continue;
        if (shownText(column, *other) == shownText(column, *mine))
            ++asGood;
        else if (better == Better::Low ? *other < *mine : *other > *mine)
            return false;
    }
    return 2 * asGood <= m_planViews.size();
}

QVariant ComparisonModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Column<Candidate>& column = shownCandidateColumns()[static_cast<std::size_t>(index.row())];
    if (index.column() == 0)
        return role == Qt::DisplayRole ? QVariant(columnTitle(column)) : QVariant();
    const int place = index.column() - 1;
    const Cell cell = column.cell(m_planViews[static_cast<std::size_t>(place)].second->answer());
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
      m_panel(new TablePanel(tr("Comparison"), m_model, this)),
      m_speed(new Chart(this)),
      m_tokenCost(new Chart(this)),
      m_hourlyCost(new Chart(this))
{
    needExplained(); // other machines are planned when the hand rests
    m_gpus->setChosen({}, tr("Compare with other GPUs"));
    m_panel->addTool(m_gpus);
    auto* planning = new QLabel(tr("Planning other machines…"), this);
    planning->setForegroundRole(QPalette::PlaceholderText);
    planning->hide();
    m_panel->addTool(planning);
    connect(&m_runner, &JobRunner::runningChanged, planning, &QWidget::setVisible);
    watch(m_runner);
    m_panel->table().setSortingEnabled(false);
    // What decides a purchase stands on top.
    QHeaderView& lines = *m_panel->table().verticalHeader();
    int line = 0;
    for (const std::string_view key :
         {"meets", "gpus", "usd_per_hour", "usd_per_million_output_tokens", "tokens_per_s_per_user", "ttft_s",
          "max_concurrency", "confidence", "reason", "layout", "limited_by"})
        for (int row = 0; row < m_model->rowCount(); ++row)
            if (shownCandidateColumns()[static_cast<std::size_t>(row)].key == key)
                lines.moveSection(lines.visualIndex(row), line++);
    auto* charts = new QWidget(this);
    auto* beside = new QHBoxLayout(charts);
    beside->setContentsMargins(0, 0, 0, 0);
    beside->setSpacing(8);
    const std::pair<Chart*, const char*> figures[]{{m_speed, "tokens_per_s_per_user"},
                                                   {m_tokenCost, "usd_per_million_output_tokens"},
                                                   {m_hourlyCost, "usd_per_hour"}};
    for (const auto& [chart, figure] : figures) {
        beside->addWidget(chart, 1);
        connect(chart, &Chart::pointClicked, this,
                [this, chart = chart, figure = figure](int series, int point) {
                    const int place = chart->data().series.value(series).rows.value(point, -1);
                    const PlanView* const planView = m_model->planViewAt(place + 1);
                    if (const auto request
                        = planView ? explainCandidate(planView->answer(), *planView, figure) : std::nullopt)
                        explain(*request);
                });
    }
    // Figures and charts need their height; a low window scrolls.
    auto* area = new QScrollArea(this);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setAccessibleName(tr("Comparison"));
    m_split = new QSplitter(Qt::Vertical, area);
    area->setWidget(m_split);
    m_split->setChildrenCollapsible(false);
    m_split->addWidget(m_panel);
    m_split->addWidget(charts);
    m_split->setStretchFactor(1, 1); // rows have their height: charts take what is left
    constexpr int chartHeight = 230; // px: five names of two lines
    constexpr int leastRows = 6;     // what decides a purchase
    m_panel->setMinimumHeight(panelHeight(leastRows));
    charts->setMinimumHeight(chartHeight);
    connect(m_split, &QSplitter::splitterMoved, this, [this] { m_splitByHand = true; });
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(area);
    fill({});
    connect(m_gpus, &Picker::picked, this, &CompareView::compareWith);
    connect(m_panel, &TablePanel::cellActivated, this, [this](int row, const QString& place) {
        const PlanView* const planView = m_model->planViewAt(place.toInt());
        const std::string_view figure = shownCandidateColumns()[static_cast<std::size_t>(row)].key;
        if (const auto request
            = planView ? explainCandidate(planView->answer(), *planView, figure) : std::nullopt)
            explain(*request);
    });
}

int CompareView::panelHeight(int rows) const
{
    constexpr int others = 4; // the tools, the heads and the scroll bar
    return (rows + others) * m_panel->table().verticalHeader()->defaultSectionSize();
}

// The table as high as its rows, unless a hand has parted them otherwise.
void CompareView::part()
{
    if (m_splitByHand)
        return;
    int rows = 0;
    for (int row = 0; row < m_model->rowCount(); ++row)
        rows += m_panel->table().isRowHidden(row) ? 0 : 1;
    const int table = panelHeight(rows);
    const int charts = m_split->widget(1)->minimumHeight();
    m_split->setSizes({table, std::max(charts, m_split->height() - table)});
}

void CompareView::documentChanged()
{
    if (!document())
        return;
    const auto catalogue = document()->session().sharedCatalogue();
    m_gpus->setContent([catalogue] { return gpuRows(*catalogue); });
}

void CompareView::setPins(Pins& pins)
{
    m_pins = &pins;
    connect(&pins, &Pins::changed, this, [this] {
        if (isVisible())
            plan();
    });
}

void CompareView::compareWith(const QStringList& gpus)
{
    m_chosen = gpus;
    m_gpus->setChosen(gpus, tr("Compared with %n GPU(s)", nullptr, static_cast<int>(gpus.size())));
    plan();
}

void CompareView::present(const PlanView&)
{
    if (m_chosen.isEmpty()) // the usual suspects of a purchase; any others are a click away
        m_chosen = {QStringLiteral("h100-sxm-80gb"), QStringLiteral("h200-sxm"), QStringLiteral("l40s"),
                    QStringLiteral("b200-sxm-180gb")};
    plan();
}

void CompareView::plan()
{
    if (!document() || !document()->session().planView())
        return;
    Scenario base = document()->session().scenario();
    const Scenario asked = base;
    base.gpuCount.reset();
    forgetAlternatives(base);
    base.gpusPerBox.reset();
    base.tp = base.pp = base.ep = base.dp = base.replicas = std::nullopt;
    base.node.clear();
    base.calibration.clear(); // of one machine: says nothing of another
    base.compute.reset();
    // Scenarios are told apart by their titles, one alone by what it answers.
    NamedPlanViews fixed{
        {answerHeadline(*document()->session().planView()), document()->session().planView()}};
    for (Document* other : m_documents ? m_documents() : QVector<Document*>())
        if (other != document() && other->session().planView())
            fixed.emplace_back(other->title(), other->session().planView());
    if (fixed.size() > 1)
        fixed.front().first = document()->title();
    for (const Pin& pin : m_pins ? m_pins->all() : QVector<Pin>())
        if (pin.planView && !(pin.planView->asked == asked))
            fixed.emplace_back(tr("Pinned: %1").arg(pin.title), pin.planView);
    constexpr int longestName = 200; // px: of a column head, and of a bar
    for (auto& [name, planView] : fixed)
        name = fontMetrics().elidedText(name, Qt::ElideRight, longestName);
    std::vector<Scenario> tried;
    if (statesAlternatives(asked)) // what the question weighs
        tried = alternativesOf(asked);
    for (const QString& gpu : m_chosen) {
        tried.push_back(base);
        tried.back().gpus = {gpu.toStdString()};
    }
    // One machine after the other, each shown as soon as it is planned.
    const int run = ++m_run;
    if (m_model->planViews().size() < fixed.size() || m_model->planViews().empty())
        fill(fixed);
    m_runner.start<NamedPlanViews>(
        [this, run, catalogue = document()->session().sharedCatalogue(), tried,
         fixed](const RunControl& control) {
            NamedPlanViews out = fixed;
            for (const Scenario& scenario : tried) {
                const auto planView = makePlanView(catalogue, scenario, readTraceFile, control);
                if (!planView || control.stop.stop_requested()
                    || isSamePurchase(**planView, *fixed.front().second))
                    continue;
                out.emplace_back(answerHeadline(**planView), *planView);
                QMetaObject::invokeMethod(this, [this, run, out] {
                    if (run == m_run && out.size() > m_model->planViews().size())
                        fill(out);
                });
            }
            return out;
        },
        [this](NamedPlanViews planViews) { fill(std::move(planViews)); });
}

void CompareView::fill(NamedPlanViews planViews)
{
    m_speed->setData(comparedSpeedChart(planViews));
    m_tokenCost->setData(comparedTokenCostChart(planViews));
    m_hourlyCost->setData(comparedHourlyCostChart(planViews));
    m_model->setStudies(std::move(planViews));
    m_panel->fitColumns();
    const auto isTitle = [](const auto& named) { return named.first == answerHeadline(*named.second); };
    const NamedPlanViews& shown = m_model->planViews();
    // Why something will not do is a line only where something will not; machines that are titles need none.
    for (std::size_t row = 0; row < shownCandidateColumns().size(); ++row) {
        const Column<Candidate>& column = shownCandidateColumns()[row];
        bool said = m_model->planViews().empty();
        for (const auto& [name, planView] : m_model->planViews())
            said = said || !std::holds_alternative<std::monostate>(column.cell(planView->answer()));
        const bool twice
            = std::string_view(column.key) == "gpu" && std::all_of(shown.begin(), shown.end(), isTitle);
        m_panel->table().setRowHidden(static_cast<int>(row), !said || twice);
    }
    part();
}

} // namespace headroom::app

#include "moc_compare_view.cpp"
