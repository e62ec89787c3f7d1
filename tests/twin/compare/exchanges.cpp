#include "exchanges.h"

#include "model/cost/forms.h"
#include "model/count/op_work.h"
#include "model/yaml/efficiency_source.h"
#include "tests/twin/network/experts.h"

namespace headroom::twin {

namespace {

constexpr double link = 450e9, nic = 50e9;

// The same machine for both: eight GPUs on a switch, an adapter each.
FabricSpec fabricOf(int boxes, int gpus)
{
    return {.boxes = boxes, .gpus = gpus, .link = link, .nics = boxes > 1 ? gpus : 0, .nic = nic};
}
Node nodeOf(int gpus)
{
    Node node;
    node.gpusPerNode = gpus;
    node.intra.topology = LinkTopology::Switch;
    node.intra.perGpuPerDirection = BytesPerSecond(link);
    node.inter.topology = LinkTopology::Network;
    node.inter.perGpuPerDirection = BytesPerSecond(nic);
    node.host.topology = LinkTopology::Pcie;
    node.host.perGpuPerDirection = BytesPerSecond(55e9);
    return node;
}

double programSeconds(CollectiveClass cls, const Node& node, int ranks, int boxes, double message)
{
    static const EfficiencySet ideal = idealEfficiency();
    const Gpu gpu;
    return timeOp(collectiveOp(OpName::AllReduce, cls, message, ranks, boxes), gpu, node, ideal).total.base();
}

double expertSeconds(const ExpertExchange& exchange, const Node& node)
{
    static const EfficiencySet ideal = idealEfficiency();
    return timeOp(expertExchangeOp(exchange), Gpu{}, node, ideal).total.base();
}

double seconds(const Transfers& transfers)
{
    const auto outcome = transfers.run();
    return outcome ? outcome->end : -1;
}

void addReductions(std::vector<ExchangeRow>& rows, int boxes)
{
    const int ranks = 8 * boxes;
    const Fabric fabric(fabricOf(boxes, 8));
    constexpr double message = 64e6;
    Transfers reduce(fabric);
    const double program = programSeconds(CollectiveClass::NcclAllReduce, nodeOf(8), ranks, boxes, message);
    (void)hierarchicalAllReduce(reduce, fabric, message, 1);
    rows.push_back(
        {"all-reduce, part after part", "8 x switch", ranks, boxes, message, seconds(reduce), program, ""});
    Transfers pieces(fabric);
    (void)hierarchicalAllReduce(pieces, fabric, message, 16);
    rows.push_back({"all-reduce, parts overlapping", "8 x switch", ranks, boxes, message, seconds(pieces),
                    program, "as measured on A3 Mega"});
    Transfers rings(fabric);
    (void)railRingsAllReduce(rings, fabric, message);
    rows.push_back({"all-reduce, a ring for each rail", "8 x switch", ranks, boxes, message, seconds(rings),
                    program, ""});
    Transfers gather(fabric);
    (void)hierarchicalAllGather(gather, fabric, message / 64);
    rows.push_back({"all-gather", "8 x switch", ranks, boxes, message / 64, seconds(gather),
                    programSeconds(CollectiveClass::AllGather, nodeOf(8), ranks, boxes, message / 64), ""});
}

// 256 experts, 8 of each token, 7,168 bytes a token, 128 tokens a rank.
void addExperts(std::vector<ExchangeRow>& rows, int boxes, int gpus)
{
    const int ranks = boxes * gpus;
    constexpr int tokens = 128;
    constexpr double token = 7168;
    const Fabric fabric(fabricOf(boxes, gpus));
    const std::vector<double> even = evenPopularity(256);
    const std::vector<double> skewed = skewedPopularity(256, 1);
    const int copies = ranks % 3 == 0 ? 32 : 0; // 72 and 144 ranks hold 288
    const auto add = [&](const char* name, Dispatch kind, const std::vector<double>& popularity) {
        const Placement placement = balanced(popularity, copies, ranks);
        const Routing targets = ranksOf(routed(popularity, 8, tokens, ranks, 2), placement);
        Transfers transfers(fabric);
        dispatch(transfers, fabric, targets, token, kind);
        const double program = expertSeconds({.rows = tokens,
                                              .chosen = 8,
                                              .rowBytes = token,
                                              .ranks = ranks,
                                              .nodes = boxes,
                                              .straight = kind == Dispatch::DeepEpLowLatency},
                                             nodeOf(gpus));
        rows.push_back({name, boxes == 1 ? "one domain" : "8 x switch", ranks, boxes, tokens * token,
                        seconds(transfers), program, copies > 0 ? "32 copies" : ""});
    };
    if (boxes == 1) {
        add("dispatch, one domain, even", Dispatch::Domain, even);
        add("dispatch, one domain, skewed", Dispatch::Domain, skewed);
        return;
    }
    add("dispatch, DeepEP normal, even", Dispatch::DeepEpNormal, even);
    add("dispatch, DeepEP normal, skewed", Dispatch::DeepEpNormal, skewed);
    add("dispatch, DeepEP low latency", Dispatch::DeepEpLowLatency, even);
    if (ranks <= 32)
        add("dispatch, gather and scatter", Dispatch::GatherScatter, even);
}

void addOther(std::vector<ExchangeRow>& rows)
{
    constexpr double message = 64e6;
    const Fabric box(fabricOf(1, 8));
    const double ring = programSeconds(CollectiveClass::NcclAllReduce, nodeOf(8), 8, 1, message);
    Transfers around(box);
    (void)ringAllReduce(around, firstRanks(8), message);
    rows.push_back({"all-reduce, ring", "8 x switch", 8, 1, message, seconds(around), ring, ""});
    Transfers inSwitch(box);
    (void)switchAllReduce(inSwitch, box, firstRanks(8), message, 64);
    Node adds = nodeOf(8);
    adds.intra.inNetworkReduction = true;
    rows.push_back({"all-reduce, switch adds up", "8 x NVLS", 8, 1, message, seconds(inSwitch),
                    programSeconds(CollectiveClass::NcclAllReduce, adds, 8, 1, message),
                    "in_network_reduction"});
    FabricSpec bridged = fabricOf(2, 4);
    bridged.inside = FabricSpec::Inside::Pairs;
    bridged.bus = 55e9;
    const Fabric pairs(bridged);
    Transfers overBus(pairs);
    (void)hierarchicalAllReduce(overBus, pairs, message, 1);
    Node bridges = nodeOf(4);
    bridges.intra.topology = LinkTopology::Pairs;
    rows.push_back({"all-reduce, part after part", "4 x bridged pairs", 8, 2, message, seconds(overBus),
                    programSeconds(CollectiveClass::NcclAllReduce, bridges, 8, 2, message), ""});
    FabricSpec apart = fabricOf(2, 8);
    apart.nics = 0;
    const Fabric none(apart);
    Transfers nowhere(none);
    (void)hierarchicalAllReduce(nowhere, none, message, 1);
    Node alone = nodeOf(8);
    alone.inter = {};
    rows.push_back({"all-reduce, no network", "8 x switch", 16, 2, message, seconds(nowhere),
                    programSeconds(CollectiveClass::NcclAllReduce, alone, 16, 2, message),
                    "must be refused"});
}

} // namespace

std::vector<ExchangeRow> reductionsOfOneKind()
{
    std::vector<ExchangeRow> rows;
    addOther(rows);
    return rows;
}

std::vector<ExchangeRow> exchangeRows()
{
    std::vector<ExchangeRow> rows = reductionsOfOneKind();
    for (const int boxes : {2, 4, 8})
        addReductions(rows, boxes);
    for (const int boxes : {2, 4, 8})
        addExperts(rows, boxes, 8);
    addExperts(rows, 1, 8);
    addExperts(rows, 1, 72);
    return rows;
}

} // namespace headroom::twin
