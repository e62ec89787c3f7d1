#include "model/cost/forms.h"
#include "model/count/op_work.h"
#include "model/efficiency/form_slot.h"
#include "tests/model/cost/planted.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace headroom;

TEST_CASE("a large all-reduce moves 2 (w-1) / w of its message over the link")
{
    const Node node = planted::box();
    const EfficiencySet set = planted::limit();
    const Op op{.cls = OpClass::Collective,
                .collective = CollectiveClass::NcclAllReduce,
                .ranks = 8,
                .message = Bytes(1e9)};
    CHECK(timeOp(op, planted::rtx4090(), node, set).total.base()
          == doctest::Approx(2 * 7 / 8.0 * 1e9 / 450e9));
}

TEST_CASE("an exchange flags its words while it is small, and meets first when it is large")
{
    const Node node = planted::box();
    EfficiencySet set = planted::limit();
    CollectiveForm& form = set.intraNode[static_cast<std::size_t>(CollectiveClass::AllGather)];
    form.floorBase = Seconds(5e-6);
    form.perHop = Seconds(10e-6);
    form.protocol = ExchangeProtocol::LlSimple;
    form.oneShotEfficiency = 0.1;
    const auto seconds = [&](double bytes) {
        const Op op{.cls = OpClass::Collective,
                    .collective = CollectiveClass::AllGather,
                    .ranks = 8,
                    .message = Bytes(bytes)};
        return timeOp(op, planted::rtx4090(), node, set).total.base();
    };
    CHECK(seconds(1e4) == doctest::Approx(5e-6 + 7e4 / 45e9));
    CHECK(seconds(1e8) == doctest::Approx(15e-6 + 7e8 / 450e9));
}

TEST_CASE("what an exchange hands to a third way takes that where it is faster")
{
    const Node node = planted::box();
    EfficiencySet set = planted::limit();
    const auto seconds = [&](CollectiveClass cls, double bytes) {
        const Op op{.cls = OpClass::Collective, .collective = cls, .ranks = 8, .message = Bytes(bytes)};
        return timeOp(op, planted::rtx4090(), node, set).total.base();
    };
    for (const CollectiveClass cls : {CollectiveClass::CustomAllReduce, CollectiveClass::NcclAllReduce}) {
        CollectiveForm& form = set.intraNode[static_cast<std::size_t>(cls)];
        form.floorBase = Seconds(5e-6);
        form.perHop = Seconds(40e-6);
        form.protocol = cls == CollectiveClass::CustomAllReduce ? ExchangeProtocol::OneShotOrThird
                                                                : ExchangeProtocol::LlLl128Simple;
        form.oneShotEfficiency = 0.1;
        form.handedStart = Seconds(12e-6);
        form.handedEfficiency = 0.4;
    }
    // Shot whole to seven others, or added up on the way.
    CHECK(seconds(CollectiveClass::CustomAllReduce, 1e4) == doctest::Approx(5e-6 + 7e4 / 45e9));
    CHECK(seconds(CollectiveClass::CustomAllReduce, 1e7) == doctest::Approx(17e-6 + 1e7 / 180e9));
    // Round the ring each way: with flags, with one for many words, after the ranks have met.
    CHECK(seconds(CollectiveClass::NcclAllReduce, 1e4) == doctest::Approx(5e-6 + 1.75e4 / 45e9));
    CHECK(seconds(CollectiveClass::NcclAllReduce, 1e6) == doctest::Approx(17e-6 + 1.75e6 / 180e9));
    CHECK(seconds(CollectiveClass::NcclAllReduce, 1e8) == doctest::Approx(45e-6 + 1.75e8 / 450e9));
    // A kernel that hands on from a size on does so whatever that costs.
    set.intraNode[static_cast<std::size_t>(CollectiveClass::CustomAllReduce)].handedFrom = 1e6;
    CHECK(seconds(CollectiveClass::CustomAllReduce, 0.99e6)
          == doctest::Approx(5e-6 + std::min(7 * 0.99e6 / 45e9, 14 * 40e-6 + 1.75 * 0.99e6 / 450e9)));
    CHECK(seconds(CollectiveClass::CustomAllReduce, 1e6) == doctest::Approx(17e-6 + 1e6 / 180e9));
}

TEST_CASE("a message in its best segments takes the square of the sum of roots")
{
    const Node node = planted::box();
    EfficiencySet set = planted::limit();
    CollectiveForm& form = set.intraNode[static_cast<std::size_t>(CollectiveClass::AllGather)];
    form.perHop = Seconds(1e-6);
    form.pipelined = 1;
    const Op op{.cls = OpClass::Collective,
                .collective = CollectiveClass::AllGather,
                .ranks = 8,
                .message = Bytes(1e6)};
    const double hops = 7e-6;
    const double wire = 7 * 1e6 / 450e9;
    const double roots = std::sqrt(hops) + std::sqrt(wire);
    CHECK(timeOp(op, planted::rtx4090(), node, set).total.base() == doctest::Approx(roots * roots));
}

TEST_CASE("cards that share bridges get the less of their links the more of them exchange")
{
    const Node node = planted::box();
    EfficiencySet set = planted::limit();
    CollectiveForm& form = set.intraNode[static_cast<std::size_t>(CollectiveClass::AllGather)];
    const auto rate = [&](int ranks) {
        const Op op{.cls = OpClass::Collective,
                    .collective = CollectiveClass::AllGather,
                    .ranks = ranks,
                    .message = Bytes(1e9)};
        return (ranks - 1) * 1e9 / timeOp(op, planted::rtx4090(), node, set).total.base();
    };
    const double full = rate(2);
    CHECK(rate(8) == doctest::Approx(full).epsilon(1e-3));
    form.sharing = 0.5;
    CHECK(rate(2) == doctest::Approx(full).epsilon(1e-3));
    CHECK(rate(8) == doctest::Approx(full / 2).epsilon(1e-3));
}

TEST_CASE("over PCIe the curves of another link say nothing, those of the card itself do")
{
    Node node = planted::box();
    node.intra.topology = LinkTopology::Pcie;
    node.intra.perGpuPerDirection = BytesPerSecond(31e9);
    EfficiencySet set = planted::limit();
    const Op op{.cls = OpClass::Collective,
                .collective = CollectiveClass::NcclAllReduce,
                .ranks = 4,
                .message = Bytes(1e9)};
    // The ring puts 2 x 3/4 of the message on each link.
    const double alone = 1.5 * 1e9 / 31e9;
    const auto seconds = [&] { return timeOp(op, planted::rtx4090(), node, set).total.base(); };
    CHECK(seconds() == doctest::Approx(alone));
    for (CollectiveForm& form : set.intraNode)
        form.uncertainty.source = Source::SameFamily;
    const double reached = alone / seconds();
    // Published: 0.43 among eight cards, 0.65 between two, 0.76 among four.
    CHECK(reached > 0.43);
    CHECK(reached < 0.76);
    // A bridge is another link: two cards keep its curves, four meet over the bus.
    node.intra.topology = LinkTopology::Pairs;
    node.host = {.topology = LinkTopology::Pcie, .perGpuPerDirection = BytesPerSecond(31e9)};
    CHECK(alone / seconds() == doctest::Approx(reached));
    Op pair = op;
    pair.ranks = 2;
    CHECK(timeOp(pair, planted::rtx4090(), node, set).total.base() == doctest::Approx(1e9 / 31e9));
}

TEST_CASE("an engine's own exchange leaves large messages and many ranks to NCCL")
{
    const Node node = planted::box();
    EfficiencySet set = planted::limit();
    CollectiveForm& own = set.intraNode[static_cast<std::size_t>(CollectiveClass::CustomAllReduce)];
    CollectiveForm& nccl = set.intraNode[static_cast<std::size_t>(CollectiveClass::NcclAllReduce)];
    own.linkEfficiency = 0.5;
    nccl.floorBase = Seconds(20e-6);
    const auto seconds = [&](CollectiveClass cls, int ranks, double bytes) {
        const Op op{.cls = OpClass::Collective, .collective = cls, .ranks = ranks, .message = Bytes(bytes)};
        return timeOp(op, planted::rtx4090(), node, set).total.base();
    };
    const double small = seconds(CollectiveClass::CustomAllReduce, 4, 1e5);
    own.ncclFrom = 1e6;
    CHECK(seconds(CollectiveClass::CustomAllReduce, 4, 1e5) == doctest::Approx(small));
    CHECK(seconds(CollectiveClass::CustomAllReduce, 4, 1e6)
          == doctest::Approx(seconds(CollectiveClass::NcclAllReduce, 4, 1e6)));
    own.ncclBeyond = 2;
    CHECK(seconds(CollectiveClass::CustomAllReduce, 4, 1e5)
          == doctest::Approx(seconds(CollectiveClass::NcclAllReduce, 4, 1e5)));
    CHECK(seconds(CollectiveClass::CustomAllReduce, 2, 1e5)
          < 0.5 * seconds(CollectiveClass::NcclAllReduce, 2, 1e5));
}

TEST_CASE("ranks need not meet for what is smaller than a size")
{
    const Node node = planted::box();
    EfficiencySet set = planted::limit();
    CollectiveForm& form = set.intraNode[static_cast<std::size_t>(CollectiveClass::CustomAllReduce)];
    form.floorBase = Seconds(4e-6);
    form.floorPerRank = Seconds(1e-6);
    form.protocol = ExchangeProtocol::OneShot;
    form.oneShotEfficiency = 1;
    form.meetFrom = 8192;
    const auto seconds = [&](double bytes) {
        const Op op{.cls = OpClass::Collective,
                    .collective = CollectiveClass::CustomAllReduce,
                    .ranks = 8,
                    .message = Bytes(bytes)};
        return timeOp(op, planted::rtx4090(), node, set).total.base();
    };
    CHECK(seconds(4096) == doctest::Approx(4e-6 + 1.75 * 4096 / 450e9));
    CHECK(seconds(8192) == doctest::Approx(12e-6 + 1.75 * 8192 / 450e9));
}

namespace {

double overNodes(CollectiveClass cls, int ranks, int nodes, double message, const Node& node)
{
    const Op op{.cls = OpClass::Collective,
                .collective = cls,
                .ranks = ranks,
                .nodes = nodes,
                .message = Bytes(message)};
    return timeOp(op, planted::rtx4090(), node, planted::limit()).total.base();
}

} // namespace

// Sixteen GPUs in two boxes, 450 GB/s inside and 50 GB/s between; then a network as wide as the links. Parts
// that follow one another take as long as the slower of both ways.
TEST_CASE("an exchange over boxes puts each byte on each link once")
{
    Node node = planted::box();
    // Half of what a rank sends goes to the other box, seven eighths of that on to its neighbours.
    CHECK(overNodes(CollectiveClass::AllToAll, 16, 2, 64e6, node) == doctest::Approx(32e6 / 50e9));
    // Each rank's part comes over the network once, then those of both boxes from seven neighbours.
    CHECK(overNodes(CollectiveClass::AllGather, 16, 2, 1e6, node) == doctest::Approx(7 * 2e6 / 450e9));
    // Added up inside, an eighth for each rank over the network, and given out inside.
    CHECK(overNodes(CollectiveClass::NcclAllReduce, 16, 2, 64e6, node)
          == doctest::Approx(2 * 7 / 8.0 * 64e6 / 450e9));
    node.intra.perGpuPerDirection = BytesPerSecond(1e15);
    CHECK(overNodes(CollectiveClass::AllGather, 16, 2, 1e6, node)
          == doctest::Approx(1e6 / 50e9).epsilon(0.001));
    CHECK(overNodes(CollectiveClass::NcclAllReduce, 16, 2, 64e6, node)
          == doctest::Approx(2 * 0.5 * 8e6 / 50e9).epsilon(0.001));
}

TEST_CASE("ranks of several boxes meet in an all-reduce 50 us later than in a loop of them unless timed")
{
    const auto seconds = [](CollectiveClass cls, int ranks, Source source) {
        EfficiencySet set = planted::limit();
        CollectiveForm& form = set.interNode[static_cast<std::size_t>(cls)];
        form.metInStep = EfficiencySet{}.interNode[static_cast<std::size_t>(cls)].metInStep;
        form.uncertainty.source = source;
        const Op op{.cls = OpClass::Collective,
                    .collective = cls,
                    .ranks = ranks,
                    .nodes = 2,
                    .message = Bytes(8192)};
        return timeOp(op, planted::rtx4090(), planted::box(), set).total.base();
    };
    const auto later = [&](CollectiveClass cls, int ranks) {
        return (seconds(cls, ranks, Source::Prior) - seconds(cls, ranks, Source::MeasuredHere)) * 1e6;
    };
    CHECK(later(CollectiveClass::NcclAllReduce, 16) == doctest::Approx(50));
    CHECK(later(CollectiveClass::NcclAllReduce, 2) == doctest::Approx(0)); // one card in each
    CHECK(later(CollectiveClass::AllGather, 16) == doctest::Approx(0));
}

// Up and down the tree of two boxes, out of one end and into the other each time: four hops.
TEST_CASE("published timings hold the hops of RDMA, and a network of longer ones takes that longer")
{
    const auto seconds = [](double hop, Source source) {
        EfficiencySet set = planted::limit();
        set.interNode[static_cast<std::size_t>(CollectiveClass::NcclAllReduce)].uncertainty.source = source;
        Node node = planted::box();
        node.inter.latency = Seconds(hop);
        const Op op{.cls = OpClass::Collective,
                    .collective = CollectiveClass::NcclAllReduce,
                    .ranks = 2,
                    .nodes = 2,
                    .message = Bytes(0)};
        return timeOp(op, planted::rtx4090(), node, set).total.base() * 1e6;
    };
    const auto longer = [&](double hop, Source source) { return seconds(hop, source) - seconds(0, source); };
    CHECK(longer(62.7e-6, Source::MeasuredPublished) == doctest::Approx(4 * 60));
    CHECK(longer(2.7e-6, Source::MeasuredPublished) == doctest::Approx(0));
    CHECK(longer(62.7e-6, Source::MeasuredHere) == doctest::Approx(0));
    CHECK(longer(62.7e-6, Source::Prior) == doctest::Approx(4 * 62.7));
}

TEST_CASE("inside a box, an exchange over boxes takes the link that the ranks there have")
{
    Node node = planted::box();
    node.gpusPerNode = 4;
    node.intra.topology = LinkTopology::Pairs; // bridges of two; four meet over the host's bus
    node.host.perGpuPerDirection = BytesPerSecond(25e9);
    CHECK(overNodes(CollectiveClass::AllToAll, 8, 2, 64e6, node) == doctest::Approx(48e6 / 25e9));
}

TEST_CASE("tokens go once to each box and on from there, or every copy goes straight: bytes by hand")
{
    ExpertExchange exchange{.rows = 128, .chosen = 8, .rowBytes = 7168, .ranks = 32, .nodes = 4};
    const double tokens = 128 * 7168;
    const double boxes = 4 * (1 - std::pow(0.75, 8)); // of four that a token meets
    const double ranks = 32 * (1 - std::pow(31 / 32.0, 8));
    Op op = expertExchangeOp(exchange);
    CHECK(op.across.base() == doctest::Approx(tokens * boxes * 0.75)); // its own box needs no network
    CHECK(op.message.base() == doctest::Approx(tokens * ranks));
    CHECK(floorOf(op, planted::rtx4090(), planted::box()).base()
          == doctest::Approx(tokens * boxes * 0.75 / 50e9));
    exchange.straight = true;
    op = expertExchangeOp(exchange);
    CHECK(op.across.base() == doctest::Approx(tokens * 8 * 0.75));
    CHECK(op.message.base() == doctest::Approx(tokens * 8 * 0.25));
    CHECK(timeOp(op, planted::rtx4090(), planted::box(), planted::limit()).total.base()
          == doctest::Approx(tokens * 8 * 0.75 / 50e9));
}

TEST_CASE("a token that chooses from half of the groups of experts goes to fewer boxes: by hand")
{
    // DeepSeek-V3: 8 experts from 4 of 8 groups. Two groups on each of four boxes: of the 70 choices of
    // groups 15 have none of a box's two, 40 one and 15 both, which share the 8 experts with the other chosen
    // groups.
    ExpertExchange exchange{
        .rows = 100, .chosen = 8, .groups = 8, .groupsChosen = 4, .rowBytes = 1000, .ranks = 32, .nodes = 4};
    const double boxes = 4 * (1 - (15 + 40 * std::pow(0.75, 8) + 15 * std::pow(0.5, 8)) / 70);
    CHECK(expertExchangeOp(exchange).across.base() == doctest::Approx(1e5 * boxes * 0.75));
    CHECK(expertExchangeOp(exchange).message.base()
          == doctest::Approx(1e5 * 16 * (1 - std::pow(15 / 16.0, 8))));
    exchange.nodes = 8; // a group on each: never more than four boxes
    CHECK(expertExchangeOp(exchange).across.base()
          == doctest::Approx(1e5 * 4 * (1 - std::pow(0.75, 8)) * 7 / 8));
    exchange.straight = true; // every copy by itself
    CHECK(expertExchangeOp(exchange).across.base() == doctest::Approx(1e5 * 8 * 7 / 8));
}

// What nobody measured on a network is as DeepEP's README has it for H800 (128 tokens of 7,168, 8 experts
// each; there in 8 bits, back in 16), as TensorRT-LLM's tech blog 18 for GB200 and as nccl-tests on two DGX
// Spark.
TEST_CASE("published: exchanges over boxes and over one domain of NVLink")
{
    const EfficiencySet unmeasured;
    Node h800 = planted::box();
    h800.intra.perGpuPerDirection = BytesPerSecond(200e9);
    h800.inter.latency = Seconds(2.7e-6);
    const auto seconds = [&](double rows, double rowBytes, int ranks, int nodes, const Node& node) {
        return timeOp(expertExchangeOp({.rows = rows,
                                        .chosen = 8,
                                        .rowBytes = rowBytes,
                                        .ranks = ranks,
                                        .nodes = nodes,
                                        .straight = rows <= 128}),
                      planted::rtx4090(), node, unmeasured)
            .total.base();
    };
    for (const auto& [ranks, there, back] :
         {std::tuple(16, 118e-6, 195e-6), std::tuple(32, 155e-6, 273e-6), std::tuple(64, 173e-6, 314e-6),
          std::tuple(128, 192e-6, 369e-6)}) {
        CAPTURE(ranks);
        CHECK(seconds(128, 7168, ranks, ranks / 8, h800) == doctest::Approx(there).epsilon(0.15));
        CHECK(seconds(128, 14336, ranks, ranks / 8, h800) == doctest::Approx(back).epsilon(0.15));
    }
    Node gb200 = planted::box();
    gb200.intra.perGpuPerDirection = BytesPerSecond(900e9);
    // A perfect router: eight ranks of 64. Dispatching and combining together.
    for (const auto& [rows, both] : {std::pair(16.0, 20.6e-6 + 35e-6), std::pair(256.0, 65.3e-6 + 62.9e-6),
                                     std::pair(2048.0, 399.2e-6 + 372.1e-6)})
        CHECK(2 * seconds(rows, 14336, 64, 1, gb200) == doctest::Approx(both).epsilon(0.15));
    Node spark = planted::box();
    spark.gpusPerNode = 1;
    spark.inter.perGpuPerDirection = BytesPerSecond(25e9);
    spark.inter.latency = Seconds(2.7e-6);
    for (const auto& [bytes, measured] :
         {std::pair(8192, 35.15e-6), std::pair(16384, 31.67e-6), std::pair(32768, 39.56e-6)})
        CHECK(timeOp(collectiveOp(OpName::AllReduce, CollectiveClass::NcclAllReduce, bytes, 2, 2),
                     planted::rtx4090(), spark, unmeasured)
                  .total.base()
              == doctest::Approx(measured).epsilon(0.15));
}

TEST_CASE("a link that is not there is no way for anything")
{
    Node node = planted::box();
    node.inter = {};
    CHECK(std::isinf(overNodes(CollectiveClass::NcclAllReduce, 16, 2, 64e6, node)));
    CHECK(std::isinf(overNodes(CollectiveClass::SendRecv, 2, 2, 64e6, node)));
}

// nccl-tests on two boxes of eight H20 with an adapter of 400 Gb/s each (NVIDIA/nccl issue 1244): 8 MB in 147
// us and 16 MB in 203, of which an engine's step takes 50 more.
TEST_CASE("ranks of a box meet one after the other where a message over boxes goes without flags: published, "
          "by hand")
{
    Node h20 = planted::box();
    h20.inter.latency = Seconds(2.7e-6);
    const EfficiencySet unmeasured;
    const auto step = [&](EfficiencySet set, int ranks, double bytes, Source source) {
        set.interNode[static_cast<std::size_t>(CollectiveClass::NcclAllReduce)].uncertainty.source = source;
        return timeOp(collectiveOp(OpName::AllReduce, CollectiveClass::NcclAllReduce, bytes, ranks, 2),
                      planted::rtx4090(), h20, set)
                   .total.base()
            * 1e6;
    };
    CHECK(step(unmeasured, 16, 8 << 20, Source::Prior) - 50 == doctest::Approx(147).epsilon(0.2));
    CHECK(step(unmeasured, 16, 16 << 20, Source::Prior) - 50 == doctest::Approx(203).epsilon(0.2));
    // Seven links in and seven out again, 2.8 us more on each than with a flag in every word.
    EfficiencySet meeting = planted::limit();
    CollectiveForm& form = meeting.interNode[static_cast<std::size_t>(CollectiveClass::NcclAllReduce)];
    form.protocol = ExchangeProtocol::LlSimple;
    form.oneShotEfficiency = 0.01;
    h20.inter.latency = Seconds(0);
    const auto later = [&](int ranks) {
        return step(meeting, ranks, 64e6, Source::Prior) - step(meeting, ranks, 64e6, Source::MeasuredHere);
    };
    h20.intra.perGpuPerDirection = BytesPerSecond(1e15);
    CHECK(later(16) == doctest::Approx(14 * 2.8));
    CHECK(later(2) == doctest::Approx(0)); // one card in each box
}
