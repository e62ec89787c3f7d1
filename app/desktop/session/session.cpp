#include "app/desktop/session/session.h"

#include "model/import/trace.h"

namespace headroom::app {

namespace {
// A plan that takes longer than this is not worth finishing for a scenario that has changed since.
constexpr qint64 patienceMs = 200;
// A hand that still drags a slider wants the next answer, not more of the last one.
constexpr int explainMs = 80;
constexpr int replayMs = 300;
} // namespace

Session::Session(std::shared_ptr<const Catalogue> catalogue, QObject* parent)
    : QObject(parent), m_catalogue(std::move(catalogue))
{
    connect(&m_runner, &JobRunner::runningChanged, this, &Session::planningChanged);
    connect(&m_runner, &JobRunner::failed, this, &Session::failed);
    m_rest.setSingleShot(true);
    connect(&m_rest, &QTimer::timeout, this,
            [this] { plan(m_depth == PlanDepth::Answered ? PlanDepth::Explained : PlanDepth::Replayed); });
}

void Session::setScenario(const Scenario& scenario)
{
    if (scenario == m_scenario && (m_planView || m_runner.isRunning()))
        return;
    m_scenario = scenario;
    emit scenarioChanged();
    m_rest.stop();
    if (m_runner.isRunning() && m_depth == PlanDepth::Answered && m_started.elapsed() < patienceMs)
        m_behind = true;
    else
        plan(PlanDepth::Answered);
}

void Session::stop()
{
    m_rest.stop();
    m_runner.stop();
}

void Session::planAnew() { plan(PlanDepth::Answered); }

void Session::setCatalogue(std::shared_ptr<const Catalogue> catalogue)
{
    m_catalogue = std::move(catalogue);
    plan(PlanDepth::Answered);
}

void Session::plan(PlanDepth depth)
{
    m_behind = false;
    m_depth = depth;
    m_started.start();
    using Answer = Result<std::shared_ptr<const PlanView>>;
    m_runner.start<Answer>(
        [catalogue = m_catalogue, scenario = m_scenario, depth](const RunControl& control) -> Answer {
            return makePlanView(catalogue, scenario, readTraceFile, control, depth);
        },
        [this](Answer answer) {
            if (m_depth == PlanDepth::Answered)
                m_planMs = m_started.elapsed();
            if (answer)
                m_planView = std::move(*answer);
            if (Problems problems = answer ? Problems() : std::move(answer.error()); problems != m_problems) {
                m_problems = std::move(problems);
                emit problemsChanged();
            }
            // Before the news: who hears it may ask whether this was all.
            if (answer && m_planView->depth != PlanDepth::Replayed && !m_behind)
                m_rest.start(m_depth == PlanDepth::Answered ? explainMs : replayMs);
            if (answer)
                emit planViewChanged();
            if (m_behind)
                plan(PlanDepth::Answered);
        });
}

} // namespace headroom::app

#include "moc_session.cpp"
