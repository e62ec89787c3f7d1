#include "collectives.h"
#include "experts.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

using namespace headroom::twin;
using doctest::Approx;

namespace {

// Eight GPUs of 450 GB/s in a box, an adapter of 50 GB/s for each.
FabricSpec boxes(int count)
{
    return {.boxes = count,
            .gpus = 8,
            .link = 450e9,
            .linkLatency = 1e-6,
            .nics = 8,
            .nic = 50e9,
            .nicLatency = 5e-6};
}

Transfers::Outcome ended(const Transfers& transfers)
{
    const auto outcome = transfers.run();
    REQUIRE(outcome);
    return *outcome;
}

double through(const Transfers::Outcome& outcome, int port)
{
    return outcome.portBytes[static_cast<std::size_t>(port)];
}

} // namespace

TEST_CASE("a ring carries 2 (n - 1) / n of the message over each link, in so many steps")
{
    for (const int n : {2, 4, 8}) {
        FabricSpec spec = boxes(1);
        spec.gpus = n;
        const Fabric fabric(spec);
        Transfers transfers(fabric);
        constexpr double message = 64e6;
        (void)ringAllReduce(transfers, firstRanks(n), message);
        const auto outcome = ended(transfers);
        for (int rank = 0; rank < n; ++rank) {
            CHECK(through(outcome, fabric.linkOut(rank)) == Approx(2.0 * (n - 1) / n * message));
            CHECK(through(outcome, fabric.linkIn(rank)) == Approx(2.0 * (n - 1) / n * message));
        }
        CHECK(outcome.end == Approx(2 * (n - 1) * (1e-6 + message / n / 450e9)));
    }
}

TEST_CASE(
    "who adds up by itself hears from all others; a switch that adds up carries the message once each way")
{
    const Fabric fabric(boxes(1));
    constexpr double message = 8e6;
    Transfers oneShot(fabric);
    (void)oneShotAllReduce(oneShot, firstRanks(8), message);
    CHECK(through(ended(oneShot), fabric.linkIn(3)) == Approx(7 * message));
    CHECK(ended(oneShot).end == Approx(1e-6 + 7 * message / 450e9));

    Transfers inSwitch(fabric);
    (void)switchAllReduce(inSwitch, fabric, firstRanks(8), message, 16);
    CHECK(through(ended(inSwitch), fabric.linkOut(3)) == Approx(message));
    CHECK(through(ended(inSwitch), fabric.linkIn(3)) == Approx(message));
    // Sixteen pieces up, the last of them down again.
    CHECK(ended(inSwitch).end == Approx(17 * (1e-6 + message / 16 / 450e9)));
}

TEST_CASE("two trees carry the whole message from every rank but the root, up and down, and no port more "
          "than twice")
{
    const Fabric fabric(boxes(1));
    constexpr double message = 64e6;
    Transfers transfers(fabric);
    (void)treeAllReduce(transfers, firstRanks(8), message, 32);
    const auto outcome = ended(transfers);
    double all = 0;
    for (int rank = 0; rank < 8; ++rank) {
        all += through(outcome, fabric.linkOut(rank));
        CHECK(through(outcome, fabric.linkOut(rank)) <= 2 * message * (1 + 1e-9));
    }
    CHECK(all == Approx(2 * 7 * message));
    CHECK(outcome.end >= 2 * message / 450e9);
    CHECK(outcome.end <= 4 * message / 450e9);
}

TEST_CASE("over boxes each adapter carries its eighth, each link the whole ring of its box")
{
    const Fabric fabric(boxes(4));
    constexpr double message = 256e6;
    Transfers transfers(fabric);
    (void)hierarchicalAllReduce(transfers, fabric, message, 1);
    const auto outcome = ended(transfers);
    CHECK(through(outcome, fabric.nicOut(11)) == Approx(2 * 3.0 / 4 * message / 8));
    CHECK(through(outcome, fabric.linkOut(11)) == Approx(2 * 7.0 / 8 * message));
    CHECK(through(outcome, fabric.leafUp(3)) == 0); // equals meet on their rail
    const double inside = 2 * 7 * (1e-6 + message / 8 / 450e9);
    CHECK(outcome.end == Approx(inside + 2 * 3 * (5e-6 + message / 8 / 4 / 50e9)));

    Transfers gather(fabric);
    (void)hierarchicalAllGather(gather, fabric, 1e6);
    CHECK(through(ended(gather), fabric.nicIn(11)) == Approx(3 * 1e6));
    CHECK(through(ended(gather), fabric.linkIn(11)) == Approx(7 * 4 * 1e6));
    CHECK(ended(gather).end == Approx(3 * (5e-6 + 1e6 / 50e9) + 7 * (1e-6 + 4e6 / 450e9)));
}

TEST_CASE(
    "in pieces the parts of an exchange over boxes overlap: the slower of links and adapters sets the pace")
{
    const Fabric fabric(boxes(2));
    constexpr double message = 1e9;
    Transfers transfers(fabric);
    (void)hierarchicalAllReduce(transfers, fabric, message, 32);
    const auto outcome = ended(transfers);
    CHECK(through(outcome, fabric.nicOut(3)) == Approx(message / 8));
    CHECK(through(outcome, fabric.linkOut(3)) == Approx(2 * 7.0 / 8 * message));
    const double inside = 2 * 7.0 / 8 * message / 450e9;
    const double between = message / 8 / 50e9;
    CHECK(outcome.end > std::max(inside, between));
    CHECK(outcome.end < 1.25 * std::max(inside, between));

    Transfers rings(fabric);
    (void)railRingsAllReduce(rings, fabric, message);
    CHECK(through(ended(rings), fabric.nicOut(3)) == Approx(2 * 15.0 / 16 * message / 8));
    CHECK(through(ended(rings), fabric.linkOut(3)) == Approx(2 * 15.0 / 16 * message * 7 / 8));
    CHECK(ended(rings).end == Approx(2 * 15.0 / 16 * message / 8 / 50e9).epsilon(0.1));
}

// nccl-tests on two A3 Mega boxes (8 H100, eight adapters of 200 Gb/s each), all-reduce of 8,589,934,592
// bytes: 47,535 us, bus bandwidth 338.82 GB/s. Rings through all GPUs would need 1.875 x 8.6 GB / 8 over 25
// GB/s each: what is measured is the exchange of eighths between boxes, and the links' work beside it, not
// after it.
TEST_CASE("eight gigabytes over two boxes of A3 Mega take the time that was measured")
{
    FabricSpec spec = boxes(2);
    spec.nic = 25e9;
    const Fabric fabric(spec);
    constexpr double message = 8589934592.0;
    constexpr double measured = 47.535e-3;
    Transfers pieces(fabric);
    (void)hierarchicalAllReduce(pieces, fabric, message, 32);
    CHECK(ended(pieces).end == Approx(measured).epsilon(0.1));
    Transfers oneAfterTheOther(fabric);
    (void)hierarchicalAllReduce(oneAfterTheOther, fabric, message, 1);
    CHECK(ended(oneAfterTheOther).end > 1.5 * measured);
    Transfers rings(fabric);
    (void)railRingsAllReduce(rings, fabric, message);
    CHECK(ended(rings).end > 1.5 * measured);
}

TEST_CASE("a message without a way is refused, not free")
{
    FabricSpec spec = boxes(2);
    spec.nics = 0;
    const Fabric fabric(spec);
    Transfers apart(fabric);
    apart.send(0, 8, 1e6);
    CHECK(!apart.run());
    Transfers within(fabric);
    within.send(0, 7, 1e6);
    CHECK(within.run());
}

TEST_CASE("wires of a mesh are a share of a GPU's rate, bridges join two, the rest goes over the bus")
{
    FabricSpec spec = boxes(1);
    spec.inside = FabricSpec::Inside::Mesh;
    const Fabric mesh(spec);
    Transfers pair(mesh);
    pair.send(0, 5, 7e6);
    CHECK(ended(pair).end == Approx(1e-6 + 7e6 / (450e9 / 7)));

    spec.inside = FabricSpec::Inside::Pairs;
    spec.bus = 20e9;
    const Fabric pairs(spec);
    Transfers bridged(pairs);
    bridged.send(2, 3, 1e6);
    CHECK(ended(bridged).end == Approx(1e-6 + 1e6 / 450e9));
    Transfers apart(pairs);
    apart.send(1, 2, 1e6);
    CHECK(ended(apart).end == Approx(1e-6 + 1e6 / 20e9));
}

TEST_CASE("what crosses rails passes the leaves' ways up, which oversubscription narrows")
{
    // Every GPU of box 0 sends to the next place of box 1: eight flows of 50 GB/s over eight leaves.
    for (const double oversubscription : {1.0, 2.0, 4.0}) {
        FabricSpec spec = boxes(2);
        spec.oversubscription = oversubscription;
        const Fabric fabric(spec);
        Transfers transfers(fabric);
        for (int local = 0; local < 8; ++local)
            transfers.send(local, 8 + (local + 1) % 8, 1e9);
        const auto outcome = ended(transfers);
        CHECK(through(outcome, fabric.leafUp(2)) == Approx(1e9));
        // A leaf passes up 2 x 50 GB/s over the oversubscription; one flow uses at most half of it.
        CHECK(outcome.end == Approx(5e-6 + 1e9 / std::min(50e9, 100e9 / oversubscription)));
    }
}

TEST_CASE("messages share a port evenly and leave nothing unused")
{
    const Fabric fabric(boxes(1));
    Transfers transfers(fabric);
    // Three into GPU 0, and GPU 1 sends to GPU 5 besides: GPU 1's second gets what the first leaves.
    const int shared = transfers.send(1, 0, 150e9);
    transfers.send(2, 0, 150e9);
    transfers.send(3, 0, 150e9);
    const int besides = transfers.send(1, 5, 300e9);
    const auto outcome = ended(transfers);
    CHECK(outcome.arrival[static_cast<std::size_t>(shared)] == Approx(1).epsilon(1e-5));
    CHECK(outcome.arrival[static_cast<std::size_t>(besides)] == Approx(1).epsilon(1e-5));
}

TEST_CASE("tokens reach experts over the ways each dispatch takes: bytes on adapters and links by hand")
{
    const Fabric fabric(boxes(2));
    // One token at rank 1, experts on ranks 1 (home), 3, 9, 12 and twice on 14.
    Routing targets(16);
    targets[1] = {{1, 3, 9, 12, 14, 14}};
    constexpr double token = 7168;
    const auto dispatched = [&](Dispatch kind) {
        Transfers transfers(fabric);
        dispatch(transfers, fabric, targets, token, kind);
        return ended(transfers);
    };
    const auto normal = dispatched(Dispatch::DeepEpNormal); // once to rank 9, whence to 12 and 14
    CHECK(through(normal, fabric.nicOut(1)) == token);
    CHECK(through(normal, fabric.nicIn(9)) == token);
    CHECK(through(normal, fabric.linkOut(1)) == token);
    CHECK(through(normal, fabric.linkOut(9)) == 2 * token);
    CHECK(through(normal, fabric.linkIn(14)) == token);

    const auto lowLatency = dispatched(Dispatch::DeepEpLowLatency); // 3, 9, 12, 14, 14; not to itself
    CHECK(through(lowLatency, fabric.nicOut(1)) == 5 * token);
    CHECK(through(lowLatency, fabric.nicIn(14)) == 2 * token);
    CHECK(through(lowLatency, fabric.linkOut(1)) == 0);

    FabricSpec wide = boxes(1);
    wide.gpus = 16;
    const Fabric domain(wide);
    Transfers transfers(domain);
    dispatch(transfers, domain, targets, token, Dispatch::Domain); // 3, 9, 12, 14
    CHECK(through(ended(transfers), domain.linkOut(1)) == 4 * token);

    const auto gathered = dispatched(Dispatch::GatherScatter); // to everybody else
    CHECK(through(gathered, fabric.linkOut(1)) == 7 * token);
    CHECK(through(gathered, fabric.nicOut(1)) == 8 * token);
}

TEST_CASE("of eight experts of 256 on four boxes a token of a fifth box meets all but a few boxes")
{
    // A box is missed by all eight choices with chance C(192, 8) / C(256, 8).
    constexpr int tokens = 2000;
    const Routing routing = routed(evenPopularity(256), 8, tokens, 1, 7);
    const Routing targets = ranksOf(routing, inOrder(256, 32));
    double boxesMet = 0;
    for (const std::vector<int>& token : targets[0]) {
        std::set<int> met;
        for (const int rank : token)
            met.insert(rank / 8);
        boxesMet += static_cast<double>(met.size()) / tokens;
    }
    double missed = 1;
    for (int i = 0; i < 8; ++i)
        missed *= (192.0 - i) / (256.0 - i);
    CHECK(boxesMet == Approx(4 * (1 - missed)).epsilon(0.01));
}

TEST_CASE("skewed routing loads ranks unevenly; copies of popular experts and placement even it out")
{
    const std::vector<double> popularity = skewedPopularity(256, 3);
    const Routing routing = routed(popularity, 8, 512, 32, 5);
    const auto imbalanceWith
        = [&](const Placement& placement) { return imbalance(rowsOf(ranksOf(routing, placement), 32)); };
    const double plain = imbalanceWith(inOrder(256, 32));
    const double placed = imbalanceWith(balanced(popularity, 0, 32));
    const double copied = imbalanceWith(balanced(popularity, 32, 32));
    CHECK(plain > 1.3);
    CHECK(placed < plain);
    CHECK(copied <= placed);
    CHECK(copied < 1.1);
    const Routing even = routed(evenPopularity(256), 8, 512, 32, 5);
    CHECK(imbalance(rowsOf(ranksOf(even, inOrder(256, 32)), 32)) < 1.06);
    // 256 experts and 32 copies on 72 ranks: four places each, all filled.
    const Placement odd = balanced(popularity, 32, 72);
    CHECK(
        std::all_of(odd.places.begin(), odd.places.end(), [](const auto& held) { return held.size() == 4; }));
}

TEST_CASE("a narrower or slower network never helps")
{
    const auto took = [](double nic, double latency, double oversubscription) {
        FabricSpec spec = boxes(2);
        spec.nic = nic;
        spec.nicLatency = latency;
        spec.oversubscription = oversubscription;
        const Fabric fabric(spec);
        Transfers transfers(fabric);
        const Routing targets = ranksOf(routed(skewedPopularity(64, 1), 4, 32, 16, 2), inOrder(64, 16));
        dispatch(transfers, fabric, targets, 7168, Dispatch::DeepEpLowLatency);
        return ended(transfers).end;
    };
    const double usual = took(50e9, 5e-6, 1);
    CHECK(took(25e9, 5e-6, 1) > usual);
    CHECK(took(50e9, 20e-6, 1) > usual);
    CHECK(took(50e9, 5e-6, 8) >= usual);
    CHECK(took(100e9, 5e-6, 1) < usual);
}
