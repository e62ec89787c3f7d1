#pragma once

#include "app/desktop/jobs/job_runner.h"
#include "model/advise/plan_view.h"
#include "model/base/result.h"
#include "model/scenario/scenario.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <memory>

namespace headroom {
class Catalogue;
}

namespace headroom::app {

// The one thing that changes: a scenario, and what was last planned for it. Setting a scenario starts a plan
// off the UI thread; edits that come faster than plans are planned together, so that a dragged slider always
// shows its latest finished plan. While the hand moves only the answer is planned; when it rests the
// answer is explained, and then the traffic replayed where it matters. An input that cannot be planned leaves
// the last good plan view in place and says what is wrong.
class Session final : public QObject {
    Q_OBJECT

public:
    explicit Session(std::shared_ptr<const Catalogue> catalogue, QObject* parent = nullptr);

    [[nodiscard]] const Catalogue& catalogue() const { return *m_catalogue; }
    [[nodiscard]] std::shared_ptr<const Catalogue> sharedCatalogue() const { return m_catalogue; }
    [[nodiscard]] const Scenario& scenario() const { return m_scenario; }
    [[nodiscard]] const std::shared_ptr<const PlanView>& planView() const
    {
        return m_planView;
    } // null before the first
    // Whether what was last planned is of the scenario as it is.
    [[nodiscard]] bool isCurrent() const { return m_planView && m_planView->asked == m_scenario; }
    [[nodiscard]] const Problems& problems() const { return m_problems; }
    [[nodiscard]] bool isPlanning() const { return m_runner.isRunning() || m_rest.isActive(); }
    [[nodiscard]] qint64 planMs() const { return m_planMs; } // what the last answer took

    void setScenario(const Scenario& scenario);
    void stop();     // nothing is planned after this until planAnew()
    void planAnew(); // the same scenario, where something else changed that plans are told with
    void setCatalogue(std::shared_ptr<const Catalogue> catalogue); // after a file was imported: plans anew

signals:
    void scenarioChanged();
    void planViewChanged();
    void problemsChanged();
    void planningChanged(bool planning);
    void failed(const QString& what);

private:
    void plan(PlanDepth depth);

    std::shared_ptr<const Catalogue> m_catalogue;
    Scenario m_scenario;
    std::shared_ptr<const PlanView> m_planView;
    Problems m_problems;
    bool m_behind = false;                   // the scenario changed while a plan was running
    PlanDepth m_depth = PlanDepth::Answered; // of the plan that runs
    QTimer m_rest;                           // until the hand has rested
    QElapsedTimer m_started;
    qint64 m_planMs = 0;
    JobRunner m_runner; // last: its destructor waits for the worker, which uses the rest
};

} // namespace headroom::app
