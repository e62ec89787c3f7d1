#include "model/count/weights.h"
#include "model/memory/memory_plan.h"

#include <algorithm>

namespace headroom {

Seconds loadingTime(const Deployment& deployment)
{
    const Node& node = *deployment.node;
    const Layout& layout = deployment.layout;
    const int perNode = std::max(1, node.gpusPerNode);
    const int gpus = layout.gpusPerReplica();
    const double nodes = std::max(1, (gpus + perNode - 1) / perNode);

    // A node reads its share of the checkpoint once, whatever its GPUs copy from each other; the GPUs fill
    // side by side over their host links, while the next shard is read.
    const Bytes checkpoint = countWeights(*deployment.llm, deployment.weights).total();
    Bytes fullest;
    for (int stage = 0; stage < layout.pp; ++stage)
        fullest = std::max(fullest, weightBytesPerGpu(*deployment.llm, deployment.weights, layout, stage));
    const Seconds reading
        = node.storageRead > BytesPerSecond{} ? checkpoint / nodes / node.storageRead : Seconds{};
    const BytesPerSecond hostLink = node.host.perGpuPerDirection;
    const Seconds copying = hostLink > BytesPerSecond{} ? fullest / hostLink : Seconds{};
    return std::max(reading, copying);
}

} // namespace headroom
