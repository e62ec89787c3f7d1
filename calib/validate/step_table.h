#pragma once

#include "model/closed_form/step_work.h"
#include "model/cost/step_cost.h"

#include <cstdint>
#include <unordered_map>

namespace headroom {

// Step times of one deployment on a grid of shapes a few percent apart: a validation replays thousands of
// runs, and a step of 1,003 cached tokens takes as long as one of 1,000.
class StepTable {
public:
    explicit StepTable(const Deployment& deployment) : m_timer(deployment) {}
    [[nodiscard]] Seconds operator()(const StepShape& shape);
    [[nodiscard]] const StepTimer& timer() const { return m_timer; }

private:
    StepTimer m_timer;
    std::unordered_map<std::uint64_t, double> m_known;
};

} // namespace headroom
