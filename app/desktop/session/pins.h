#pragma once

#include "app/desktop/jobs/job_runner.h"
#include "model/scenario/scenario.h"

#include <QObject>
#include <QVector>

#include <memory>

namespace headroom {
class Catalogue;
struct PlanView;
} // namespace headroom

namespace headroom::app {

class Settings;

// A scenario that is kept beside the one at hand, with its plan.
struct Pin {
    QString title;
    Scenario scenario;
    std::shared_ptr<const PlanView> planView; // null until it is planned
};

// What was pinned, in the order of pinning. It outlives the run: scenarios are kept in the settings and
// planned anew when somebody looks.
class Pins final : public QObject {
    Q_OBJECT

public:
    Pins(Settings& settings, std::shared_ptr<const Catalogue> catalogue, QObject* parent = nullptr);

    [[nodiscard]] const QVector<Pin>& all() const { return m_all; }
    [[nodiscard]] bool contains(const Scenario& scenario) const;
    // What is pinned already stays where it is. `planView` may be null: it is planned here then.
    void add(const QString& title, const Scenario& scenario, std::shared_ptr<const PlanView> planView = {});
    void remove(int place);
    void clear();
    void stop();     // nothing is planned after this until planAnew()
    void planAnew(); // where something else changed that plans are told with
    void planMissing();
    [[nodiscard]] bool isPlanning() const { return m_runner.isRunning(); }

    static constexpr qsizetype most = 8; // that anybody compares; the oldest makes room

signals:
    void changed();

private:
    void read();
    void write() const;

    Settings& m_settings;
    std::shared_ptr<const Catalogue> m_catalogue;
    QVector<Pin> m_all;
    JobRunner m_runner; // last: waits for its worker first
};

} // namespace headroom::app
