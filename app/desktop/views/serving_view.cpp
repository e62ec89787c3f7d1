#include "app/desktop/views/serving_view.h"

#include "app/desktop/charts/chart.h"
#include "app/desktop/panels/figure_strip.h"
#include "app/desktop/text/model_text.h"
#include "app/desktop/text/plan_view_text.h"
#include "app/desktop/views/explain_clicks.h"
#include "app/desktop/views/plan_view_charts.h"
#include "app/desktop/views/serving_charts.h"
#include "model/advise/replayed_answer.h"

#include <QGridLayout>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace headroom::app {

namespace {
constexpr int restMs = 350; // a hand that still drags a slider wants the closed form, not a simulation
constexpr int replaySteps = 1000;
} // namespace

ServingView::ServingView(QWidget* parent)
    : View(parent),
      m_verdict(new QLabel(this)),
      m_figures(new FigureStrip(tr("Figures of the simulation"), this)),
      m_remarks(new QLabel(this)),
      m_progress(new QProgressBar(this)),
      m_cancel(new QToolButton(this)),
      m_percentiles(new Chart(this)),
      m_distribution(new Chart(this)),
      m_gantt(new Chart(this)),
      m_static(new Chart(this)),
      m_cache(new Chart(this)),
      m_sweep(new Chart(this))
{
    m_verdict->setAccessibleName(tr("Summary"));
    QFont strong = m_verdict->font();
    strong.setWeight(QFont::DemiBold);
    m_verdict->setFont(strong);
    m_verdict->setContentsMargins(10, 4, 10, 0);
    m_remarks->setAccessibleName(tr("What was assumed"));
    m_remarks->setForegroundRole(QPalette::PlaceholderText);
    m_remarks->setContentsMargins(10, 0, 10, 2);
    m_remarks->hide();
    for (QLabel* words : {m_verdict, m_remarks}) {
        words->setWordWrap(true);
        words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_verdict->setText(tr("The traffic is replayed when the hand rests."));
    m_progress->setRange(0, replaySteps);
    m_progress->setTextVisible(true);
    m_progress->setAccessibleName(tr("Progress of the simulation"));
    m_cancel->setText(tr("Stop"));
    m_cancel->setAccessibleName(tr("Stop the simulation"));
    auto* busy = new QWidget(this);
    auto* busyLine = new QHBoxLayout(busy);
    busyLine->setContentsMargins(10, 0, 10, 0);
    busyLine->addWidget(m_progress, 1);
    busyLine->addWidget(m_cancel);
    QSizePolicy keeps = busy->sizePolicy();
    keeps.setRetainSizeWhenHidden(true); // nothing below jumps when a run ends
    busy->setSizePolicy(keeps);
    busy->hide();
    constexpr int busyWidth = 240;
    busy->setFixedWidth(busyWidth);
    auto* head = new QHBoxLayout;
    head->addWidget(m_verdict, 1);
    head->addWidget(busy, 0, Qt::AlignTop);
    m_charts = new QWidget(this);
    m_charts->setAccessibleName(tr("Charts"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(head);
    column->addWidget(m_figures);
    column->addWidget(m_remarks);
    column->addWidget(m_charts, 1);
    auto* grid = new QGridLayout(m_charts);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(6);
    constexpr int columns = 3;
    int place = 0;
    for (Chart* chart : {m_percentiles, m_distribution, m_sweep, m_gantt, m_static, m_cache}) {
        constexpr int lowest = 200; // px: room for a legend
        chart->setMinimumHeight(lowest);
        grid->addWidget(chart, place / columns, place % columns);
        grid->setColumnStretch(place % columns, 1);
        ++place;
    }
    m_rest.setSingleShot(true);
    m_rest.setInterval(restMs);
    connect(&m_rest, &QTimer::timeout, this, &ServingView::run);
    connect(m_percentiles, &Chart::pointClicked, this, &ServingView::explainTime);
    connect(m_cancel, &QToolButton::clicked, &m_runner, &JobRunner::cancel);
    connect(&m_runner, &JobRunner::runningChanged, busy, &QWidget::setVisible);
    connect(&m_runner, &JobRunner::progressed, this, [this](double fraction, const QString&) {
        m_progress->setValue(static_cast<int>(fraction * replaySteps));
    });
    connect(&m_runner, &JobRunner::failed, this, &ServingView::tell);
    watch(m_runner);
}

void ServingView::explainTime(int series, int point)
{
    const ChartData& shown = m_percentiles->data();
    if (!m_replayed || series < 0 || point < 0)
        return;
    const ChartSeries& times = shown.series[series];
    explain(explainSimulated(m_replayed->serving, times.name,
                             shown.x.categories.value(static_cast<int>(times.x[point])), times.y[point]));
}

void ServingView::documentChanged()
{
    m_runner.cancel();
    m_rest.stop();
}

void ServingView::present(const PlanView& planView)
{
    m_planView = document()->session().planView();
    m_rest.stop();
    m_runner.cancel();
    if (!planView.prediction.memory.fits)
        return tell(whyNotReplayed());
    m_rest.start();
}

// What is impossible, and what would make it possible.
QString ServingView::whyNotReplayed() const
{
    QString words = tr("There is nothing to replay: %1.").arg(verdictText(*m_planView));
    QStringList remedies;
    for (const Remedy& remedy : m_planView->sizing->remedies)
        remedies << modelText(remedy.change);
    if (!remedies.isEmpty())
        words += u'\n' + tr("What would help: %1").arg(remedies.join(QStringLiteral(" · ")));
    return words;
}

void ServingView::run()
{
    using Answer = Result<ReplayedAnswer>;
    m_runner.start<Answer>(
        [planView = m_planView](const RunControl& control) { return replayAnswer(*planView, control); },
        [this](Answer answer) {
            if (answer) {
                m_replayed = std::make_shared<const ReplayedAnswer>(std::move(*answer));
                return fill(*m_replayed);
            }
            if (!m_planView->sizing->meets) // of no service there is no traffic
                return tell(whyNotReplayed());
            QStringList lines;
            for (const Problem& problem : answer.error())
                lines << problemText(problem);
            tell(lines.join(u'\n'));
        });
}

void ServingView::tell(const QString& problem)
{
    m_replayed.reset();
    m_verdict->setText(problem);
    m_figures->setFigures({});
    m_remarks->hide();
    m_charts->setVisible(false);
    paintVerdict();
    emit leastHeightChanged();
}

// All that is told, and six charts of a height that can be read; a low window scrolls.
int ServingView::leastHeight(int) const { return layout()->totalHeightForWidth(width()); }

void ServingView::paintVerdict()
{
    QPalette ink = palette();
    ink.setColor(QPalette::WindowText,
                 ChartTheme::from(palette()).ink(m_replayed ? servingTone(m_replayed->serving, *m_planView)
                                                            : Tone::Bad));
    m_verdict->setPalette(ink);
}

void ServingView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange && m_replayed)
        paintVerdict();
    View::changeEvent(event);
}

void ServingView::fill(const ReplayedAnswer& replayed)
{
    const serve::ServingView& serving = replayed.serving;
    m_charts->setVisible(true);
    m_verdict->setText(servingVerdict(serving));
    m_figures->setFigures(servingFigures(serving, *m_planView));
    const QStringList remarks = servingRemarks(serving, *m_planView);
    m_remarks->setText(remarks.join(QStringLiteral(" · ")));
    m_remarks->setVisible(!remarks.isEmpty());
    paintVerdict();
    m_percentiles->setData(percentilesChart(serving, replayed.ranges));
    m_distribution->setData(distributionChart(serving));
    // Users in turn are never too many, and not every engine has a twin that batches statically: what more of
    // them would do takes those places.
    m_sweep->setData(serving.sweep.empty() ? speedByBatchChart(*m_planView) : loadSweepChart(serving));
    m_gantt->setData(ganttChart(serving));
    m_static->setData(serving.staticBatching ? staticGanttChart(serving)
                                             : throughputByBatchChart(*m_planView));
    m_cache->setData(cacheUseChart(serving.run, m_planView->prediction.memory.kvCapacityTokens));
    emit leastHeightChanged();
}

} // namespace headroom::app

#include "moc_serving_view.cpp"
