#include "model/cost/launches.h"
#include "model/cost/step_cost.h"
#include "tests/model/cost/planted.h"

#include <doctest/doctest.h>

using namespace headroom;
using planted::World;

namespace {

constexpr Op product{.name = OpName::GateUp, .cls = OpClass::Gemm, .unit = MathUnit::Bf16};

Seconds promptTime(const World& world, double tokens)
{
    return StepTimer(world.deployment())
        .rate({.prefillTokens = tokens, .prefillSequences = 1, .sampledRows = 1});
}

} // namespace

TEST_CASE("a product in 8 bits is launched with the kernel that narrows its input, one in 16 by itself")
{
    Op narrow = product;
    narrow.unit = MathUnit::Fp8;
    CHECK(launchesOf(product) == 1);
    CHECK(launchesOf(narrow) == 2);
}

TEST_CASE("experts take more launches than the three products of a dense layer and its activation")
{
    const Op experts{.name = OpName::Experts, .cls = OpClass::GroupedGemm, .unit = MathUnit::Bf16};
    CHECK(launchesOf(experts) > 3);
    Op ordered = experts;
    ordered.ordering = 10;
    CHECK(launchesOf(ordered) == launchesOf(experts) + 10);
}

TEST_CASE("a step that nothing compiles launches copies, gates and sums besides")
{
    World world;
    LayerKind& kind = world.llm.kinds.front();
    std::get<Attention>(kind.mixer).qkNorm = QkNorm::PerHead;
    std::get<Attention>(kind.mixer).outputGate = true;
    const auto prompt = [&] { return promptTime(world, 16).base(); };
    world.engine.eagerLaunch = Seconds(1e-3);
    const double compiled = prompt();
    CHECK(compiled == doctest::Approx((32 * 10 + 7) * 1e-3).epsilon(1e-9));
    // Two norms; queries and gate put apart, the gate's sigmoid, its product: six.
    world.engine.graphs = false;
    CHECK(prompt() - compiled == doctest::Approx(32 * 6 * 1e-3).epsilon(1e-9));
    // Instead of it the gated delta rule: two norms, its input, eight of a prompt, its output, and six
    // besides, where attention has its input, two of rotation, itself and its output: 16 and 11 + 6.
    const double gated = prompt();
    kind.mixer = DeltaNet{.keyHeads = 16, .valueHeads = 32, .keyDim = 128, .valueDim = 128, .convKernel = 4};
    CHECK(prompt() - gated
          == doctest::Approx(32 * (1 + 8 + 1 + 6 - (1 + 2 + 1 + 1 + 6)) * 1e-3).epsilon(1e-9));
}

TEST_CASE("keys of a latent are put together before a prompt attends, those of wide heads are as they are")
{
    Op attend{.name = OpName::PrefillAttention,
              .cls = OpClass::PrefillAttention,
              .queryHeads = 16,
              .kvHeads = 16,
              .headDim = 256};
    CHECK(launchesOf(attend) == 1);
    attend.cls = OpClass::PrefillMla;
    CHECK(launchesOf(attend) == 3);
}

TEST_CASE(
    "a short prompt of Mistral-7B lasts as long as its kernels take to launch, a long one does not notice")
{
    World world;
    const double tokens = 16;
    const Seconds bare = promptTime(world, tokens);
    // Each of the 32 layers: two norms, qkv, rotation and writing, attention, output, gate and up,
    // activation, down: ten. Beside them the embedding, the last norm, the head and four kernels of sampling.
    const double kernels = 32 * 10 + 1 + 1 + 1 + 4;
    world.engine.eagerLaunch = Seconds(1e-3);
    CHECK(promptTime(world, tokens).base() == doctest::Approx(kernels * 1e-3).epsilon(1e-9));
    world.engine.eagerLaunch = Seconds(1e-9);
    CHECK(promptTime(world, tokens) == bare);
}

TEST_CASE(
    "what passes between kernels grows with a model's layers, in a graph as well, and is timed with them")
{
    World world;
    const auto decode = [&] {
        return StepTimer(world.deployment())
            .rate({.decodeSequences = 1, .decodeContext = 100, .sampledRows = 1})
            .base();
    };
    const double deep = decode();
    const Seconds prompt = promptTime(world, 16);
    world.engine.kernelGap = Seconds(1e-5);
    // Of a decode's layer: two norms, qkv, rotation and writing, attention and the sum of its pieces, output,
    // gate and up, activation, down: eleven.
    CHECK(decode() - deep == doctest::Approx((32 * 11 + 7) * 1e-5).epsilon(1e-9));
    CHECK((promptTime(world, 16) - prompt).base() == doctest::Approx((32 * 10 + 7) * 1e-5).epsilon(1e-9));
    world.efficiency.calibration.emplace();
    CHECK(decode() == deep);
    world.efficiency.calibration.reset();
    world.engine.kernelGap = {};
    world.llm.layers.resize(16);
    const double flat = decode();
    world.engine.kernelGap = Seconds(1e-5);
    CHECK(decode() - flat == doctest::Approx((16 * 11 + 7) * 1e-5).epsilon(1e-9));
}

// Published: Qwen3-Coder-30B without captured graphs on two boxes, 36.0 tokens/s by RDMA and 35.7 by sockets.
TEST_CASE("a step that waits for its launches over two boxes notices no slower network, one in a graph does")
{
    World world;
    world.node.gpusPerNode = 1;
    const auto decode = [&](double hop) {
        world.node.inter.latency = Seconds(hop);
        for (CollectiveForm& form : world.efficiency.interNode)
            form.uncertainty.source = Source::Prior;
        return StepTimer(world.deployment({.tp = 2}))
            .rate({.decodeSequences = 1, .decodeContext = 100, .sampledRows = 1})
            .base();
    };
    constexpr double rdma = 3e-6;
    constexpr double sockets = 30e-6;
    // Two all-reduces in each of 32 layers, each of at least two hops up the tree of two boxes and two down.
    CHECK(decode(sockets) - decode(rdma) > 32 * 2 * 3.99 * (sockets - rdma));
    world.engine.graphs = false;
    world.engine.eagerLaunch = Seconds(1e-3);
    // A layer of a decode is eleven kernels (above) and two exchanges.
    CHECK(decode(rdma) > 32 * 13 * 1e-3);
    CHECK(decode(sockets) == doctest::Approx(decode(rdma)).epsilon(1e-12));
}
