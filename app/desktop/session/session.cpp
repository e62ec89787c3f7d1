#include "app/desktop/session/session.h"

namespace headroom::app {

namespace {
// A plan that takes longer than this is not worth finishing for a scenario that has changed since.
constexpr qint64 patienceMs = 200;
constexpr int restMs = 300; // a hand that still drags a slider wants the closed form
} // namespace

Session::Session(std::shared_ptr<const Catalogue> catalogue, QObject* parent)
    : QObject(parent), m_catalogue(std::move(catalogue))
{
    connect(&m_runner, &JobRunner::runningChanged, this, &Session::planningChanged);
    connect(&m_runner, &JobRunner::failed, this, &Session::failed);
    m_rest.setSingleShot(true);
    m_rest.setInterval(restMs);
    connect(&m_rest, &QTimer::timeout, this, [this] { plan(StudyDepth::Replayed); });
}

void Session::setScenario(const Scenario& scenario)
{
    if (scenario == m_scenario && (m_study || m_runner.isRunning()))
        return;
    m_scenario = scenario;
    emit scenarioChanged();
    m_rest.stop();
    if (m_runner.isRunning() && m_depth == StudyDepth::ClosedForm && m_started.elapsed() < patienceMs)
        m_behind = true;
    else
        plan(StudyDepth::ClosedForm);
}

void Session::setCatalogue(std::shared_ptr<const Catalogue> catalogue)
{
    m_catalogue = std::move(catalogue);
    plan(StudyDepth::ClosedForm);
}

void Session::plan(StudyDepth depth)
{
    m_behind = false;
    m_depth = depth;
    m_started.start();
    using Answer = Result<std::shared_ptr<const Study>>;
    m_runner.start<Answer>(
        [catalogue = m_catalogue, scenario = m_scenario, depth](const RunControl& control) -> Answer {
            return makeStudy(catalogue, scenario, control, depth);
        },
        [this](Answer answer) {
            m_planMs = m_started.elapsed();
            if (answer)
                m_study = std::move(*answer);
            if (Problems problems = answer ? Problems() : std::move(answer.error()); problems != m_problems) {
                m_problems = std::move(problems);
                emit problemsChanged();
            }
            const bool shallow = answer && m_study->depth == StudyDepth::ClosedForm;
            if (shallow && !m_behind)
                m_rest.start(); // before the news: who hears it may ask whether this was all
            if (answer)
                emit studyChanged();
            if (m_behind)
                plan(StudyDepth::ClosedForm);
        });
}

} // namespace headroom::app
