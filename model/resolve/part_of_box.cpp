#include "model/resolve/part_of_box.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace headroom {

namespace {

// Cards that talk over PCIe: a chassis for more of them has the same slots and switches.
bool takesMoreCards(const Node& box)
{
    return box.intra.topology == LinkTopology::Pcie || box.intra.topology == LinkTopology::Pairs;
}

} // namespace

void standInPartOfBox(Resolved& out, Problems& problems)
{
    Deployment& d = out.deployment;
    if (!out.scenario.gpusPerBox || d.node == nullptr)
        return;
    const int filled = *out.scenario.gpusPerBox;
    const int places = std::max(1, d.node->gpusPerNode);
    if (filled == places)
        return;
    if (filled > places && !takesMoreCards(*d.node)) {
        problems.push_back(
            {"gpus-per-box", say("{} is a box of {}, {} in each are asked for", d.node->name, places, filled),
             "name a machine that holds them with --node, or say no boxes; `list nodes` shows them"});
        return;
    }
    auto own = std::make_shared<Node>(*d.node);
    own->gpusPerNode = filled;
    if (filled == 1)
        own->intra = {};
    if (filled > places)
        out.warnings.push_back(
            say("no box is known that holds {} of them: links and the rest are those of {} ({} a box)",
                filled, d.node->name, places));
    else
        out.assumptions.push_back(say("boxes of {}: {} with {} of its {} places filled; links, network and "
                                      "the rest of each are those of "
                                      "a full one, empty places cost nothing",
                                      filled, d.node->name, filled, places));
    out.wholeBox = places;
    d.node = own.get();
    out.ownNode = std::move(own);
}

std::optional<int> boxesThere(const Scenario& s)
{
    if (!s.gpuCount || !s.gpusPerBox)
        return std::nullopt;
    return (*s.gpuCount + *s.gpusPerBox - 1) / *s.gpusPerBox;
}

int replicasThere(int gpus, const Layout& layout, const Scenario& scenario)
{
    const int each = layout.gpusPerReplica();
    int most = gpus / each;
    if (const std::optional<int>& inBox = scenario.gpusPerBox) {
        const int boxes = (gpus + *inBox - 1) / *inBox;
        const int perReplica = (each + *inBox - 1) / *inBox;
        most = std::min(most, perReplica > 1 ? boxes / perReplica : boxes * (*inBox / each));
    }
    return std::max(1, most);
}

} // namespace headroom
