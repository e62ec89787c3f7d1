#pragma once

#include "model/count/op.h"
#include "model/count/step_shape.h"
#include "model/estimate.h"
#include "model/plan/deployment.h"

#include <cstdint>
#include <vector>

namespace headroom {

enum class Bound : std::uint8_t { Compute, Memory, Launch, Link };
[[nodiscard]] std::string_view boundName(Bound bound);

// An operator's time with its parts; `total` is of one execution.
struct OpTime {
    Seconds compute;
    Seconds memory;
    Seconds link;
    Seconds launch;
    Seconds total;
    double lnSpread = 0;
    Source source = Source::Prior;
    [[nodiscard]] Bound bound() const;
};

[[nodiscard]] OpTime timeOp(const Op& op, const Gpu& gpu, const Node& node, const EfficiencySet& efficiency);

// A step of one replica: the slowest pipeline stage rules the rate, all stages make the latency.
struct StepCost {
    Estimate<Seconds> rate; // time between two steps of the same kind: what decode feels
    Estimate<Seconds> latency; // from entering the first stage to leaving the last
    Seconds compute; // sums over operators of one GPU, without overlap: what utilisation is counted from
    Seconds memory;
    Seconds link;
    Seconds launch;
    Seconds host;
    Flops flops; // whole replica
    Bytes bytes; // whole replica
    Bound bound = Bound::Memory;
};

// Times steps of one deployment; everything that does not depend on the step is worked out once.
class StepTimer {
public:
    explicit StepTimer(const Deployment& deployment);

    [[nodiscard]] StepCost cost(const StepShape& shape) const;
    [[nodiscard]] Seconds rate(const StepShape& shape) const; // cost(shape).rate.value, faster: what a simulation asks

    // The operators of the slowest stage, for tables, roofline pictures and explanations.
    [[nodiscard]] OpList operators(const StepShape& shape) const;
    [[nodiscard]] const Deployment& deployment() const { return m_deployment; }

private:
    Deployment m_deployment;
    // Layers of the slowest stage by kind.
    std::vector<double> m_layersOfKind;
    int m_stage = 0;
};

} // namespace headroom
