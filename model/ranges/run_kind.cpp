#include "model/ranges/run_kind.h"

#include "model/deploy/deployment.h"

namespace headroom {

std::string_view runName(RunKind kind)
{
    switch (kind) {
    case RunKind::Static:
        return "static batch";
    case RunKind::ClosedLoop:
        return "concurrency";
    case RunKind::Burst:
        return "burst";
    case RunKind::Saturated:
        return "saturated";
    case RunKind::OpenLoop:
        return "request rate";
    }
    return "concurrency";
}

RunKind runKindOf(const Scenario& scenario, const serve::ServingPlan& plan, const serve::Measures& measures)
{
    using Kind = serve::ArrivalShape::Kind;
    const serve::Traffic& traffic = plan.traffic;
    if (traffic.arrivals.kind == Kind::Closed)
        return RunKind::ClosedLoop;
    if (traffic.arrivals.kind == Kind::AtOnce) {
        if (!scenario.concurrency)
            return keepsBatch(plan.setup.pool.scheduling.kind) ? RunKind::Static : RunKind::Saturated;
        if (keepsBatch(plan.setup.pool.scheduling.kind))
            return RunKind::Static;
        if (scenario.loadTool != LoadTool::Offline)
            return RunKind::Burst;
        // As many as run at once are one batch; else places are filled for as long as it takes.
        return double(scenario.requests) == *scenario.concurrency ? RunKind::Static : RunKind::Saturated;
    }
    constexpr double held = 0.8; // of the bound, from which on it and not the rate sets the load
    const double inFlight = measures.requestRate.base() * measures.latency.mean.base(); // Little's law
    return traffic.mostInFlight > 0 && inFlight > held * traffic.mostInFlight ? RunKind::ClosedLoop
                                                                              : RunKind::OpenLoop;
}

} // namespace headroom
