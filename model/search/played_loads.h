#pragma once

#include "model/scenario/service_load.h"
#include "model/search/candidate.h"
#include "model/serve/simulate.h"

#include <memory>
#include <optional>
#include <vector>

namespace headroom {

struct ReplayUnderWay;

// What replays of one question gave: the same service with the same load is played once.
class PlayedLoads {
public:
    struct Played {
        std::optional<SimulatedService> simulated; // none: the simulator has no such engine or traffic
        bool keepsTargets = false;
        Message overloaded; // why a queue grows; empty where none does
        bool cut = false;   // it took more than runs may: nothing is known
    };
    [[nodiscard]] const Played* find(const Candidate& candidate, const Scenario& scenario) const;
    void add(const Candidate& candidate, const Scenario& scenario, Played played);
    // A run that ended where it was clear what it says. The last few are kept; it is given away once.
    void keep(const Candidate& candidate, const Scenario& scenario, std::shared_ptr<ReplayUnderWay> run);
    [[nodiscard]] std::shared_ptr<ReplayUnderWay> takeUnderWay(const Candidate& candidate,
                                                               const Scenario& scenario);
    // What its steps take is remembered from one run of a layout to the next.
    void shareSteps(const Candidate& candidate, serve::ServingSetup& setup);

private:
    // A service with a load and what it promises.
    struct Question {
        std::shared_ptr<const Resolved> machine;
        Layout layout;
        std::shared_ptr<const Resolved> prompting; // none: one pool
        Layout prompts;
        ServiceLoad load;
        Targets targets;

        Question(const Candidate& candidate, const Scenario& scenario);
        [[nodiscard]] bool isOf(const Candidate& candidate, const Scenario& scenario) const;
    };
    struct Entry {
        Question question;
        Played played;
    };
    struct Unfinished {
        Question question;
        std::shared_ptr<ReplayUnderWay> run;
    };
    // Of one replica.
    struct Steps {
        std::shared_ptr<const Resolved> machine;
        Layout layout;
        serve::StepTime time;
        serve::PassTime pass;
    };
    void shareSteps(const std::shared_ptr<const Resolved>& machine, Layout layout, serve::ReplicaPool& pool);

    std::vector<Entry> m_entries;
    std::vector<Unfinished> m_unfinished;
    std::vector<Steps> m_steps; // of the layouts that were played last
};

} // namespace headroom
