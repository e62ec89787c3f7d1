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

RunKind runKindOf(const serve::ServingPlan& plan, const serve::Measures& measures, bool sizeStated)
{
    using Kind = serve::ArrivalShape::Kind;
    const serve::Traffic& traffic = plan.traffic;
    if (traffic.arrivals.kind == Kind::Closed)
        return RunKind::ClosedLoop;
    if (traffic.arrivals.kind == Kind::AtOnce) {
        if (keepsBatch(plan.setup.pool.scheduling.kind))
            return RunKind::Static;
        return sizeStated ? RunKind::Burst : RunKind::Saturated;
    }
    constexpr double held = 0.8;
    const double inFlight = measures.requestRate.base() * measures.latency.mean.base(); // Little's law
    return traffic.mostInFlight > 0 && inFlight > held * traffic.mostInFlight ? RunKind::ClosedLoop
                                                                              : RunKind::OpenLoop;
}

} // namespace headroom
