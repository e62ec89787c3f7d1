#include "app/desktop/session/session.h"

#include "model/plan/study.h"

namespace headroom::app {

namespace {
// A plan that takes longer than this is not worth finishing for a scenario that has changed since.
constexpr qint64 patienceMs = 200;
} // namespace

Session::Session(std::shared_ptr<const Catalogue> catalogue, QObject* parent)
    : QObject(parent), m_catalogue(std::move(catalogue))
{
    connect(&m_runner, &JobRunner::runningChanged, this, &Session::planningChanged);
    connect(&m_runner, &JobRunner::failed, this, &Session::failed);
}

void Session::setScenario(const Scenario& scenario)
{
    if (scenario == m_scenario && (m_study || m_runner.isRunning()))
        return;
    m_scenario = scenario;
    emit scenarioChanged();
    if (m_runner.isRunning() && m_started.elapsed() < patienceMs)
        m_behind = true;
    else
        plan();
}

void Session::setCatalogue(std::shared_ptr<const Catalogue> catalogue)
{
    m_catalogue = std::move(catalogue);
    plan();
}

void Session::plan()
{
    m_behind = false;
    m_started.start();
    using Answer = Result<std::shared_ptr<const Study>>;
    m_runner.start<Answer>(
        [catalogue = m_catalogue, scenario = m_scenario](const RunControl& control) -> Answer {
            return makeStudy(catalogue, scenario, control);
        },
        [this](Answer answer) {
            m_planMs = m_started.elapsed();
            if (answer)
                m_study = std::move(*answer);
            if (Problems problems = answer ? Problems() : std::move(answer.error()); problems != m_problems) {
                m_problems = std::move(problems);
                emit problemsChanged();
            }
            if (answer)
                emit studyChanged();
            if (m_behind)
                plan();
        });
}

} // namespace headroom::app
