#include "model/memory/loading_time.h"

#include "model/count/weights.h"

#include <algorithm>

namespace headroom {

std::optional<LoadingTime> loadingTime(const Deployment& deployment)
{
    const Node& node = *deployment.node;
    const Layout& layout = deployment.layout;
    if (node.storageRead <= BytesPerSecond{} || node.host.perGpuPerDirection <= BytesPerSecond{})
        return std::nullopt;
    const int perNode = std::max(1, node.gpusPerNode);
    const int gpus = layout.gpusPerReplica();
    const double nodes = std::max(1, (gpus + perNode - 1) / perNode);

    // A node reads its share of the checkpoint once, whatever its GPUs copy from each other; the GPUs fill
    // side by side over their host links, while the next shard is read.
    const Bytes checkpoint = countWeights(*deployment.llm, deployment.weights).total();
    Bytes fullest;
    for (int stage = 0; stage < layout.pp; ++stage)
        fullest = std::max(fullest, weightBytesPerGpu(*deployment.llm, deployment.weights, layout, stage));
    const Seconds reading = checkpoint / nodes / node.storageRead;
    const Seconds copying = fullest / node.host.perGpuPerDirection;
    return LoadingTime{.fromStorage = std::max(reading, copying),
                       .fromHostMemory = copying,
                       .boundByStorage = reading >= copying};
}

} // namespace headroom
