#include "model/cost/exchange_form.h"

#include "model/cost/form_parts.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace headroom {

namespace {

// Bytes each rank puts on its link, and hops a small message makes.
struct Wire {
    double bytes = 0;
    double hops = 0;
};
Wire ring(CollectiveClass cls, double ranks, double message)
{
    switch (cls) {
    case CollectiveClass::CustomAllReduce:
    case CollectiveClass::NcclAllReduce:
        return {2 * (ranks - 1) / ranks * message, 2 * (ranks - 1)};
    case CollectiveClass::AllGather:
        return {(ranks - 1) * message, ranks - 1};
    case CollectiveClass::AllToAll:
        return {(ranks - 1) / ranks * message, ranks - 1};
    case CollectiveClass::ExpertExchange:
        return {(ranks - 1) / ranks * message, 1};
    case CollectiveClass::SendRecv:
        return {message, 1};
    }
    return {message, 1};
}

// A kernel that adds up takes the faster of one shot and of going round; of what it hands on to another way,
// where that is faster or from a size on, each rank reads its message once, whatever their number.
double addedUp(const CollectiveForm& form, const Wire& wire, BytesPerSecond link, double ranks,
               double message, double around)
{
    // The ring puts 2 (r - 1) / r of a message on each link, one shot all r - 1 others.
    const double oneShot = wire.bytes * ranks / 2 / (link.base() * form.oneShotEfficiency);
    const double fastest = std::min(oneShot, around);
    if (!hasThirdWay(form.protocol))
        return fastest;
    const double handed = form.handedStart.base() + message / (link.base() * form.handedEfficiency);
    if (form.handedFrom > 0)
        return message < form.handedFrom ? fastest : handed;
    return std::min(fastest, handed);
}

// Every word with a flag that it has come, in lines of which a part is flag, or after the ranks have met.
double flaggedOrMet(const CollectiveForm& form, const Wire& wire, BytesPerSecond link, Seconds perHop,
                    double moving)
{
    const double flagged = wire.bytes / (link.base() * form.oneShotEfficiency);
    const double fastest = std::min(flagged, perHop.base() + moving);
    if (!hasThirdWay(form.protocol))
        return fastest;
    return std::min(fastest, form.handedStart.base() + wire.bytes / (link.base() * form.handedEfficiency));
}

// One way of an exchange: its form, and what of that differs on this link. What does not depend on the
// message is looked up once for all that go there.
struct Way {
    const CollectiveForm& form;
    CollectiveClass cls;
    BytesPerSecond link; // what it gives each of the ranks
    double ranks;
    Seconds floorBase;
    Seconds perHop;

    [[nodiscard]] double seconds(double message) const;
};
double Way::seconds(double message) const
{
    const Wire wire = ring(cls, ranks, message);
    const double rate = link.base() * form.linkEfficiency;
    if (rate <= 0) // no link, no exchange: never for nothing
        return wire.bytes > 0 ? std::numeric_limits<double>::infinity() : 0;
    const double moving = wire.bytes / rate;
    const double meeting = message < form.meetFrom ? 0 : form.floorPerRank.base() * ranks;
    const double floor = floorBase.base() + meeting;
    const double hops = wire.hops * perHop.base();
    const double around = hops + moving + form.pipelined * 2 * std::sqrt(hops * moving);
    switch (form.protocol) {
    case ExchangeProtocol::Ring:
        return softMax(floor, around, form.sharpness);
    case ExchangeProtocol::OneShot:
    case ExchangeProtocol::OneShotOrThird:
        return floor + addedUp(form, wire, link, ranks, message, around);
    case ExchangeProtocol::LlSimple:
    case ExchangeProtocol::LlLl128Simple:
        return floor + flaggedOrMet(form, wire, link, perHop, moving);
    }
    return softMax(floor, around, form.sharpness);
}

// `alone`: what the link gives one rank while no other exchanges.
BytesPerSecond shared(BytesPerSecond alone, const CollectiveForm& form, double ranks)
{
    return form.sharing > 0 ? alone * std::pow(2 / ranks, form.sharing) : alone;
}

// Bridges join two cards; a wider group meets over the host's bus.
constexpr int cardsOfBridge = 2;
const Link& linkAmong(const Node& node, int ranks)
{
    const bool overHost = node.intra.topology == LinkTopology::Pairs && ranks > cardsOfBridge
        && node.host.perGpuPerDirection.base() > 0;
    return overHost ? node.host : node.intra;
}

bool overPcie(const Node& node, int ranks)
{
    return node.intra.topology == LinkTopology::Pcie
        || (node.intra.topology == LinkTopology::Pairs && ranks > cardsOfBridge);
}

// Curves of another link say little of PCIe: unless they are of this card, and so of its own link.
const CollectiveForm& insideForm(const EfficiencySet& set, const Node& node, CollectiveClass cls, int ranks)
{
    static constexpr auto ofPcie = collectivesOverPcie();
    const auto i = static_cast<std::size_t>(cls);
    const bool ofThisCard = set.intraNode[i].uncertainty.source <= Source::MeasuredPublished;
    return overPcie(node, ranks) && !ofThisCard ? ofPcie[i] : set.intraNode[i];
}

// The way over PCIe is the host's, and published curves are of one host: they are no surer than hosts are
// alike.
Uncertainty amongHosts(Uncertainty uncertainty, const Node& node, int ranks)
{
    if (overPcie(node, ranks) && uncertainty.source == Source::MeasuredPublished)
        uncertainty.lnSpread
            = std::max(uncertainty.lnSpread, collectivesOverPcie().front().uncertainty.lnSpread);
    return uncertainty;
}

bool leftToNccl(const CollectiveForm& own, double ranks, double message)
{
    return (own.ncclFrom > 0 && message >= own.ncclFrom) || (own.ncclBeyond > 0 && ranks > own.ncclBeyond);
}

// Hops of a link that nobody measured take at least what its machine says.
Way wayInside(const EfficiencySet& set, const Node& node, CollectiveClass cls, double ranks)
{
    const auto cards = static_cast<int>(ranks);
    const Link& link = linkAmong(node, cards);
    const CollectiveForm& form = insideForm(set, node, cls, cards);
    const bool measured = form.uncertainty.source <= Source::MeasuredPublished || form.perHop.base() <= 0;
    return {.form = form,
            .cls = cls,
            .link = shared(link.perGpuPerDirection, form, ranks),
            .ranks = ranks,
            .floorBase = form.floorBase,
            .perHop = measured ? form.perHop : std::max(form.perHop, link.latency)};
}

double insideSeconds(const EfficiencySet& set, const Node& node, const Way& own, double message)
{
    if (own.cls == CollectiveClass::CustomAllReduce && leftToNccl(own.form, own.ranks, message))
        return wayInside(set, node, CollectiveClass::NcclAllReduce, own.ranks).seconds(message);
    return own.seconds(message);
}

// What the ranks of one node exchange among themselves and over the network, each rank as part of both.
struct Stages {
    double local = 1; // ranks of a node
    double nodes = 1;
    double within = 0;  // message of a rank in the exchange inside its node
    double between = 0; // … in that with its equals in the other nodes
    // Two that send one another what is theirs; else the nodes exchange as the ranks of one do.
    bool pairwise = false;

    [[nodiscard]] double sides() const { return pairwise ? 2 : nodes; }
    [[nodiscard]] CollectiveClass betweenClass(CollectiveClass cls) const
    {
        return pairwise ? CollectiveClass::SendRecv : cls;
    }
};
Stages stagesOf(const Op& op)
{
    const double message = op.message.base();
    if (op.nodes <= 1)
        return {.local = double(op.ranks), .within = message};
    Stages out{.local = std::max(1.0, double(op.ranks) / op.nodes), .nodes = double(op.nodes)};
    switch (op.collective) {
    case CollectiveClass::CustomAllReduce:
    case CollectiveClass::NcclAllReduce: // what a node has added up, a part for each of its ranks
        out.within = message;
        out.between = message / out.local;
        break;
    case CollectiveClass::AllGather: // every rank's part from its equals, then those of all nodes inside
        out.within = message * out.nodes;
        out.between = message;
        break;
    case CollectiveClass::AllToAll: // one hop to the equal in each node, which hands on inside
        out.within = message;
        out.between = message;
        break;
    case CollectiveClass::ExpertExchange:
        out.within = message;
        out.between = op.across.base();
        out.pairwise = true;
        break;
    case CollectiveClass::SendRecv:
        out.local = 1;
        out.between = message;
        out.pairwise = true;
        break;
    }
    return out;
}

// Hops of a small message between nodes, one after another: up and down a tree, or straight away.
double hopsBetween(CollectiveClass cls, int nodes)
{
    const auto levels = double(std::bit_width(static_cast<unsigned>(std::max(nodes, 2) - 1))); // of a tree
    if (reduces(cls))
        return 2 * levels;
    return cls == CollectiveClass::AllGather ? levels : 1;
}

bool flagsOrMeets(ExchangeProtocol protocol)
{
    return protocol == ExchangeProtocol::LlSimple || protocol == ExchangeProtocol::LlLl128Simple;
}

// A message over boxes also passes every rank of a box, once to be added up and once to be handed on. With
// flags beside each word (LL, LL128) a rank needs 0.6 us a link, with Simple 3.4 us (NCCL's
// src/graph/tuning.cc, hwLat of NVLink). Timings of this machine hold that already.
Seconds metInside(double local)
{
    constexpr Seconds ofLink{3.4e-6 - 0.6e-6};
    return ofLink * (2 * (local - 1));
}

// Of a network that nobody measured, what its hops take besides: a message passes the adapter and its host's
// proxy on either side. Published timings hold the hops of RDMA (NCCL's src/graph/tuning.cc: 2.7 us by the LL
// protocol), and a machine whose hops are longer (TCP) takes that longer; those of this machine hold its own.
Way wayBetween(const EfficiencySet& set, const Node& node, const Op& op, const Stages& stages)
{
    constexpr double ends = 2;
    const CollectiveForm& form = set.interNode[static_cast<std::size_t>(op.collective)];
    constexpr Seconds hopOfRdma{2.7e-6};
    const Source source = form.uncertainty.source;
    const Seconds held = source == Source::MeasuredHere ? node.inter.latency
        : source == Source::MeasuredPublished           ? hopOfRdma
                                                        : Seconds{};
    const Seconds hop = std::max(node.inter.latency - held, Seconds{});
    const bool meets
        = reduces(op.collective) && flagsOrMeets(form.protocol) && source != Source::MeasuredHere;
    return {.form = form,
            .cls = stages.betweenClass(op.collective),
            .link = shared(node.inter.perGpuPerDirection, form, stages.sides()),
            .ranks = stages.sides(),
            .floorBase = form.floorBase + hop * (ends * hopsBetween(op.collective, op.nodes)),
            .perHop = meets ? form.perHop + metInside(stages.local) : form.perHop};
}

// Networks that were timed are known as they are met.
double metInStep(const CollectiveForm& form)
{
    return form.uncertainty.source > Source::MeasuredPublished ? form.metInStep.base() : 0;
}

// Parts of a message are on their way over the network while others are handed on inside: the longer hides
// the shorter, but for what it takes to begin.
double bothWays(const EfficiencySet& set, const Node& node, const Op& op, const Stages& stages)
{
    const Way network = wayBetween(set, node, op, stages);
    const double between = network.seconds(stages.between);
    if (stages.local <= 1 || !std::isfinite(between))
        return between;
    const Way inside = wayInside(set, node, op.collective, stages.local);
    const auto within = [&](double message) { return insideSeconds(set, node, inside, message); };
    const double beginsBetween = network.seconds(0);
    const double beginsWithin = within(0);
    return metInStep(set.interNode[static_cast<std::size_t>(op.collective)]) + beginsBetween + beginsWithin
        + std::max(between - beginsBetween, within(stages.within) - beginsWithin);
}

} // namespace

OpTime timeCollective(const Op& op, const Node& node, const EfficiencySet& set)
{
    const Stages stages = stagesOf(op);
    const bool crosses = op.nodes > 1;
    const auto local = static_cast<int>(stages.local);
    const double seconds = crosses ? bothWays(set, node, op, stages)
        : stages.local > 1
        ? insideSeconds(set, node, wayInside(set, node, op.collective, stages.local), stages.within)
        : 0;
    const CollectiveForm& form = crosses ? set.interNode[static_cast<std::size_t>(op.collective)]
                                         : insideForm(set, node, op.collective, local);
    OpTime time;
    time.launch = form.floorBase + form.floorPerRank * double(op.ranks);
    time.link = Seconds(seconds);
    finish(time, seconds, crosses ? form.uncertainty : amongHosts(form.uncertainty, node, local));
    return time;
}

Seconds exchangeFloor(const Op& op, const Node& node)
{
    const Stages stages = stagesOf(op);
    const auto moving = [](double bytes, BytesPerSecond link) {
        return link.base() > 0 ? bytes / link.base() : std::numeric_limits<double>::infinity();
    };
    double seconds = 0;
    if (op.nodes > 1)
        seconds = moving(ring(stages.betweenClass(op.collective), stages.sides(), stages.between).bytes,
                         node.inter.perGpuPerDirection);
    if (stages.local > 1) {
        // A switch that adds up takes each rank's message once.
        const bool inSwitch = node.intra.inNetworkReduction && reduces(op.collective);
        const double bytes
            = inSwitch ? stages.within : ring(op.collective, stages.local, stages.within).bytes;
        seconds = std::max(seconds,
                           moving(bytes, linkAmong(node, static_cast<int>(stages.local)).perGpuPerDirection));
    }
    return Seconds(seconds);
}

} // namespace headroom
