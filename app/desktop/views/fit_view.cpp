#include "app/desktop/views/fit_view.h"

#include "app/desktop/charts/chart.h"
#include "app/desktop/drawing/write_bytes.h"
#include "app/desktop/panels/figure_strip.h"
#include "app/desktop/text/model_text.h"
#include "app/desktop/text/plan_view_text.h"
#include "app/desktop/text/quantities.h"
#include "app/desktop/views/own_calibration.h"
#include "model/import/bench_import.h"
#include "model/yaml/catalogue.h"
#include "model/yaml/efficiency_yaml.h"

#include <QDate>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <cmath>

namespace headroom::app {

namespace {

constexpr double msOfSecond = 1000; // ms

// What the files do not say is taken from the scenario.
MeasuredRow givenBy(const Scenario& scenario)
{
    MeasuredRow given;
    given.model = scenario.model;
    given.engine = scenario.engine;
    if (!scenario.gpus.empty())
        given.gpu = scenario.gpus.front();
    if (scenario.weights)
        given.weightDtype = std::string(name(*scenario.weights));
    return given;
}

struct Fitted {
    Result<EngineRunsFit> fit = refuse(Problems{});
    QStringList remarks;
};

Fitted fitted(const QStringList& files, const Scenario& scenario, const Catalogue& catalogue,
              const EngineRunsAbout& about)
{
    Fitted out;
    std::vector<ImportedBench> read;
    Problems problems;
    for (const QString& file : files) {
        Result<ImportedBench> bench
            = importBench(std::filesystem::path(file.toStdString()), givenBy(scenario));
        if (!bench) {
            problems.insert(problems.end(), bench.error().begin(), bench.error().end());
            continue;
        }
        for (const Message& warning : bench->warnings)
            out.remarks << modelText(warning);
        read.push_back(*std::move(bench));
    }
    if (!problems.empty()) {
        out.fit = refuse(std::move(problems));
        return out;
    }
    const Result<EnginePoints> points = enginePoints(read, scenario, catalogue);
    if (!points) {
        out.fit = refuse(points.error());
        return out;
    }
    for (const Message& each : points->skipped)
        out.remarks << modelText(each);
    out.fit = fitEngineRuns(points->points, about);
    return out;
}

ChartData pointsChart(const EngineRunsFit& fit)
{
    ChartData data{.title = FitView::tr("Measured and predicted"),
                   .note = FitView::tr("each figure predicted without having been seen"),
                   .x = {.title = FitView::tr("Measured"), .unit = QStringLiteral("ms"), .logarithmic = true},
                   .y = {.title = FitView::tr("Predicted over measured"), .unit = QStringLiteral("%")}};
    ChartSeries before{
        .name = FitView::tr("As it was known"), .kind = ChartSeries::Kind::Points, .colour = 6};
    ChartSeries after{.name = FitView::tr("Fitted"), .kind = ChartSeries::Kind::Points, .colour = 0};
    constexpr double perCent = 100;
    for (const JudgedPoint& point : fit.points)
        for (const auto& [series, time] :
             {std::pair(&before, point.before), std::pair(&after, point.leftOut)}) {
            if (point.measured <= 0)
                continue;
            series->x << point.measured * msOfSecond;
            series->y << time / point.measured * perCent;
            series->labels << modelText(point.what);
        }
    data.series << before << after;
    data.marks << ChartMark{.at = perCent, .text = FitView::tr("equal"), .limit = false};
    return data;
}

ChartData numbersChart(const EngineRunsFit& fit)
{
    ChartData data{.title = FitView::tr("What was fitted"),
                   .note = FitView::tr("over what was known"),
                   .x = {.title = FitView::tr("Times"), .low = 0},
                   .horizontal = true};
    ChartSeries bars{.name = FitView::tr("Fitted"), .kind = ChartSeries::Kind::Bars, .colour = 0};
    for (const FittedKernelNumber& number : fit.numbers) {
        const double times = number.before > 0 ? number.after / number.before : number.after;
        bars.x << static_cast<double>(data.y.categories.size());
        bars.y << times;
        bars.low << times * std::exp(-number.lnDeviation);
        bars.high << times * std::exp(number.lnDeviation);
        bars.captions << numberText(times);
        data.y.categories << modelText(number.name);
    }
    data.series << bars;
    return data;
}

} // namespace

FitView::FitView(QWidget* parent)
    : View(parent),
      m_choose(new QPushButton(tr("Results to fit…"), this)),
      m_use(new QPushButton(tr("Use in this plan"), this)),
      m_state(new QLabel(this)),
      m_figures(new FigureStrip(tr("Figures of the fit"), this)),
      m_points(new Chart(this)),
      m_numbers(new Chart(this))
{
    standAlone();
    constexpr int lowest = 340; // px: with a chart that can be read
    needHeight(lowest);
    m_use->setEnabled(false);
    m_state->setAccessibleName(tr("State of the fit"));
    m_state->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_state->setText(
        tr("Results of llama-bench, vllm bench, SGLang, trtllm-bench or a probe of this scenario's "
           "engine and GPU become a calibration of the engine."));
    auto* head = new QHBoxLayout;
    head->addWidget(m_choose);
    head->addWidget(m_use);
    head->addStretch(1);
    layOutCalibration(*this, head, *m_figures, *m_state, *m_points, *m_numbers);
    m_points->setData({.title = tr("Measured and predicted"), .whenEmpty = tr("Nothing is fitted yet")});
    m_numbers->setData({.title = tr("What was fitted"), .whenEmpty = tr("Nothing is fitted yet")});
    connect(m_choose, &QPushButton::clicked, this, &FitView::chooseFiles);
    connect(m_use, &QPushButton::clicked, this, &FitView::useInPlan);
    connect(&m_runner, &JobRunner::runningChanged, m_choose, &QWidget::setDisabled);
    connect(&m_runner, &JobRunner::failed, m_state, &QLabel::setText);
}

QString FitView::stateText() const { return m_state->text(); }

void FitView::present(const PlanView&) {}

void FitView::chooseFiles()
{
    const QStringList files = QFileDialog::getOpenFileNames(
        this, tr("Results to fit"), {}, tr("Results (*.json *.jsonl *.csv *.md);;All files (*)"));
    if (!files.isEmpty())
        fit(files);
}

void FitView::fit(const QStringList& files)
{
    if (!document())
        return;
    m_use->setEnabled(false);
    m_figures->setFigures({});
    m_state->setText(tr("Fitting…"));
    EngineRunsAbout about{.files = {},
                          .created = QDate::currentDate().toString(Qt::ISODate).toStdString(),
                          .tool = "headroom " + QCoreApplication::applicationVersion().toStdString()};
    for (const QString& file : files)
        about.files.push_back(QFileInfo(file).fileName().toStdString());
    m_runner.start<Fitted>([files, about, scenario = document()->session().scenario(),
                            catalogue = document()->session().sharedCatalogue()](
                               const RunControl&) { return fitted(files, scenario, *catalogue, about); },
                           [this](const Fitted& done) { finish(done.fit, done.remarks); });
}

void FitView::finish(const Result<EngineRunsFit>& fit, const QStringList& remarks)
{
    if (!fit) {
        QStringList lines;
        for (const Problem& problem : fit.error())
            lines << problemText(problem);
        return m_state->setText((lines + remarks).join(u'\n'));
    }
    m_points->setData(pointsChart(*fit));
    m_numbers->setData(numbersChart(*fit));
    m_figures->setFigures(
        {{wholeText(static_cast<double>(fit->points.size())), tr("figures")},
         {percentText(fit->before.median), tr("median error as it was known")},
         {percentText(fit->leftOut.median), tr("of figures left out of the fit"), Tone::Good},
         {percentText(fit->leftOut.p90), tr("nine in ten of them are within")}});
    // Where plans for this machine find it.
    const QString folder = QString::fromStdString(OwnCalibrations::usualFolder().string());
    QDir().mkpath(folder);
    m_written = QDir(folder).filePath(
        QString::fromStdString(fit->set.gpu + "-" + fit->set.engineRuns->engine + ".yaml"));
    const QString why = writtenOrWhy(m_written, QByteArray::fromStdString(efficiencyYaml(fit->set)));
    m_use->setEnabled(why.isEmpty());
    const QString told = why.isEmpty() ? tr("Written to %1").arg(m_written)
                                       : tr("%1 could not be written: %2").arg(m_written, why);
    m_state->setText((QStringList{told} + remarks).join(u'\n'));
}

void FitView::useInPlan() { useCalibration(document(), m_written); }

} // namespace headroom::app

#include "moc_fit_view.cpp"
