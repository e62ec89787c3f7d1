#include "model/resolve/usual_box.h"

#include <algorithm>
#include <fmt/format.h>

namespace headroom {

Result<const Node*> usualBox(const Catalogue& catalogue, const Gpu& gpu, int together)
{
    const Result<const Node*> usual = catalogue.node(gpu.defaultNode);
    if (!usual || (*usual)->gpusPerNode >= together)
        return usual;
    const Node* best = *usual;
    for (const std::string& id : catalogue.nodeIds()) {
        const Result<const Node*> other = catalogue.node(id);
        if (!other || std::find((*other)->gpus.begin(), (*other)->gpus.end(), gpu.id) == (*other)->gpus.end())
            continue;
        const int size = (*other)->gpusPerNode;
        const bool holds = best->gpusPerNode >= together;
        if (holds ? size >= together && size < best->gpusPerNode : size > best->gpusPerNode)
            best = *other;
    }
    return best;
}

Message boxText(const Gpu& gpu, const Node& box)
{
    return say("{} stands in {} ({} a box)", gpu.name, box.name, box.gpusPerNode);
}

} // namespace headroom
