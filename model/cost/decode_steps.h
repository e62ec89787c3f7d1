#pragma once

#include "model/cost/step_cost.h"

#include <memory>
#include <vector>

namespace headroom {

// Times the steps of a simulation. In a long run of decodes only the attention over their growing caches
// changes from step to step: the time of an operator that is equal in all to the one of an earlier step of as
// many sequences is not worked out again. Exactly StepTimer::rate. A copy has a memory of its own.
class DecodeSteps {
public:
    explicit DecodeSteps(std::shared_ptr<const StepTimer> timer);

    [[nodiscard]] Seconds rate(const StepShape& shape);
    [[nodiscard]] const StepTimer& timer() const { return *m_timer; }

private:
    struct Known {
        StepShape shape; // without the caches' lengths
        TimedOps operators;
    };
    std::shared_ptr<const StepTimer> m_timer;
    std::vector<Known> m_known;
};

} // namespace headroom
