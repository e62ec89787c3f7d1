#pragma once

#include "model/cost/forms.h"
#include "model/count/operators.h"
#include "model/count/step_shape.h"
#include "model/estimate.h"
#include "model/plan/deployment.h"

#include <array>
#include <vector>

namespace headroom {

// A step of one replica with its parts. Parts are sums over the operators of one GPU of the slowest stage.
struct StepCost {
    Estimate<Seconds> rate;    // time between two such steps when the pipeline is full: what a decode feels
    Estimate<Seconds> latency; // from entering the first stage to leaving the last
    Seconds compute;
    Seconds memory;
    Seconds link;
    Seconds launch;
    Seconds host; // the engine's own time that is not hidden
    Flops flops;  // whole replica
    Bytes bytes;  // whole replica
    Bound bound = Bound::Memory;
};

// Times steps of one deployment; what does not depend on the step is worked out once. Never allocates.
class StepTimer {
public:
    explicit StepTimer(const Deployment& deployment);

    [[nodiscard]] StepCost cost(const StepShape& shape) const;
    // cost(shape).rate.value without its interval: what a simulation asks for every step.
    [[nodiscard]] Seconds rate(const StepShape& shape) const;

    // Operators of the stage that rules the rate, for tables, pictures and explanations.
    [[nodiscard]] std::vector<Op> operators(const StepShape& shape) const;
    [[nodiscard]] const Deployment& deployment() const { return m_deployment; }

private:
    static constexpr std::size_t maxDistinctStages = 8;

    struct StageSum;
    using StageSums = std::array<StageSum, maxDistinctStages>;
    void sumUp(const StepShape& shape, StageSums& sums) const;
    void wait(StageSum& sum, const StepShape& shape) const;
    [[nodiscard]] OpTime timeOf(const Op& op) const;
    [[nodiscard]] StepShape microBatch(const StepShape& shape) const;
    [[nodiscard]] Seconds hostTime(const StepShape& shape) const;

    Deployment m_deployment;
    std::array<StageLayers, maxDistinctStages> m_stages{};
    std::size_t m_stageCount = 0;
};

} // namespace headroom
