// What a step reads, and what a sequence holds, against values worked out by hand.
#include "model/count/cache.h"
#include "model/count/op_work.h"
#include "model/count/operators.h"
#include "model/count/stored_type.h"
#include "model/count/weights.h"
#include "shipped_llms.h"

#include <functional>

using namespace headroom;

namespace {

struct World {
    Gpu gpu;
    Node node;
    Engine engine;
    EfficiencySet efficiency;

    World()
    {
        gpu.memoryBandwidth = BytesPerSecond(3e12);
        gpu.peaks[static_cast<std::size_t>(MathUnit::Bf16)] = FlopsPerSecond(1e15);
        gpu.peaks[static_cast<std::size_t>(MathUnit::Fp8)] = FlopsPerSecond(2e15);
        node.gpusPerNode = 8;
        engine.kernels = {"some"};
    }
    [[nodiscard]] Deployment of(const std::string& llm, DType weights) const
    {
        return {.llm = &shippedLlm(llm),
                .gpu = &gpu,
                .node = &node,
                .engine = &engine,
                .efficiency = &efficiency,
                .weights = weights,
                .compute = weights == DType::Fp8 ? MathUnit::Fp8 : MathUnit::Bf16};
    }
};

double sumOver(const Deployment& d, const StepShape& shape, const std::function<double(const Op&)>& value)
{
    double sum = 0;
    forEachOperator(d, stageLayers(*d.llm, 1, 0), shape, [&](const Op& op) { sum += op.count * value(op); });
    return sum;
}

StepShape decodes(double sequences, double context)
{
    return {.decodeSequences = sequences, .decodeContext = context, .sampledRows = sequences};
}

} // namespace

// Llama 3.1 8B, q4_k_m: Q4_K has 4.5 bits, Q6_K 6.5625. v and down of layers 0 to 3, 28 to 31 and of every
// third between are Q6_K: 16 of 32. So is the head; the embedding is a look-up.
TEST_CASE("a decode reads each block of a llama.cpp file as it is stored")
{
    const double plain = 4.5 / 8;
    const double better = 6.5625 / 8;
    const double attention = 4096.0 * (4096 + 1024) + 4096.0 * 4096; // q, k and o
    const double mixed = 4096.0 * (1024 + 14336);                    // v and down
    const double byHand = 32 * (attention + 2 * 4096.0 * 14336) * plain + 16 * mixed * (plain + better)
        + 4096 * 128256.0 * better;
    const World world;
    const double read = sumOver(world.of("llama-3.1-8b", DType::Q4_K_M), decodes(1, 100),
                                [](const Op& op) { return op.weightBytes.base(); });
    CHECK(read == doctest::Approx(byHand).epsilon(1e-6));
}

// bartowski and others publish SmolLM2 135M as a q4_k_m file of 105.5 MB, tokeniser and header included.
TEST_CASE("rows that no block of 256 divides are stored in other blocks")
{
    const double megabytes = countWeights(shippedLlm("smollm2-135m"), DType::Q4_K_M).total().base() / 1e6;
    CHECK(megabytes > 103);
    CHECK(megabytes < 105.5);
}

TEST_CASE("a position that attends in chunks sees its own chunk up to itself")
{
    CHECK(meanKeysInChunks(0, 1, 8) == 1);
    CHECK(meanKeysInChunks(7, 1, 8) == 8);
    CHECK(meanKeysInChunks(8, 1, 8) == 1);
    CHECK(meanKeysInChunks(0, 8, 8) == doctest::Approx(4.5));
    CHECK(meanKeysInChunks(0, 12, 8) == doctest::Approx((36 + 1 + 2 + 3 + 4) / 12.0));
    // Sequences anywhere in a chunk read half of it.
    const AttentionShape apart{.batch = 4,
                               .past = 8192 + 4096,
                               .chunk = 8192,
                               .span = 8192,
                               .queryHeads = 1,
                               .kvHeads = 1,
                               .headDim = 1};
    CHECK(decodeAttentionOp(apart, MathUnit::Bf16).context == doctest::Approx(4096.5).epsilon(0.001));
}

// vLLM's cache of DeepSeek-V3.2: in fp8 512 values, four scales of 4 B and 64 rotated values of 2 B; beside
// them an index key of 128 B and a scale of 4 B, which a bf16 cache has as well.
TEST_CASE("the index key of sparse attention is stored in 8 bits whatever the cache is")
{
    const Llm& llm = shippedLlm("deepseek-v3.2");
    CHECK(kvBytesPerToken(llm, DType::Fp8) == Bytes(61 * (512 + 16 + 128 + 132.0)));
    CHECK(kvBytesPerToken(llm, DType::Bf16) == Bytes(61 * (2 * 576 + 132.0)));
}

TEST_CASE("adapters are read with the layers that they go beside")
{
    const World world;
    Deployment d = world.of("llama-3.1-70b", DType::Fp8);
    const auto weights = [](const Op& op) { return op.weightBytes.base(); };
    const double before = sumOver(d, decodes(8, 100), weights);
    d.loraAdapters = 8;
    d.loraRank = 64;
    const double more = sumOver(d, decodes(8, 100), weights) - before;
    const double widths = 2 * (8192.0 + 8192) + 2 * (8192.0 + 1024) + 3 * (8192.0 + 28672);
    CHECK(more == doctest::Approx(8 * 80 * 64 * widths * 2));
    CHECK(Bytes(more).base() == doctest::Approx(loraBytesPerGpu(*d.llm, 8, 64, {}, 0).base()));
    CHECK(more / before == doctest::Approx(0.19).epsilon(0.02));
    // Three sequences have no more than three adapters.
    CHECK(sumOver(d, decodes(3, 100), weights) - before == doctest::Approx(more * 3 / 8).epsilon(1e-6));
}

// 54 of Nemotron-H 56B's layers keep 16,384 x 256 values of a sequence in 16 bits: read and written once a
// token.
TEST_CASE("a recurrent state moves in the type that it is stored in")
{
    const World world;
    const double moved = sumOver(world.of("nemotron-h-56b", DType::Fp8), decodes(64, 1000), [](const Op& op) {
        return op.name == OpName::Scan ? op.kvBytes.base() : 0;
    });
    CHECK(moved == doctest::Approx(64 * 54 * 2 * 16384.0 * 256 * 2));
}

TEST_CASE("a step of decodes streams a recurrent state, a prompt works on it in blocks")
{
    const World world;
    const Deployment d = world.of("nemotron-h-56b", DType::Fp8);
    const auto ofClass = [&](const StepShape& shape, OpClass cls) {
        return sumOver(d, shape, [cls](const Op& op) {
            return op.name == OpName::Scan && op.cls == cls ? op.kvBytes.base() : 0;
        });
    };
    StepShape mixed = decodes(64, 1000);
    const double ofDecodes = ofClass(mixed, OpClass::Stream);
    CHECK(ofDecodes == doctest::Approx(64 * 54 * 2 * 16384.0 * 256 * 2));
    CHECK(ofClass(mixed, OpClass::Scan) == 0);
    mixed.prefillTokens = 128;
    mixed.prefillSequences = 1;
    CHECK(ofClass(mixed, OpClass::Stream) == doctest::Approx(ofDecodes));
    CHECK(ofClass(mixed, OpClass::Scan) == doctest::Approx(54 * 2 * 2 * 16384.0 * 256 * 2)); // two blocks
}

// Gemma 3 4B: 29 of 34 layers see 1,024 tokens, with 4 heads of 256 for keys and values in 16 bits.
TEST_CASE("an engine that computes prompts in pieces goes over a window and a piece more")
{
    const World world;
    Deployment d = world.of("gemma-3-4b", DType::Bf16);
    Engine engine;
    d.engine = &engine;
    const auto read = [&](double context) {
        return sumOver(d, decodes(1, context), [](const Op& op) {
            return op.name == OpName::DecodeAttention ? op.kvBytes.base() : 0;
        });
    };
    const double windows = read(8192);
    engine.pipelinePiece = 512;
    CHECK(read(8192) - windows == doctest::Approx(29 * 512 * 2 * 4 * 256.0 * 2));
    const double all = read(1200); // no more than there is
    engine.pipelinePiece = 0;
    CHECK(all - read(1200) == doctest::Approx(29 * (1201 - 1024) * 2 * 4 * 256.0 * 2));
}

TEST_CASE("a way to the next stage leaves the node only where the stages stand in two")
{
    const World world;
    Deployment d = world.of("llama-3.1-70b", DType::Fp8);
    d.layout = {.tp = 4, .pp = 4}; // two stages in each box of eight
    CHECK_FALSE(crossesNodes(d, 0));
    CHECK(crossesNodes(d, 1));
    CHECK_FALSE(crossesNodes(d, 2));
    CHECK_FALSE(crossesNodes(d, 3)); // the last sends to nobody
}

// Qwen3.5 27B: 48 layers of 48 value heads, 16 key heads, all of 128 columns. A block of 64 tokens reads and
// writes the state once; within it a head moves its keys and queries seven times, its values five times in 16
// bits, and twelve bytes for each of 64 columns of the block's matrix.
TEST_CASE("the gated delta rule hands a prompt's blocks on through memory")
{
    const World world;
    const Deployment d = world.of("qwen3.5-27b", DType::Bf16);
    const StepShape prompt{.prefillTokens = 128, .prefillSequences = 1, .sampledRows = 1};
    const auto ofScan = [&](auto value) {
        return sumOver(d, prompt, [&](const Op& op) { return op.name == OpName::Scan ? value(op) : 0; });
    };
    const double out = 48 * 128.0;
    const double conv = 2 * 16 * 128.0 + out;
    const double within = 48 * ((7 + 5) * 128 * 2 + 12.0 * 64);
    CHECK(ofScan([](const Op& op) { return op.activationBytes.base(); })
          == doctest::Approx(48 * 128 * ((2 * conv + 2 * out) * 2 + within)));
    CHECK(ofScan([](const Op& op) { return op.kvBytes.base(); })
          == doctest::Approx(48 * 2 * 2 * out * 128 * 4));
}

TEST_CASE("layers that a checkpoint leaves in 16 bits are read and held in 16 bits, and no others")
{
    // Qwen3.5 397B-A17B: 60 layers with a shared expert of 4,096 x 1,024, three matrices each.
    const double shared = 60.0 * 3 * 4096 * 1024;
    const double gates
        = 60.0 * 4096 * 2; // one row a layer says how much of the shared expert: 16 bits everywhere
    const Llm& narrow = shippedLlm("qwen3.5-397b-a17b");
    Llm wide = narrow;
    wide.keptWide.sharedExperts = true;
    CHECK(storedType(wide, DType::Nvfp4, WeightPart::SharedExpert) == DType::Bf16);
    CHECK(storedType(wide, DType::Nvfp4, WeightPart::Expert) == DType::Nvfp4);
    CHECK(countWeights(wide, DType::Nvfp4).sharedExperts.base()
          == doctest::Approx(2 * shared + gates).epsilon(1e-9));
    // 4 bits and 8 for each 16, and 4 bytes for each matrix.
    CHECK(countWeights(narrow, DType::Nvfp4).sharedExperts.base()
          == doctest::Approx(shared * (0.5 + 1.0 / 16) + 4.0 * 3 * 60 + gates).epsilon(1e-9));
    CHECK(countWeights(wide, DType::Nvfp4).experts.base()
          == countWeights(narrow, DType::Nvfp4).experts.base());
    wide.keptWide = {.attention = true};
    CHECK(storedType(wide, DType::Int4, WeightPart::Mixer) == DType::Bf16);
    CHECK(storedType(wide, DType::Int4, WeightPart::SharedExpert) == DType::Int4);
}

TEST_CASE("NVFP4 leaves the mixers of latent attention and of newer models in 16 bits")
{
    for (const char* wide : {"deepseek-r1", "gemma-4-31b", "qwen3.5-397b-a17b"}) {
        CHECK(storedType(shippedLlm(wide), DType::Nvfp4, WeightPart::Mixer) == DType::Bf16);
        CHECK(storedType(shippedLlm(wide), DType::Int4, WeightPart::Mixer) == DType::Int4);
    }
    CHECK(storedType(shippedLlm("deepseek-r1"), DType::Nvfp4, WeightPart::Expert) == DType::Nvfp4);
    CHECK(storedType(shippedLlm("llama-3.3-70b"), DType::Nvfp4, WeightPart::Mixer) == DType::Nvfp4);
    // What a step reads and what the card holds are the same matrices.
    const Llm& gemma = shippedLlm("gemma-4-31b");
    const double mixers = countWeights(gemma, DType::Bf16).linear.base();
    CHECK(countWeights(gemma, DType::Nvfp4).linear.base() > 0.2 * mixers);
    CHECK(countWeights(gemma, DType::Nvfp4).linear.base() < 0.5 * mixers);
}

// DeepSeek-V3 on four ranks: each holds 64 of 256 experts of 3 x 7168 x 2048 bytes and a quarter of the one
// that all tokens take. One token's 8 are 3.51 on the busiest rank (100,000 draws), not 2.
TEST_CASE(
    "experts over ranks: the busiest rank's weights, the shared expert's among them and no launch of its own")
{
    const World world;
    Deployment spread = world.of("deepseek-v3", DType::Fp8);
    spread.layout = {.tp = 4, .ep = 4};
    const auto times = [&](OpName name) {
        return sumOver(spread, decodes(1, 100), [&](const Op& op) { return op.name == name ? 1.0 : 0.0; });
    };
    CHECK(times(OpName::SharedExpert) == 0);
    CHECK(times(OpName::Experts) == 58);
    const double bytes = sumOver(spread, decodes(1, 100), [](const Op& op) {
        return op.name == OpName::Experts ? op.weightBytes.base() : 0.0;
    });
    CHECK(bytes == doctest::Approx(58 * (3.51 + 0.25) * 3 * 7168 * 2048).epsilon(0.03));
}

TEST_CASE("what a scale of an FP8 checkpoint is for decides which kernels multiply it")
{
    World world;
    const auto kernels
        = [&](const char* llm) { return gemmClassOf(world.of(llm, DType::Fp8), WeightPart::Expert); };
    CHECK(fp8ScalesOf(world.of("deepseek-r1", DType::Fp8)) == ScaleSpan::Block);
    CHECK(fp8ScalesOf(world.of("qwen3-235b-a22b", DType::Fp8)) == ScaleSpan::Block);
    CHECK(fp8ScalesOf(world.of("glm-4.6", DType::Fp8)) == ScaleSpan::Channel);
    CHECK(!fp8ScalesOf(world.of("mixtral-8x7b", DType::Fp8)));
    CHECK(kernels("qwen3-235b-a22b") == GemmClass::Fp8Block);
    CHECK(kernels("glm-4.6") == GemmClass::Fp8);
    // Documents of an engine name checkpoints of other makers, but not of what is narrow from the start.
    world.engine.fp8Scales = ScaleSpan::Tensor;
    CHECK(kernels("qwen3-235b-a22b") == GemmClass::Fp8);
    CHECK(kernels("deepseek-r1") == GemmClass::Fp8Block);
    CHECK(gemmClassOf(world.of("qwen3-235b-a22b", DType::Bf16), WeightPart::Expert) == GemmClass::Half);
    // A configuration that is read says by whom it was narrowed.
    Llm imported = shippedLlm("glm-4.6");
    imported.fp8Scales.reset();
    Deployment narrow = world.of("glm-4.6", DType::Fp8);
    narrow.llm = &imported;
    imported.nativeQuantization = NativeQuantization{.method = "compressed-tensors"};
    CHECK(fp8ScalesOf(narrow) == ScaleSpan::Channel);
    imported.nativeQuantization->method = "modelopt";
    CHECK(fp8ScalesOf(narrow) == ScaleSpan::Tensor);
}

TEST_CASE("experts with a scale for each row have their rows put in order by further kernels, others do not")
{
    World world;
    world.gpu.family = "some-family";
    world.engine.orderedExperts = OrderedExperts{{"some-family"}, 10};
    const auto ordering = [&](const char* llm, DType weights) {
        return sumOver(world.of(llm, weights), decodes(1, 100), [](const Op& op) { return op.ordering; });
    };
    CHECK(ordering("glm-4.6", DType::Fp8) == 89 * 10); // of 92 layers three are dense
    CHECK(ordering("glm-4.6", DType::Bf16) == 0);
    CHECK(ordering("qwen3-235b-a22b", DType::Fp8) == 0); // in blocks
    world.gpu.family = "another";
    CHECK(ordering("glm-4.6", DType::Fp8) == 0);
}
