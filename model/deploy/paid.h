#pragma once

#include "model/deploy/deployment.h"

#include <algorithm>
#include <optional>

namespace headroom {

// Boxes that a deployment's replicas fill.
[[nodiscard]] inline int nodesOf(const Deployment& deployment)
{
    const int perNode = std::max(1, deployment.node->gpusPerNode);
    const int perReplica = deployment.layout.gpusPerReplica();
    if (perReplica >= perNode)
        return deployment.layout.replicas * ((perReplica + perNode - 1) / perNode);
    const int inOne = perNode / perReplica;
    return (deployment.layout.replicas + inOne - 1) / inOne;
}

// GPUs that are paid where `gpus` of them work in so many boxes: modules come with their box.
[[nodiscard]] inline int paidGpus(const Deployment& d, int gpus, int boxes)
{
    const int unit = std::max(1, d.terms.unit);
    if (unit > 1 && unit == d.node->gpusPerNode)
        return std::max(boxes, (gpus + unit - 1) / unit) * unit;
    return (gpus + unit - 1) / unit * unit;
}

// An hour of them with the boxes around them, without their electricity; empty where no price is known.
[[nodiscard]] inline std::optional<DollarsPerSecond> paidHour(const Deployment& d, int gpus, int boxes)
{
    if (!d.gpu->cloudPrice)
        return std::nullopt;
    return *d.gpu->cloudPrice * static_cast<double>(paidGpus(d, gpus, boxes))
        + d.terms.perBox * static_cast<double>(boxes)
        + d.terms.perLinked * static_cast<double>(boxes > 1 ? boxes : 0);
}
[[nodiscard]] inline std::optional<DollarsPerSecond> paidHour(const Deployment& d)
{
    return paidHour(d, d.layout.gpus(), nodesOf(d));
}

} // namespace headroom
