#include "model/cost/step_cost.h"
#include "model/count/stored_type.h"
#include "tests/model/cost/planted.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace headroom;
using planted::World;

namespace {

const StepShape oneDecode{.decodeSequences = 1, .decodeContext = 0, .sampledRows = 1};

} // namespace

TEST_CASE(
    "a decode step of Mistral-7B on an RTX 4090 takes the time its weights need: 14.1 ms, 7.0 ms in 8 bit")
{
    World world;
    Deployment deployment = world.deployment();
    // 14.2 GB without the embedding table over 1,008 GB/s. Activations add a little.
    CHECK(StepTimer(deployment).rate(oneDecode).base() == doctest::Approx(14.1e-3).epsilon(0.005));
    // In 8 bit the head stays in 16: 6.98e9 + 0.26e9 bytes.
    deployment.weights = DType::Int8;
    CHECK(StepTimer(deployment).rate(oneDecode).base() == doctest::Approx(7.0e-3).epsilon(0.04));
}

TEST_CASE(
    "the flops of a prompt are twice the parameters that multiply it, and attention over half the square")
{
    World world;
    const double tokens = 1024;
    const StepShape prompt{.prefillTokens = tokens, .prefillSequences = 1, .sampledRows = 1};
    const double layer = 4096.0 * (4096 + 2 * 1024) + 4096.0 * 4096 + 3 * 4096.0 * 14336;
    const double weights = 2 * (32 * layer * tokens + 4096.0 * 32000);
    const double attention = 32 * 4.0 * 4096 * tokens * (tokens + 1) / 2;
    const StepCost cost = StepTimer(world.deployment()).cost(prompt);
    CHECK(cost.flops.base() == doctest::Approx(weights + attention).epsilon(1e-12));
    CHECK(cost.bound == Bound::Compute);
}

TEST_CASE("splitting over tp halves the work of each GPU and keeps the replica's flops")
{
    World world;
    const StepCost one = StepTimer(world.deployment()).cost(oneDecode);
    const StepCost two = StepTimer(world.deployment({.tp = 2})).cost(oneDecode);
    CHECK(two.flops.base() == doctest::Approx(one.flops.base()).epsilon(1e-9));
    CHECK(two.memory.base() == doctest::Approx(one.memory.base() / 2).epsilon(0.01));
    CHECK(two.link.base() > 0);
}

TEST_CASE("a step whose ranks stand in several boxes waits for the call over the network")
{
    World world;
    const Deployment wide = world.deployment({.tp = 2});
    const double inside = StepTimer(wide).rate(oneDecode).base();
    world.engine.boxesHostTime = Seconds(2e-3);
    CHECK(StepTimer(wide).rate(oneDecode).base() == doctest::Approx(inside)); // both in one box
    world.node.gpusPerNode = 1;
    const double apart = StepTimer(wide).rate(oneDecode).base();
    world.engine.boxesHostTime = {};
    CHECK(apart - StepTimer(wide).rate(oneDecode).base() == doctest::Approx(2e-3));
}

TEST_CASE(
    "the host's time is seen once a round of micro-batches, or between all of them where stages wait for "
    "it")
{
    World world;
    world.engine.stepHostTimePerSequence = Seconds(1e-4);
    const Deployment piped = world.deployment({.pp = 4});
    const StepShape step{.decodeSequences = 400, .decodeContext = 100, .sampledRows = 400};
    const double beside = StepTimer(piped).rate(step).base();
    const StepShape part{.decodeSequences = 100, .decodeContext = 100, .sampledRows = 100};
    const StagePass hidden = StepTimer(piped).pass(part);
    world.engine.pipelineWaitsForHost = true;
    // 100 sequences of a micro-batch, 10 ms of them four times instead of once.
    CHECK(StepTimer(piped).rate(step).base() == doctest::Approx(beside + 3 * 10e-3).epsilon(1e-9));
    const StagePass waiting = StepTimer(piped).pass(part);
    CHECK(hidden.host.base() == doctest::Approx(10e-3));
    CHECK(waiting.host.base() == doctest::Approx(0));
    CHECK(waiting.slowest().base() == doctest::Approx(hidden.slowest().base() + 10e-3));
    // One stage has no other micro-batch to wait for.
    CHECK(StepTimer(world.deployment()).pass(part).host.base() == doctest::Approx(10e-3));
}

TEST_CASE(
    "a controller that calls its ranks in turn needs a time for each after the first, whatever the batch")
{
    World world;
    const auto hostOf = [&](const Layout& layout) {
        return StepTimer(world.deployment(layout)).pass(oneDecode).host.base();
    };
    const double alone = hostOf({});
    const double four = hostOf({.tp = 4});
    world.engine.rankHostTime = Seconds(2e-3);
    CHECK(hostOf({}) == doctest::Approx(alone));
    CHECK(hostOf({.tp = 4}) == doctest::Approx(four + 3 * 2e-3));
    CHECK(hostOf({.tp = 2, .dp = 2}) == doctest::Approx(alone + 2e-3)); // each has a controller of its own
    world.engine.hostOverlap = 0.5;
    CHECK(hostOf({.tp = 4}) == doctest::Approx((four + 3 * 2e-3) / 2));
}

TEST_CASE("a sliding window bounds what a decode reads")
{
    World world;
    StepShape far = oneDecode;
    far.decodeContext = 100000;
    const double full = StepTimer(world.deployment()).cost(far).bytes.base();
    world.llm.kinds[0].attention().window = 4096;
    const double windowed = StepTimer(world.deployment()).cost(far).bytes.base();
    CHECK(full - windowed == doctest::Approx(32 * 2 * 1024 * 2 * (100001.0 - 4096)).epsilon(1e-9));
}

TEST_CASE("an engine whose experts take longer than the timed kernels takes that longer, and not where they "
          "were measured here")
{
    World world;
    world.llm.kinds[0].mlp
        = {.kind = MlpKind::Moe, .experts = 8, .expertsPerToken = 2, .expertIntermediate = 14336};
    const StepShape step{.decodeSequences = 4, .decodeContext = 1, .sampledRows = 4};
    const auto experts = [&] {
        const StepTimer timer(world.deployment());
        Seconds sum;
        for (const Op& op : timer.operators(step))
            if (op.name == OpName::Experts)
                sum += timer.timeOf(op).total * op.count;
        return sum.base();
    };
    const auto whole = [&] { return StepTimer(world.deployment()).rate(step).base(); };
    const double timed = experts();
    const double before = whole();
    world.engine.expertTime = 1.5;
    CHECK(experts() == doctest::Approx(1.5 * timed).epsilon(1e-12));
    CHECK(whole() == doctest::Approx(before + 0.5 * timed).epsilon(1e-12));
    for (GroupedGemmForm& form : world.efficiency.grouped)
        form.uncertainty.source = Source::MeasuredHere;
    CHECK(whole() == doctest::Approx(before).epsilon(1e-12));
}

TEST_CASE(
    "ranks that exchange tokens run the exchange's kernels for experts, or the engine's where it keeps to "
    "them")
{
    World world;
    world.llm.kinds[0].mlp
        = {.kind = MlpKind::Moe, .experts = 8, .expertsPerToken = 2, .expertIntermediate = 14336};
    const StepShape step{.decodeSequences = 64, .decodeContext = 1, .sampledRows = 64};
    const auto whole
        = [&](const Layout& layout) { return StepTimer(world.deployment(layout)).rate(step).base(); };
    const Layout exchanging{.ep = 8, .dp = 8};
    const double before = whole(exchanging);
    world.engine.expertTime = 1.5;
    CHECK(whole(exchanging) == doctest::Approx(before).epsilon(1e-12));
    world.engine.ownExchangedExperts = true;
    CHECK(whole(exchanging) > before * 1.01);
}

TEST_CASE("what a version of an engine takes for experts says nothing of those that a library unpacks")
{
    World world;
    world.llm.kinds[0].mlp
        = {.kind = MlpKind::Moe, .experts = 8, .expertsPerToken = 2, .expertIntermediate = 14336};
    const StepShape step{.decodeSequences = 64, .decodeContext = 1, .sampledRows = 64};
    const auto whole = [&](DType weights) {
        Deployment deployment = world.deployment();
        deployment.weights = weights;
        return StepTimer(deployment).rate(step).base();
    };
    const double narrow = whole(DType::Int4);
    const double plain = whole(DType::Bf16);
    world.engine.expertTime = 1.5;
    CHECK(whole(DType::Int4) > narrow * 1.01);
    world.engine.libraryUnpacksExperts = true;
    CHECK(whole(DType::Int4) == doctest::Approx(narrow).epsilon(1e-12));
    CHECK(whole(DType::Bf16) > plain * 1.01);
}

TEST_CASE("expected distinct experts decide how much of a mixture is read, fewer than by an even choice")
{
    World world;
    world.llm.kinds[0].mlp
        = {.kind = MlpKind::Moe, .experts = 8, .expertsPerToken = 2, .expertIntermediate = 14336};
    const Deployment deployment = world.deployment();
    const double expert = 3 * 4096.0 * 14336 * 2;
    for (const double batch : {1.0, 4.0, 64.0}) {
        const StepShape step{.decodeSequences = batch, .decodeContext = 1, .sampledRows = batch};
        double weights = 0;
        for (const Op& op : StepTimer(deployment).operators(step))
            if (op.name == OpName::Experts)
                weights += op.weightBytes.base() * op.count;
        const double distinct = 8 * batch / (batch + 8 / 2 - 1);
        CHECK(weights == doctest::Approx(32 * distinct * expert));
        CHECK(weights <= doctest::Approx(32 * 8 * (1 - std::pow(0.75, batch)) * expert));
    }
}

TEST_CASE("more bandwidth never slows a step, more tokens never speed it up")
{
    World world;
    world.efficiency = EfficiencySet{};
    double before = 0;
    for (double tokens = 1; tokens <= 8192; tokens *= 2) {
        const StepShape step{.prefillTokens = tokens, .prefillSequences = 1, .sampledRows = 1};
        const double now = StepTimer(world.deployment()).rate(step).base();
        CHECK(now >= before * 0.999);
        before = now;
    }
    const double slow = StepTimer(world.deployment()).rate(oneDecode).base();
    world.gpu.memoryBandwidth = world.gpu.memoryBandwidth * 2;
    CHECK(StepTimer(world.deployment()).rate(oneDecode).base() < slow);
}

TEST_CASE("the interval is a percentile pair around the value and the widest source shows")
{
    World world;
    world.efficiency = EfficiencySet{};
    const StepCost cost = StepTimer(world.deployment()).cost(oneDecode);
    CHECK(cost.rate.low < cost.rate.value);
    CHECK(cost.rate.value < cost.rate.high);
    CHECK(cost.rate.source == Source::Prior);
}

// One decode of the planted model reads 14.2 GB of weights; what its norms, rotations and activations move is
// a thousandth of that, its attention over one token nothing.
TEST_CASE("a step shows the worst source that a good part of its time has")
{
    World world;
    for (GemmForm& form : world.efficiency.gemm)
        form.uncertainty.source = Source::MeasuredPublished;
    world.efficiency.stream.uncertainty.source = Source::SameFamily;
    CHECK(StepTimer(world.deployment()).cost(oneDecode).rate.source == Source::MeasuredPublished);
    // At a ten-thousandth of the memory's speed the same moves take most of the step.
    world.efficiency.stream.memoryEfficiency = 0.0001;
    CHECK(StepTimer(world.deployment()).cost(oneDecode).rate.source == Source::SameFamily);
}

TEST_CASE("an engine's own all-reduce wants direct links: wide groups over PCIe go through NCCL")
{
    World world;
    const auto reduces = [&](int tp, LinkTopology topology) {
        world.node.intra.topology = topology;
        for (const Op& op : StepTimer(world.deployment({.tp = tp})).operators(oneDecode))
            if (op.name == OpName::AllReduce)
                return op.collective;
        FAIL("no all-reduce");
        return CollectiveClass::SendRecv;
    };
    CHECK(reduces(8, LinkTopology::Switch) == CollectiveClass::CustomAllReduce);
    CHECK(reduces(2, LinkTopology::Pcie) == CollectiveClass::CustomAllReduce);
    CHECK(reduces(4, LinkTopology::Pcie) == CollectiveClass::NcclAllReduce);
    CHECK(reduces(4, LinkTopology::Pairs) == CollectiveClass::NcclAllReduce);
}

TEST_CASE("kernels that exchange tokens want direct links: over PCIe every rank gets all tokens")
{
    World world;
    world.engine.kernels = {"any"};
    world.llm.kinds[0].mlp
        = {.kind = MlpKind::Moe, .experts = 64, .expertsPerToken = 8, .expertIntermediate = 2048};
    const auto exchanges = [&](LinkTopology topology) {
        world.node.intra.topology = topology;
        std::vector<Op> found;
        const StepShape step{.decodeSequences = 512, .decodeContext = 1, .sampledRows = 512};
        for (const Op& op : StepTimer(world.deployment({.ep = 8, .dp = 8})).operators(step))
            if (op.cls == OpClass::Collective)
                found.push_back(op);
        return found;
    };
    for (const Op& op : exchanges(LinkTopology::Switch))
        CHECK(op.collective == CollectiveClass::ExpertExchange);
    const std::vector<Op> gathered = exchanges(LinkTopology::Pcie);
    REQUIRE(gathered.size() == 2); // there and back
    for (const Op& op : gathered) {
        CHECK(op.collective == CollectiveClass::AllGather);
        CHECK(op.ranks == 8);
        CHECK(op.message.base() == doctest::Approx(64 * 4096.0 * 2)); // a rank's tokens, 16 bits
    }
    // The physical floor need not send what no expert asked for.
    world.engine.kernels.clear();
    CHECK(exchanges(LinkTopology::Pcie).front().collective == CollectiveClass::ExpertExchange);
}

TEST_CASE("latent prompts run a general kernel where a GPU has heads that the engine's own are not for")
{
    World world;
    world.llm.kinds[0].mixer = Mla{.queryHeads = 128,
                                   .qLoraRank = 1536,
                                   .kvLoraRank = 512,
                                   .qkNopeDim = 128,
                                   .qkRopeDim = 64,
                                   .valueHeadDim = 128};
    const auto general = [&](int tp) {
        const StepShape step{.prefillTokens = 64, .prefillSequences = 1, .sampledRows = 1};
        for (const Op& op : StepTimer(world.deployment({.tp = tp})).operators(step))
            if (op.name == OpName::PrefillAttention)
                return op.general;
        FAIL("no attention");
        return false;
    };
    CHECK_FALSE(general(4)); // an engine that says nothing has kernels for any number
    world.engine.latent.heads = {16, 128};
    CHECK_FALSE(general(1));
    CHECK(general(4)); // 32
    CHECK_FALSE(general(8));
}

TEST_CASE("kernels that fetch keys for each query fill up their heads unless the card's take any number")
{
    World world;
    world.llm.kinds[0].mixer = Compressed{.queryHeads = 64,
                                          .headDim = 512,
                                          .qLoraRank = 1024,
                                          .qkRopeDim = 64,
                                          .window = 128,
                                          .outGroups = 8,
                                          .outLoraRank = 1024};
    const auto heads = [&](int tp) {
        const StepShape step{.prefillTokens = 1, .prefillSequences = 1, .sampledRows = 1};
        for (const Op& op : StepTimer(world.deployment({.tp = tp})).operators(step))
            if (op.name == OpName::PrefillAttention) {
                CHECK(op.flops.base() == doctest::Approx(4 * op.queryHeads * 512)); // one query, one key
                CHECK(op.gathers == !world.engine.kernels.empty());
                return op.queryHeads;
            }
        FAIL("no attention");
        return 0.0;
    };
    CHECK(heads(8) == 8); // the physical floor
    world.engine.kernels = {"any"};
    CHECK(heads(1) == 64);
    CHECK(heads(8) == 64);
    world.gpu.computeCapability = 12.1;
    CHECK(heads(2) == 32);
    CHECK(heads(8) == 16);
}

TEST_CASE("MXFP4 weights have kernels of their own where the card has no FP4 arithmetic")
{
    World world;
    Deployment deployment = world.deployment();
    deployment.weights = DType::Mxfp4;
    deployment.compute = MathUnit::Bf16;
    CHECK(gemmClassOf(deployment, WeightPart::Expert) == GemmClass::Mxfp4);
    CHECK(unitOf(deployment, GemmClass::Mxfp4) == MathUnit::Bf16);
    deployment.compute = MathUnit::Fp4;
    CHECK(gemmClassOf(deployment, WeightPart::Expert) == GemmClass::Fp4);
}

// Mistral-7B with a module of one layer at the physical limit: it joins 2 x 4,096 numbers of each token to
// 4,096, runs a layer, and the head for the prompt's last token.
TEST_CASE("a module that drafts reads the prompt, too, before the first token: by hand")
{
    World world;
    world.llm.mtp.kinds = {0};
    constexpr double tokens = 8192;
    const StepShape prompt{.prefillTokens = tokens, .prefillSequences = 1, .sampledRows = 1};
    const auto seconds = [&](SpeculativeDecoding drafts) {
        Deployment d = world.deployment();
        d.speculative = drafts;
        return StepTimer(d).rate(prompt).base();
    };
    const SpeculativeDecoding module{.kind = SpeculativeDecoding::Kind::Mtp, .draftTokens = 3};
    const double without = seconds({});
    const double more = seconds(module) - without;
    world.llm.layers.push_back(0);
    const double layer = seconds({}) - without;
    world.llm.layers.pop_back();
    const double join = 2 * tokens * 4096 * 2 * 4096 / 165.2e12;
    const double head = 32000.0 * 4096 * 2 / 1008e9;
    CHECK(more == doctest::Approx(layer + join + head).epsilon(0.01));
    // Steps of decodes alone have the drafts' own time beside them.
    Deployment d = world.deployment();
    d.speculative = module;
    CHECK(StepTimer(d).rate(oneDecode) == StepTimer(world.deployment()).rate(oneDecode));
}
