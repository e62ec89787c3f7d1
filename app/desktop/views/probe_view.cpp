#include "app/desktop/views/probe_view.h"

#include "app/desktop/charts/chart.h"
#include "app/desktop/drawing/write_bytes.h"
#include "app/desktop/panels/figure_strip.h"
#include "app/desktop/text/model_text.h"
#include "app/desktop/text/plan_view_text.h"
#include "app/desktop/views/probe_charts.h"
#include "app/probe/address.h"
#include "app/probe/curl_transport.h"
#include "app/probe/level_table.h"
#include "app/probe/server.h"
#include "model/json/probe_json.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <random>

namespace headroom::app {

namespace {

constexpr int mostUsers = 4096; // that one machine asks for
constexpr int usualUsers = 64;  // enough to see the curve bend on one GPU

// What is asked of the server, from what the scenario says.
probe::ProbePlan planOf(const Scenario& scenario, const QString& model, const QString& key)
{
    probe::ProbePlan plan;
    plan.model = model.toStdString();
    plan.prompt = scenario.prompt;
    plan.output = scenario.output;
    plan.targets = scenario.targets;
    plan.seed = scenario.seed;
    if (!key.isEmpty())
        plan.secrets.add(key.toStdString());
    return plan;
}

// Two runs of one seed must not meet in the server's prefix cache.
std::uint64_t freshNumber()
{
    std::random_device device;
    return (std::uint64_t(device()) << 32U) | device();
}

} // namespace

ProbeView::ProbeView(QWidget* parent)
    : View(parent),
      m_url(new QLineEdit(this)),
      m_model(new QLineEdit(this)),
      m_key(new QLineEdit(this)),
      m_most(new QSpinBox(this)),
      m_start(new QPushButton(tr("Probe"), this)),
      m_save(new QPushButton(tr("Save…"), this)),
      m_state(new QLabel(this)),
      m_figures(new FigureStrip(tr("Figures of the probe"), this)),
      m_between(new Chart(this)),
      m_first(new Chart(this))
{
    auto* head = new QWidget(this);
    buildHead(*head);
    m_state->setWordWrap(true);
    m_state->setAccessibleName(tr("State of the probe"));
    m_state->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_state->setContentsMargins(10, 0, 10, 0);
    m_state->setText(
        tr("Loads a running server with more and more users and draws what they see over what is "
           "predicted for this scenario: its lengths and its targets."));
    auto* charts = new QHBoxLayout;
    charts->setSpacing(8);
    charts->addWidget(m_between);
    charts->addWidget(m_first);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(head);
    column->addWidget(m_figures);
    column->addWidget(m_state);
    column->addLayout(charts, 1);
    connect(&m_runner, &JobRunner::runningChanged, this,
            [this](bool running) { m_start->setText(running ? tr("Stop and keep") : tr("Probe")); });
    connect(&m_runner, &JobRunner::failed, m_state, &QLabel::setText);
    constexpr int lowest = 380; // px: with charts that can be read
    needHeight(lowest);
}

ProbeView::~ProbeView() { m_stop.request_stop(); }

void ProbeView::buildHead(QWidget& head)
{
    m_url->setPlaceholderText(QStringLiteral("http://localhost:8000"));
    m_url->setAccessibleName(tr("Address of the server"));
    m_model->setPlaceholderText(tr("the model it serves"));
    m_model->setAccessibleName(tr("The server's name for the model"));
    m_key->setPlaceholderText(tr("key, if it wants one"));
    m_key->setAccessibleName(tr("Key of the server"));
    m_key->setToolTip(tr("It is kept nowhere"));
    m_key->setEchoMode(QLineEdit::Password);
    m_most->setRange(1, mostUsers);
    m_most->setValue(usualUsers);
    m_most->setPrefix(tr("up to "));
    m_most->setSuffix(tr(" users"));
    m_most->setAccessibleName(tr("Most users to try"));
    m_save->setEnabled(false);
    m_save->setToolTip(tr("As the command line writes it; a fit of the engine reads it"));
    auto* lines = new QVBoxLayout(&head);
    lines->setContentsMargins(10, 6, 10, 2);
    auto* server = new QHBoxLayout;
    server->addWidget(m_url, 3);
    server->addWidget(m_model, 2);
    lines->addLayout(server);
    auto* run = new QHBoxLayout;
    run->addWidget(m_key, 1);
    for (QWidget* widget :
         {static_cast<QWidget*>(m_most), static_cast<QWidget*>(m_start), static_cast<QWidget*>(m_save)})
        run->addWidget(widget);
    lines->addLayout(run);
    connect(m_start, &QPushButton::clicked, this, &ProbeView::begin);
    connect(m_url, &QLineEdit::returnPressed, this, &ProbeView::begin);
    connect(m_save, &QPushButton::clicked, this, &ProbeView::chooseFile);
}

QString ProbeView::stateText() const { return m_state->text(); }

void ProbeView::present(const PlanView&)
{
    m_planView = document()->session().planView();
    draw();
}

void ProbeView::draw()
{
    if (!m_planView)
        return;
    m_between->setData(probedBetweenChart(*m_planView, m_report));
    m_first->setData(probedFirstChart(*m_planView, m_report));
    m_figures->setFigures(probeFigures(*m_planView, m_report));
}

void ProbeView::begin()
{
    if (isProbing())
        return stop();
    start(m_url->text().trimmed(), m_model->text().trimmed(), m_most->value());
}

void ProbeView::stop() { m_stop.request_stop(); }

void ProbeView::start(const QString& url, const QString& model, int most)
{
    const Result<probe::Address> address = probe::addressFromText(url.toStdString());
    if (!address)
        return m_state->setText(problemText(address.error().front()));
    m_report = {};
    m_save->setEnabled(false);
    m_loaded = url;
    m_served = model;
    m_state->setText(tr("Asking the server what it serves…"));
    draw();
    m_stop = std::stop_source();
    probe::CurlOptions connection{.address = *address};
    if (const QString key = m_key->text(); !key.isEmpty())
        connection.headers.push_back("Authorization: Bearer " + key.toStdString());
    const Scenario& scenario = document()->session().scenario();
    using Answer = Result<probe::ProbeReport>;
    m_runner.start<Answer>(
        [this, connection, most, plan = planOf(scenario, model, m_key->text()),
         shared = scenario.prefixCached,
         user = m_stop.get_token()](const RunControl& control) mutable -> Answer {
            // A window that closes stops it too.
            const probe::StopAsked stop = [user, closing = control.stop] {
                return user.stop_requested() || closing.stop_requested();
            };
            probe::CurlTransport transport(connection);
            probe::Server server(transport, plan.secrets, plan.deadlines, stop);
            if (plan.model.empty()) {
                Result<std::string> served = server.servedModel();
                if (!served)
                    return refuse(std::move(served.error()));
                plan.model = *served;
            }
            QMetaObject::invokeMethod(
                this, [this, served = plan.model] { m_served = QString::fromStdString(served); });
            plan.prompts = server.prompts(plan.model, shared, freshNumber());
            return probeUpTo(transport, plan, most,
                             {.counters = [&server] { return server.counters(); },
                              .onLevel =
                                  [this](const probe::ProbeLevel& level) {
                                      QMetaObject::invokeMethod(this, [this, level] { take(level); });
                                  },
                              .stop = stop});
        },
        [this](const Answer& answer) { finish(answer); });
}

void ProbeView::take(const probe::ProbeLevel& level)
{
    if (!isProbing())
        return; // the whole report has come
    m_report.levels.push_back(level);
    m_state->setText(tr("%n user(s): %1 of %2 requests answered", nullptr, level.concurrency)
                         .arg(level.requests - level.failed)
                         .arg(level.requests));
    draw();
}

void ProbeView::finish(const Result<probe::ProbeReport>& report)
{
    if (!report) {
        QStringList lines;
        for (const Problem& problem : report.error())
            lines << problemText(problem);
        return m_state->setText(lines.join(u'\n'));
    }
    m_report = *report;
    m_save->setEnabled(!m_report.levels.empty());
    const probe::FailureCount* failure = nullptr;
    for (const probe::ProbeLevel& level : m_report.levels)
        if (level.failed == level.requests)
            failure = level.commonestFailure();
    m_state->setText(failure ? tr("The server answered no request: %1").arg(modelText(failure->example))
                         : m_report.partial() ? tr("Stopped; what was measured until then is kept.")
                                              : tr("Measured: %1").arg(m_served));
    draw();
}

QString ProbeView::save(const QString& path) const
{
    std::vector<ProbeLevelDetail> details;
    for (const probe::ProbeLevel& level : m_report.levels) {
        ProbeLevelDetail detail;
        for (const probe::FailureCount& failure : level.failures)
            detail.failures.push_back({failure.name, failure.count, failure.example.english()});
        details.push_back(std::move(detail));
    }
    const ProbeSummary summary{.url = m_loaded.toStdString(),
                               .model = m_served.toStdString(),
                               .targets = document() && document()->session().scenario().targets.any(),
                               .highestConcurrency = m_report.highest,
                               .highestLow = m_report.highestLow,
                               .highestHigh = m_report.highestHigh,
                               .limitedBy = std::string(limitName(m_report.limitedBy)),
                               .partial = m_report.partial()};
    const std::string json = probeJson(summary, probe::levelTable(m_report, false), details);
    return writtenOrWhy(path, QByteArray::fromStdString(json));
}

void ProbeView::chooseFile()
{
    const QString path = QFileDialog::getSaveFileName(this, tr("Save the probe"),
                                                      QStringLiteral("probe.json"), tr("Probe (*.json)"));
    if (path.isEmpty())
        return;
    const QString why = save(path);
    m_state->setText(why.isEmpty() ? tr("Written to %1").arg(path)
                                   : tr("%1 could not be written: %2").arg(path, why));
}

} // namespace headroom::app

#include "moc_probe_view.cpp"
