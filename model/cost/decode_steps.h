#pragma once

#include "model/cost/step_cost.h"

#include <memory>
#include <vector>

namespace headroom {

// Times the steps of a simulation. In a long run of decodes only the attention over their growing caches
// changes from step to step, and full steps of prompts differ in their attention alone: the time of an
// operator that is equal in all to the one of an earlier step like it is not worked out again. Exactly
// StepTimer::rate and StepTimer::pass. A copy has a memory of its own.
class DecodeSteps {
public:
    explicit DecodeSteps(std::shared_ptr<const StepTimer> timer);

    [[nodiscard]] Seconds rate(const StepShape& shape);
    [[nodiscard]] StagePass pass(const StepShape& shape);
    [[nodiscard]] const StepTimer& timer() const { return *m_timer; }

private:
    [[nodiscard]] TimedOps& likeIt(const StepShape& shape);

    std::shared_ptr<const StepTimer> m_timer;
    std::vector<TimedOps> m_decodes; // by how many there are
    std::vector<TimedOps> m_mixed;   // steps with prompts, by how many tokens they have
};

} // namespace headroom
