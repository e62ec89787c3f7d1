#include "app/desktop/views/accuracy_view.h"

#include "app/desktop/charts/chart.h"
#include "app/desktop/panels/figure_strip.h"
#include "app/desktop/tables/table_panel.h"
#include "app/desktop/text/model_text.h"
#include "app/desktop/text/plan_view_text.h"
#include "app/desktop/text/quantities.h"
#include "calib/validate/validation.h"
#include "model/import/measured_csv.h"
#include "model/report/judged_columns.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QProgressBar>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

namespace headroom::app {

namespace {

constexpr int progressSteps = 1000;

ChartData scatterOf(const ValidationReport& report)
{
    ChartData data{.title = AccuracyView::tr("Predicted beside measured"),
                   .note = AccuracyView::tr("on the line both are equal"),
                   .x = {.title = AccuracyView::tr("Measured"), .logarithmic = true},
                   .y = {.title = AccuracyView::tr("Predicted"), .logarithmic = true}};
    ChartSeries same{.name = AccuracyView::tr("Equal"), .kind = ChartSeries::Kind::Line, .colour = 6};
    std::map<std::string, ChartSeries> byMetric;
    double low = 0;
    double high = 0;
    for (int i = 0; i < static_cast<int>(report.rows.size()); ++i) {
        const JudgedRow& row = report.rows[static_cast<std::size_t>(i)];
        if (!row.used || row.row.value <= 0 || row.predicted.value <= 0)
            continue;
        const std::string metric(metricName(row.row.metric));
        ChartSeries& series = byMetric[metric];
        series.name = metricTitle(metric);
        series.kind = ChartSeries::Kind::Points;
        series.x << row.row.value;
        series.y << row.predicted.value;
        series.rows << i;
        series.labels << QString::fromStdString(row.row.id + " · " + row.gpu + " · " + row.model);
        low = low > 0 ? std::min(low, row.row.value) : row.row.value;
        high = std::max(high, row.row.value);
    }
    if (high > 0) {
        same.x << low << high;
        same.y << low << high;
        data.series << same;
    }
    int colour = 0;
    for (auto& [metric, series] : byMetric) {
        series.colour = colour++;
        data.series << series;
    }
    data.whenEmpty = AccuracyView::tr("No row could be predicted");
    return data;
}

} // namespace

AccuracyView::AccuracyView(QWidget* parent)
    : View(parent),
      m_problem(new QLabel(this)),
      m_figures(new FigureStrip(tr("Summary"), this)),
      m_progress(new QProgressBar(this)),
      m_scatter(new Chart(this)),
      m_rows(new TableModel<JudgedRow>(judgedColumns(), this)),
      m_panel(new TablePanel(tr("Measured rows"), m_rows, this)),
      m_groups(new TableModel<ErrorGroup>(errorGroupColumns(), this)),
      m_groupPanel(new TablePanel(tr("What to trust"), m_groups, this)),
      m_tables(new QTabWidget(this))
{
    standAlone();
    constexpr int lowest = 440; // px: with a chart and its long legend
    needHeight(lowest);
    m_problem->setAccessibleName(tr("What went wrong"));
    m_problem->setWordWrap(true);
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_problem->hide();
    m_scatter->setData({.title = tr("Predicted beside measured"),
                        .whenEmpty = tr("Measured rows appear here once they are predicted")});
    m_progress->setRange(0, progressSteps);
    m_progress->setAccessibleName(tr("Progress of the validation"));
    m_progress->hide();
    auto* open = new QToolButton(this);
    open->setText(tr("Own measurements…"));
    open->setFocusPolicy(Qt::StrongFocus);
    open->setAccessibleName(tr("Compare with a CSV file of measurements"));
    connect(open, &QToolButton::clicked, this, &AccuracyView::chooseFile);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(0, 0, 10, 0);
    head->addWidget(m_figures, 1);
    head->addWidget(m_problem, 1);
    head->addWidget(m_progress, 1);
    head->addWidget(open);
    m_tables->setDocumentMode(true);
    m_tables->tabBar()->setAccessibleName(tr("Tables"));
    m_tables->addTab(m_groupPanel, tr("What to trust"));
    m_tables->addTab(m_panel, tr("Measured rows"));
    auto* split = new QSplitter(Qt::Horizontal, this);
    split->addWidget(m_scatter);
    split->addWidget(m_tables);
    split->setStretchFactor(0, 1);
    split->setStretchFactor(1, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(head);
    column->addWidget(split, 1);
    // A point that stands far off is looked up in the table.
    connect(m_scatter, &Chart::pointClicked, this, [this](int series, int point) {
        if (const int row = m_scatter->data().series.value(series).rows.value(point, -1); row >= 0)
            showRow(row);
    });
    // A group is the filter of its rows.
    connect(m_groupPanel, &TablePanel::rowActivated, this, [this](int row) {
        m_panel->setFilter(QString::fromStdString(m_groups->row(row).name));
        m_tables->setCurrentWidget(m_panel);
    });
    m_groupPanel->table().setToolTip(tr("Double click or Return shows the rows of a group"));
    connect(&m_runner, &JobRunner::runningChanged, m_progress, &QWidget::setVisible);
    connect(&m_runner, &JobRunner::progressed, this, [this](double fraction, const QString&) {
        m_progress->setValue(static_cast<int>(fraction * progressSteps));
    });
    connect(&m_runner, &JobRunner::failed, this, &AccuracyView::tell);
}

void AccuracyView::present(const PlanView&)
{
    if (!m_file.isEmpty() || isBusy())
        return;
    const QString shipped = QString::fromStdString(
        (Catalogue::defaultRoot() / "tests" / "validation" / "measured.csv").string());
    if (QFileInfo::exists(shipped))
        validateFile(shipped);
    else
        tell(tr("The published measurements are not installed; open a file of your own."));
}

void AccuracyView::chooseFile()
{
    if (const QString path = QFileDialog::getOpenFileName(this, tr("Measurements"), {}, tr("Data (*.csv)"));
        !path.isEmpty())
        validateFile(path);
}

void AccuracyView::validateFile(const QString& path)
{
    m_file = path;
    using Answer = Result<ValidationReport>;
    m_runner.start<Answer>(
        [path = path.toStdString(),
         catalogue = document()->session().sharedCatalogue()](const RunControl& control) -> Answer {
            return readMeasuredCsv(path).map(
                [&](const std::vector<MeasuredRow>& rows) { return validate(rows, *catalogue, control); });
        },
        [this](Answer answer) {
            if (answer)
                return fill(*answer);
            QStringList lines;
            for (const Problem& problem : answer.error())
                lines << problemText(problem);
            tell(lines.join(u'\n'));
        });
}

void AccuracyView::fill(const ValidationReport& report)
{
    m_problem->hide();
    QVector<KeyFigure> figures{
        {percentText(report.all.medianAbsError), tr("median error")},
        {percentText(report.all.withinInterval), tr("within the 10–90 % interval")},
        {wholeText(static_cast<double>(report.all.used)),
         tr("of %1 rows predicted").arg(wholeText(static_cast<double>(report.all.rows)))}};
    // Of the metrics those with most rows; the others stand first in the table.
    constexpr qsizetype most = 6;
    for (const ErrorGroup& group : errorGroups(report))
        if (group.kind == "metric" && figures.size() < most)
            figures << KeyFigure{
                percentText(group.errors.medianAbsError),
                tr("error: %1").arg(metricTitle(group.name).section(QStringLiteral(" ("), 0, 0))};
    m_figures->setFigures(figures);
    m_scatter->setData(scatterOf(report));
    m_rows->setRows(report.rows);
    m_panel->fitColumns();
    m_groups->setRows(errorGroups(report));
    m_groupPanel->fitColumns();
}

void AccuracyView::tell(const QString& problem)
{
    m_figures->setFigures({});
    m_problem->setText(problem);
    m_problem->show();
}

void AccuracyView::showRow(int row)
{
    m_panel->setFilter({});
    m_tables->setCurrentWidget(m_panel);
    m_panel->selectSourceRow(row);
}

} // namespace headroom::app

#include "moc_accuracy_view.cpp"
