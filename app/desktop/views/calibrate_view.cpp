#include "app/desktop/views/calibrate_view.h"

#include "app/desktop/charts/chart.h"
#include "app/desktop/panels/figure_strip.h"
#include "app/desktop/text/model_text.h"
#include "app/desktop/text/plan_view_text.h"
#include "app/desktop/text/quantities.h"
#include "app/desktop/views/own_calibration.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDate>
#include <QDir>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <vector>

namespace headroom::app {

namespace {

constexpr int measuringSteps = 1000;
constexpr int redrawMs = 120; // points come faster than anyone reads

ChartData residualsOf(const CalibrationReport& report)
{
    ChartData data{
        .title = CalibrateView::tr("Layers that no fit has seen"),
        .x = {.title = CalibrateView::tr("Measured"), .unit = QStringLiteral("ms"), .logarithmic = true},
        .y = {.title = CalibrateView::tr("Predicted over measured"), .unit = QStringLiteral("%")}};
    ChartSeries points{
        .name = CalibrateView::tr("Held-out layers"), .kind = ChartSeries::Kind::Points, .colour = 0};
    for (const LayerError& layer : report.layers) {
        if (layer.measured.base() <= 0)
            continue;
        points.x << layer.measured.base() * 1000;
        points.y << layer.predicted / layer.measured * 100;
        points.labels << QString::fromStdString(layer.what);
    }
    data.series << points;
    data.marks << ChartMark{
        .at = 100, .orientation = Qt::Horizontal, .text = CalibrateView::tr("equal"), .limit = false};
    data.whenEmpty = CalibrateView::tr("No whole layer was measured");
    return data;
}

QVector<KeyFigure> figuresOf(const CalibrationReport& report)
{
    std::vector<double> errors;
    for (const LayerError& layer : report.layers)
        if (layer.measured.base() > 0)
            errors.push_back(std::abs(layer.predicted / layer.measured - 1));
    std::sort(errors.begin(), errors.end());
    QVector<KeyFigure> figures{
        report.set.trusted
            ? KeyFigure{CalibrateView::tr("trusted"), CalibrateView::tr("all gates passed"), Tone::Good}
            : KeyFigure{CalibrateView::tr("not trusted"),
                        CalibrateView::tr("%n gate(s) failed", nullptr,
                                          static_cast<int>(report.set.failedGates.size())),
                        Tone::Doubtful},
        {wholeText(static_cast<double>(report.measured)),
         CalibrateView::tr("of %1 points measured").arg(wholeText(static_cast<double>(report.planned)))}};
    if (!errors.empty())
        figures << KeyFigure{wholeText(static_cast<double>(errors.size())),
                             CalibrateView::tr("layers held out")}
                << KeyFigure{percentText((errors[(errors.size() - 1) / 2] + errors[errors.size() / 2]) / 2),
                             CalibrateView::tr("their median error")}
                << KeyFigure{percentText(errors.back()), CalibrateView::tr("worst of them")};
    return figures;
}

} // namespace

CalibrateView::CalibrateView(QWidget* parent)
    : View(parent),
      m_device(new QComboBox(this)),
      m_shapes(new QComboBox(this)),
      m_quick(new QCheckBox(tr("Quick (20 s)"), this)),
      m_start(new QPushButton(tr("Measure"), this)),
      m_use(new QPushButton(tr("Use in this plan"), this)),
      m_progress(new QProgressBar(this)),
      m_state(new QLabel(this)),
      m_figures(new FigureStrip(tr("Figures of the calibration"), this)),
      m_live(new Chart(this)),
      m_residuals(new Chart(this))
{
    standAlone();
    constexpr int lowest = 340; // px: with a chart that can be read
    needHeight(lowest);
    m_device->setAccessibleName(tr("Device to measure"));
    m_shapes->setAccessibleName(tr("Shapes to measure"));
    constexpr int leastOfDevice = 11; // letters: its tip tells the rest
    connect(m_device, &QComboBox::currentTextChanged, m_device, &QComboBox::setToolTip);
    m_device->setMinimumContentsLength(leastOfDevice);
    m_device->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_device->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    m_device->setMaximumWidth(260); // px: the names of devices are short
    m_shapes->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_shapes->setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Fixed);
    m_quick->setChecked(true);
    m_use->setEnabled(false);
    m_progress->setRange(0, measuringSteps);
    m_progress->setAccessibleName(tr("Progress of the calibration"));
    QSizePolicy keeps = m_progress->sizePolicy();
    keeps.setRetainSizeWhenHidden(true); // the buttons stay where they are
    m_progress->setSizePolicy(keeps);
    m_progress->setMinimumWidth(24); // px: a narrow window needs its room for the buttons
    m_progress->hide();
    connect(&m_runner, &JobRunner::runningChanged, m_progress, &QWidget::setVisible);
    m_state->setText(tr("Real transformer layers run on the device; every prediction for it is then measured "
                        "here, with an error that was tested."));
    auto* head = new QHBoxLayout;
    for (QWidget* widget :
         {static_cast<QWidget*>(m_device), static_cast<QWidget*>(m_shapes), static_cast<QWidget*>(m_quick),
          static_cast<QWidget*>(m_start), static_cast<QWidget*>(m_use)})
        head->addWidget(widget, widget == m_device ? 1 : 0); // it takes what its names need
    head->addWidget(m_progress, 1);
    layOutCalibration(*this, head, *m_figures, *m_state, *m_live, *m_residuals);
    m_points = {.title = tr("Achieved share of the peak"),
                .note = tr("what only moves data stands on the left edge"),
                .x = {.title = tr("Arithmetic intensity"), .unit = tr("FLOP/B"), .logarithmic = true},
                .y = {.title = tr("Of what the device can"), .unit = QStringLiteral("%"), .low = 0},
                .whenEmpty = tr("Points appear here while they are measured")};
    m_live->setData(m_points);
    m_residuals->setData(
        {.title = tr("Layers that no fit has seen"), .whenEmpty = tr("Judged when the measuring is over")});
    m_redraw.setSingleShot(true);
    m_redraw.setInterval(redrawMs);
    connect(&m_redraw, &QTimer::timeout, this, [this] { m_live->setData(m_points); });
    connect(m_start, &QPushButton::clicked, this, &CalibrateView::begin);
    connect(m_use, &QPushButton::clicked, this, &CalibrateView::useInPlan);
    connect(&m_runner, &JobRunner::runningChanged, this,
            [this](bool running) { m_start->setText(running ? tr("Stop and keep") : tr("Measure")); });
    connect(&m_runner, &JobRunner::failed, m_state, &QLabel::setText);
}

CalibrateView::~CalibrateView() { m_stop.request_stop(); }

QString CalibrateView::stateText() const { return m_state->text(); }

void CalibrateView::listTargets()
{
    for (const CalibrationTarget& target : calibrationTargets()) {
        const QString id = QString::fromStdString(target.device);
        m_device->addItem(target.obstacle.empty()
                              ? QStringLiteral("%1 · %2").arg(id, QString::fromStdString(target.name))
                              : QStringLiteral("%1 · %2").arg(id, modelText(target.obstacle)),
                          target.obstacle.empty() ? QVariant(id) : QVariant());
    }
    m_shapes->addItem(tr("Shapes of every model"), QString());
    m_shapes->addItem(tr("Shapes of this model"), QStringLiteral("this"));
}

void CalibrateView::present(const PlanView&)
{
    if (m_device->count() == 0)
        listTargets();
}

void CalibrateView::begin()
{
    if (isMeasuring()) {
        m_stop.request_stop();
        return;
    }
    const QString device = m_device->currentData().toString();
    if (device.isEmpty())
        return m_state->setText(m_device->currentText());
    const QString folder
        = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/calibrations");
    QDir().mkpath(folder);
    const QString name = QString(device).replace(u':', u'-') + u'-'
        + QDate::currentDate().toString(Qt::ISODate) + QStringLiteral(".yaml");
    start(device, m_quick->isChecked(), QDir(folder).filePath(name)); // where plans find it by themselves
}

void CalibrateView::start(const QString& device, bool quick, const QString& file, double budgetSeconds)
{
    m_points.series.clear();
    m_figures->setFigures({});
    m_residuals->setData(
        {.title = tr("Layers that no fit has seen"), .whenEmpty = tr("Judged when the measuring is over")});
    m_stop = std::stop_source();
    CalibrationOptions options{.device = device.toStdString(),
                               .quick = quick,
                               .file = file.toStdString(),
                               .toolVersion = QCoreApplication::applicationVersion().toStdString(),
                               .created = QDate::currentDate().toString(Qt::ISODate).toStdString()};
    if (m_shapes->currentData().toString() == QStringLiteral("this") && document()->session().planView())
        options.model = document()->session().planView()->resolved.scenario.model;
    if (budgetSeconds > 0)
        options.budget = Seconds(budgetSeconds);
    using Answer = Result<CalibrationReport>;
    m_runner.start<Answer>(
        [this, options, catalogue = document()->session().sharedCatalogue(),
         stop = m_stop.get_token()](const RunControl& control) -> Answer {
            // A window that closes stops it too, and keeps what was measured.
            std::stop_source both;
            const std::stop_callback user(stop, [&both] { both.request_stop(); });
            const std::stop_callback closing(control.stop, [&both] { both.request_stop(); });
            const RunControl own{.stop = both.get_token(), .progress = control.progress};
            return calibrate(options, *catalogue, own, [this](const CalibrationProgress& progress) {
                QMetaObject::invokeMethod(this, [this, progress] { take(progress); });
            });
        },
        [this](const Answer& answer) { finish(answer); });
}

void CalibrateView::take(const CalibrationProgress& progress)
{
    m_progress->setValue(static_cast<int>(progress.fraction * measuringSteps));
    m_state->setText(QStringList{modelText(calibrationStageName(progress.stage)),
                                 tr("%1 of %2 points").arg(progress.finished).arg(progress.planned),
                                 tr("%1 left").arg(text(progress.left)), modelText(progress.note)}
                         .filter(QRegularExpression(QStringLiteral(".")))
                         .join(QStringLiteral(" · ")));
    if (!progress.point || !progress.point->refused.empty())
        return;
    const CalibrationPoint& point = *progress.point;
    const QString form = QString::fromStdString(point.form);
    qsizetype at = 0;
    while (at < m_points.series.size() && m_points.series[at].name != form)
        ++at;
    if (at == m_points.series.size())
        m_points.series << ChartSeries{
            .name = form, .kind = ChartSeries::Kind::Points, .colour = static_cast<int>(at)};
    m_points.series[at].x << std::max(point.intensity, 0.01);
    m_points.series[at].y << point.ofPeak * 100;
    m_points.series[at].labels << QString::fromStdString(point.what) + QStringLiteral(" · ")
            + text(point.time);
    if (!m_redraw.isActive())
        m_redraw.start();
}

void CalibrateView::finish(const Result<CalibrationReport>& report)
{
    if (!report) {
        QStringList lines;
        for (const Problem& problem : report.error())
            lines << problemText(problem);
        return m_state->setText(lines.join(u'\n'));
    }
    m_progress->setValue(measuringSteps);
    m_written = QString::fromStdString(report->file.string());
    m_use->setEnabled(report->set.trusted);
    m_use->setToolTip(report->set.trusted ? QString()
                                          : tr("It failed a gate: its figures are not trusted. The file is "
                                               "kept, and can be opened all the same."));
    m_figures->setFigures(figuresOf(*report));
    QStringList lines{tr("Written to %1").arg(m_written)};
    for (const std::string& gate : report->set.failedGates)
        lines << tr("Gate failed: %1").arg(QString::fromStdString(gate));
    m_state->setText(lines.join(u'\n'));
    m_live->setData(m_points);
    m_residuals->setData(residualsOf(*report));
}

void CalibrateView::useInPlan() { useCalibration(document(), m_written); }

} // namespace headroom::app

#include "moc_calibrate_view.cpp"
