#include "fabric.h"

namespace headroom::twin {

Fabric::Fabric(const FabricSpec& spec) : m_spec(spec)
{
    const int all = ranks();
    m_linkOut = add(all, spec.link);
    m_linkIn = add(all, spec.link);
    const double wireRate
        = spec.inside == FabricSpec::Inside::Mesh && spec.gpus > 1 ? spec.link / (spec.gpus - 1) : spec.link;
    m_wires = add(all * spec.gpus, wireRate);
    m_busOut = add(all, spec.bus);
    m_busIn = add(all, spec.bus);
    const int adapters = spec.boxes * spec.nics;
    m_nicOut = add(adapters, spec.nic);
    m_nicIn = add(adapters, spec.nic);
    const int leaves = spec.rails ? spec.nics : (spec.boxes + spec.boxesOfLeaf - 1) / spec.boxesOfLeaf;
    const int ofLeaf = spec.rails ? spec.boxes : spec.boxesOfLeaf * spec.nics;
    m_leafUp = add(leaves, ofLeaf * spec.nic / spec.oversubscription);
    m_leafDown = add(leaves, ofLeaf * spec.nic / spec.oversubscription);
}

int Fabric::add(int count, double rate)
{
    const int first = static_cast<int>(m_rates.size());
    m_rates.insert(m_rates.end(), static_cast<std::size_t>(count), rate);
    return first;
}

int Fabric::wire(int from, int to) const { return m_wires + from * m_spec.gpus + localOf(to); }

int Fabric::nicOf(int rank) const
{
    return boxOf(rank) * m_spec.nics + localOf(rank) * m_spec.nics / m_spec.gpus;
}

int Fabric::leafOf(int nic) const
{
    return m_spec.rails ? nic % m_spec.nics : nic / m_spec.nics / m_spec.boxesOfLeaf;
}

Fabric::Route Fabric::route(int from, int to) const
{
    using Inside = FabricSpec::Inside;
    if (from == to)
        return {};
    if (boxOf(from) == boxOf(to)) {
        const bool bridged = m_spec.inside == Inside::Pairs && localOf(from) / 2 == localOf(to) / 2;
        if (m_spec.inside == Inside::Mesh || bridged)
            return {{wire(from, to)}, m_spec.linkLatency, m_spec.link > 0};
        if (m_spec.inside == Inside::Switch)
            return {{linkOut(from), linkIn(to)}, m_spec.linkLatency, m_spec.link > 0};
        return {{busOut(from), busIn(to)}, m_spec.linkLatency, m_spec.bus > 0};
    }
    if (m_spec.nics == 0 || m_spec.nic <= 0)
        return {{}, 0, false};
    const int out = nicOf(from);
    const int in = nicOf(to);
    Route route{{nicOut(out)}, m_spec.nicLatency, true};
    if (leafOf(out) != leafOf(in)) {
        route.ports.push_back(leafUp(leafOf(out)));
        route.ports.push_back(leafDown(leafOf(in)));
    }
    route.ports.push_back(nicIn(in));
    return route;
}

} // namespace headroom::twin
