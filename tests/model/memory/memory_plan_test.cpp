#include "../count/shipped_llms.h"
#include "model/count/weights.h"
#include "model/memory/activation.h"
#include "model/memory/loading_time.h"
#include "model/memory/memory_plan.h"
#include "model/memory/sequence_cache.h"

#include <cmath>
#include <rapidcheck.h>

using namespace headroom;

namespace {

constexpr double GiB = 1073741824.0;

const Engine& shippedEngine(const std::string& id)
{
    const Result<const Engine*> engine = shippedCatalogue().engine(id);
    REQUIRE(engine);
    return **engine;
}

Gpu gpuWith(double gib)
{
    Gpu gpu;
    gpu.memoryUsable = Bytes(gib * GiB);
    return gpu;
}

const Node& oneNode()
{
    static const Node node{.gpusPerNode = 8};
    return node;
}

Deployment deploymentOf(const Llm& llm, const Gpu& gpu, const Engine& engine, DType weights = DType::Bf16,
                        Layout layout = {})
{
    static const EfficiencySet none;
    return {.llm = &llm,
            .gpu = &gpu,
            .node = &oneNode(),
            .engine = &engine,
            .efficiency = &none,
            .layout = layout,
            .weights = weights};
}

double gib(Bytes bytes) { return bytes.base() / GiB; }

} // namespace

// The memory table published for vLLM 0.11 on an H100 of 79.18 GiB, offline with 16,384 batched tokens and
// 1,024 sequences; the fraction is what weights, activation, non-torch memory and cache add up to.
TEST_CASE("the published vLLM table: weights within 2 %, activation and cache within 3 %")
{
    struct Row {
        const char* model;
        DType type;
        double fraction, weights, activation, kv;
    };
    const Gpu h100 = gpuWith(79.18);
    const Engine& vllm = shippedEngine("vllm-2025");
    for (const Row& row : {Row{"llama-3.1-8b", DType::Bf16, 0.9, 14.99, 4.76, 51.38},
                           Row{"qwen3-32b", DType::Bf16, 0.9, 61.03, 5.64, 4.45},
                           Row{"gpt-oss-120b", DType::Mxfp4, 0.95, 64.38, 7.38, 3.33}}) {
        CAPTURE(row.model);
        const MemoryPlan plan = planMemory(deploymentOf(shippedLlm(row.model), h100, vllm, row.type),
                                           {.sequences = 1,
                                            .meanContext = 1024,
                                            .maxContext = 1024,
                                            .batchedTokens = 16384,
                                            .memoryFraction = row.fraction});
        CHECK(std::abs(gib(plan.perGpu.weights) / row.weights - 1) < 0.02);
        CHECK(std::abs(gib(plan.perGpu.activation) / row.activation - 1) < 0.03);
        CHECK(std::abs(gib(plan.kvPool) / row.kv - 1) < 0.03);
        CHECK(gib(plan.perGpu.runtime) == doctest::Approx(0.13));
    }
}

// 41,408 tokens is what vLLM 0.19 reports in the replays of casys-kaist/LLMServingSim (bench/examples, RTX
// 4090): bf16, 2,048 batched tokens, 256 sequences. The sampler's constant was fitted to other cards and
// sizes.
TEST_CASE("the cache of Llama 3.1 8B on an RTX 4090 is within 2 % of what vLLM reports")
{
    const Result<const Gpu*> gpu = shippedCatalogue().gpu("geforce-rtx-4090");
    REQUIRE(gpu);
    const MemoryPlan plan
        = planMemory(deploymentOf(shippedLlm("llama-3.1-8b"), **gpu, shippedEngine("vllm-2025")),
                     {.sequences = 1, .meanContext = 1024, .maxContext = 1024});
    CHECK(std::abs(plan.kvCapacityTokens / 41'408 - 1) < 0.02);
}

TEST_CASE("capacity and batch are the pool over pages of 16 tokens")
{
    Engine engine;
    engine.memoryFraction = 1;
    const Gpu gpu = gpuWith(20);
    const Llm& llama = shippedLlm("llama-3.1-8b");
    const Deployment deployment = deploymentOf(llama, gpu, engine);
    const MemoryPlan plan = planMemory(
        deployment,
        {.sequences = 4, .meanContext = 500, .maxContext = 1000, .batchedTokens = 1, .sampledRows = 1});
    CHECK(plan.kvBytesPerToken == Bytes(131'072));
    const double pages = std::floor(plan.kvPool.base() / (16 * 131'072.0));
    CHECK(plan.kvCapacityTokens == 16 * pages);
    CHECK(plan.maxBatch == std::floor(plan.kvPool.base() / (1008 * 131'072.0)));
    CHECK(plan.perGpu.kv == 4 * Bytes(512 * 131'072));
    CHECK(plan.fits);
    CHECK_FALSE(
        planMemory(deployment, {.sequences = 400, .meanContext = 500, .maxContext = 1000, .batchedTokens = 1})
            .fits);
}

TEST_CASE("a model that does not fit says so and leaves no room for a single sequence")
{
    const Gpu a100 = gpuWith(79.15);
    const MemoryPlan plan = planMemory(deploymentOf(shippedLlm("llama-3.1-70b"), a100, shippedEngine("vllm")),
                                       {.sequences = 1, .meanContext = 100, .maxContext = 200});
    CHECK_FALSE(plan.fits);
    CHECK(plan.maxBatch == 0);
    CHECK(plan.kvPool == Bytes{});
    CHECK(gib(plan.perGpu.weights) > 130);
}

// 1,342 GB of DeepSeek R1 in 16 bits over nine stages: seven mixture layers of 22.6 GB in the fullest, the
// first has three dense layers among them.
TEST_CASE("of stages that are all too full the fullest is told")
{
    const Gpu h100 = gpuWith(79.2);
    const MemoryPlan plan = planMemory(
        deploymentOf(shippedLlm("deepseek-r1"), h100, shippedEngine("vllm"), DType::Bf16, {.pp = 9}),
        {.sequences = 1, .meanContext = 100, .maxContext = 200});
    CHECK_FALSE(plan.fits);
    CHECK(plan.perGpu.weights.base() / 1e9 > 1342 / 9.0);
    CHECK(plan.perGpu.weights.base() / 1e9 == doctest::Approx(7 * 22.6).epsilon(0.03));
}

TEST_CASE("a fraction of the free memory leaves weights and activation out of its base")
{
    Engine engine;
    engine.memoryBase = MemoryBase::OfFreeAfterWeights;
    engine.memoryFraction = 0.5;
    const Gpu gpu = gpuWith(40);
    const MemoryPlan plan
        = planMemory(deploymentOf(shippedLlm("llama-3.1-8b"), gpu, engine),
                     {.sequences = 1, .meanContext = 100, .maxContext = 100, .batchedTokens = 100});
    const Bytes fixed = plan.perGpu.weights + plan.perGpu.activation + plan.perGpu.runtime;
    CHECK(plan.kvPool.base() == doctest::Approx(0.5 * (gpu.memoryUsable - fixed).base()));
    CHECK(plan.perGpu.usable.base() == doctest::Approx((fixed + plan.kvPool).base()));
}

TEST_CASE("contiguous caches are reserved for the longest sequence")
{
    Engine engine;
    engine.blockTokens = 0;
    const Gpu gpu = gpuWith(40);
    const MemoryPlan plan
        = planMemory(deploymentOf(shippedLlm("llama-3.1-8b"), gpu, engine),
                     {.sequences = 2, .meanContext = 100, .maxContext = 2000, .batchedTokens = 1});
    CHECK(plan.perGpu.kv == 2 * Bytes(2000 * 131'072));
}

TEST_CASE(
    "vLLM's unified pages: gpt-oss in two groups of 18 layers, Gemma 3 in six padded groups of 10 and one")
{
    const auto pages = [](const Llm& llm) {
        return CachePages{.llm = &llm,
                          .kv = DType::Bf16,
                          .tp = 1,
                          .layers = {0, static_cast<int>(llm.layerCount())},
                          .blockTokens = 16,
                          .unified = true};
    };
    const double ossPage = 16 * 2 * 8 * 64 * 2; // 16 tokens, keys and values of 8 heads of 64
    CHECK(StageCache(pages(shippedLlm("gpt-oss-120b"))).sequence(1600) == Bytes(18 * ossPage * (100 + 9)));
    const double gemmaPage = 16 * 2 * 16 * 128 * 2;
    CHECK(StageCache(pages(shippedLlm("gemma-3-27b"))).sequence(16'000)
          == Bytes(10 * gemmaPage * (1000 + 6 * 65)));
}

TEST_CASE("vLLM's unified pages: the attention block of Qwen3-Next grows until its page holds a state")
{
    const Llm& qwen = shippedLlm("qwen3-next-80b-a3b");
    const StageCache cache(
        {.llm = &qwen, .kv = DType::Bf16, .tp = 1, .layers = {0, 48}, .blockTokens = 16, .unified = true});
    const double state = (32.0 * 128 * 128 + 3.0 * 8192)
        * 2;                                // per layer: recurrent, and the convolution's last three inputs
    const double token = 2.0 * 2 * 256 * 2; // per attention layer
    const double block = std::ceil(state / (16 * token)) * 16;
    // 12 layers of attention, 36 of states in three groups of 12; one block each for the states
    CHECK(cache.sequence(2 * block) == Bytes(12 * block * token * (2 + 3)));
}

static StageCache vllmCache(const char* model, int tp)
{
    const Llm& llm = shippedLlm(model);
    return StageCache({.llm = &llm,
                       .kv = DType::Bf16,
                       .tp = tp,
                       .layers = {0, static_cast<int>(llm.layerCount())},
                       .blockTokens = 16,
                       .unified = true});
}

// What vLLM's own logs say of caches, without the machine they were on: memory of a pool and the tokens in
// it.
TEST_CASE("pools hold the tokens that published logs name, within 2 %")
{
    struct Row {
        const char* model;
        int tp;
        double gib, tokens;
    };
    for (const Row& row : {Row{"llama-3.1-8b", 1, 3.81, 1952 * 16}, // vllm issue 10517, RTX 3090
                           Row{"llama-3.1-8b", 1, 2.89, 1478 * 16}, // the same with 29,000 tokens of context
                           Row{"qwen3-235b-a22b", 4, 8.11, 178'880}}) { // vllm issue 21348, H100
        CAPTURE(row.model);
        const StageCache cache = vllmCache(row.model, row.tp);
        const double tokens = 16 * std::floor(row.gib * GiB / cache.sequence(16).base());
        CHECK(std::abs(tokens / row.tokens - 1) < 0.02);
    }
}

// Blocks of hybrid models are as long as their states are large. 784 tokens: vllm issue 40691 names 290,864
// tokens in four groups, which is 371 such blocks each, and 33.04 requests of 32,768 tokens: 1,487 blocks
// over 42 of attention and one for each of three groups of states. 2,096: vllm pull request 35703; 672: vllm
// issue 24280.
TEST_CASE("blocks of hybrid models are those of published logs")
{
    struct Row {
        const char* model;
        int tp;
        double block;
    };
    for (const Row& row : {Row{"qwen3.5-27b", 1, 784}, Row{"qwen3.5-397b-a17b", 2, 2096},
                           Row{"nemotron-nano-9b-v2", 1, 672}}) {
        CAPTURE(row.model);
        const StageCache cache = vllmCache(row.model, row.tp);
        const Bytes one = cache.sequence(1);
        CHECK(cache.sequence(row.block) == one);
        CHECK(cache.sequence(row.block + 1) > one);
    }
    const StageCache cache = vllmCache("qwen3.5-27b", 1);
    const double blocks = cache.sequence(32'768) / (cache.sequence(785) - cache.sequence(784));
    CHECK(blocks == doctest::Approx(42 + 3));
    CHECK(std::floor(290'864.0 / 784) * 4 + 3 == 1487);
    CHECK(1487 / blocks == doctest::Approx(33.04).epsilon(1e-3));
}

// vLLM's hybrid manager is off for chunked attention from pull request 21761 (2025-07) until 29627 (2025-12):
// all 48 layers of Llama 4 keep every token, 2 x 8 heads x 128 values of 2 B; later 36 of them keep a chunk
// of 8,192.
TEST_CASE("whether layers that attend in chunks keep every token is the engine's, by its version")
{
    const Gpu h100 = gpuWith(79.18);
    const Llm& scout = shippedLlm("llama-4-scout-17b-16e");
    const auto held = [&](const char* engine) {
        return planMemory(deploymentOf(scout, h100, shippedEngine(engine), DType::Bf16, {.tp = 8}),
                          {.sequences = 1, .meanContext = 160000, .maxContext = 160000})
            .perGpu.kv.base();
    };
    const double layerToken = 2 * 8 * 128 * 2 / 8.0;
    CHECK(held("vllm-2025") == doctest::Approx(48 * layerToken * 160000).epsilon(0.002));
    CHECK(held("vllm") == doctest::Approx(layerToken * (12 * 160000 + 36 * 8192)).epsilon(0.02));
}

TEST_CASE("sampling keeps copies of the logits, other engines only the rows")
{
    const Llm& llama = shippedLlm("llama-3.1-8b");
    const Bytes one
        = activationBytes(llama, {}, {.batchedTokens = 16, .sampledRows = 256, .logitsCopies = 1});
    CHECK(one == Bytes(16 * 4096 * 2 + 256 * 128256.0 * 4));
    // the widest moment of a layer: residual, input, gate and up, and their product
    CHECK(activationBytes(llama, {}, {.batchedTokens = 8192, .sampledRows = 1})
          == Bytes(8192 * 2.0 * (2 * 4096 + 3 * 14336)));
    CHECK(activationBytes(llama, {.tp = 8}, {.batchedTokens = 8192, .sampledRows = 1, .lastStage = false})
          == Bytes(8192 * 2.0 * (2 * 4096 + 3 * 14336 / 8)));
}

// Qwen3 30B-A3B: 2,048 wide, 8 of 128 experts of 768, routed in fp32.
TEST_CASE(
    "rows of experts: for every pair where all ranks have all tokens, for a rank's share where they are sent")
{
    const Llm& qwen = shippedLlm("qwen3-30b-a3b");
    const ActivationDemand step{.batchedTokens = 8192, .sampledRows = 1, .lastStage = false};
    const double rest = 2 * 2048 + 2 * 128; // residual, input, scores of the router
    const double pair = 3 * 768 + 2048;
    CHECK(activationBytes(qwen, {.tp = 4, .ep = 4}, step) == Bytes(8192 * 2.0 * (rest + 8 * pair)));
    // A quarter of the pairs is less than what attention of one rank holds, which is then the widest.
    CHECK(activationBytes(qwen, {.ep = 4, .dp = 4}, step) < Bytes(8192 * 2.0 * (rest + 4 * pair)));
}

TEST_CASE("a draft model, adapters and prediction modules take memory from the cache")
{
    const Gpu h100 = gpuWith(79.18);
    const Engine& vllm = shippedEngine("vllm");
    Deployment deployment = deploymentOf(shippedLlm("llama-3.1-8b"), h100, vllm);
    const MemoryDemand demand{.sequences = 8, .meanContext = 1024, .maxContext = 1024};
    const MemoryPlan plain = planMemory(deployment, demand);
    deployment.loraAdapters = 8;
    deployment.loraRank = 16;
    const MemoryPlan adapted = planMemory(deployment, demand);
    CHECK(adapted.perGpu.weights - plain.perGpu.weights == loraBytesPerGpu(*deployment.llm, 8, 16, {}, 0));

    deployment.speculative = {.kind = SpeculativeDecoding::Kind::DraftModel,
                              .draftTokens = 4,
                              .acceptance = 0.7,
                              .draft = &shippedLlm("llama-3.2-1b")};
    const MemoryPlan drafted = planMemory(deployment, demand);
    CHECK(gib(drafted.perGpu.weights - adapted.perGpu.weights) == doctest::Approx(2.30).epsilon(0.01));
    CHECK(drafted.perGpu.kv > adapted.perGpu.kv);
    CHECK(drafted.kvCapacityTokens < adapted.kvCapacityTokens);
}

TEST_CASE("loading is bound by storage or by the host link")
{
    Node node{.gpusPerNode = 8};
    node.storageRead = BytesPerSecond(2e9);
    node.host.perGpuPerDirection = BytesPerSecond(50e9);
    const Gpu h100 = gpuWith(79.18);
    const Llm& llama = shippedLlm("llama-3.1-70b");
    Deployment deployment = deploymentOf(llama, h100, shippedEngine("vllm"), DType::Bf16, {.tp = 4});
    deployment.node = &node;
    REQUIRE(loadingTime(deployment));
    CHECK(loadingTime(deployment)->fromStorage.base() == doctest::Approx(70'553'706'496 * 2 / 2e9));
    CHECK(loadingTime(deployment)->boundByStorage);
    node.storageRead = BytesPerSecond(1e15);
    const double copied = weightBytesPerGpu(llama, DType::Bf16, {.tp = 4}, 0).base() / 50e9;
    CHECK(loadingTime(deployment)->fromStorage.base() == doctest::Approx(copied));
    CHECK(loadingTime(deployment)->fromHostMemory.base() == doctest::Approx(copied));
    CHECK_FALSE(loadingTime(deployment)->boundByStorage);
    node.storageRead = {};
    CHECK_FALSE(loadingTime(deployment)); // unknown is not at once
}

TEST_CASE("laws: memory is the sum of its parts, wider splits and shorter contexts never need more")
{
    const std::vector<std::string>& ids = shippedCatalogue().modelIds();
    const std::vector<std::string>& engines = shippedCatalogue().engineIds();
    CHECK(rc::check([&] {
        const Llm& llm = shippedLlm(*rc::gen::elementOf(ids));
        const Engine& engine = shippedEngine(*rc::gen::elementOf(engines));
        const Gpu gpu = gpuWith(*rc::gen::inRange(8, 300));
        const DType type = allDTypes()[*rc::gen::inRange<std::size_t>(0, allDTypes().size())].type;
        const int stages
            = *rc::gen::inRange(1, static_cast<int>(std::min<std::int64_t>(5, llm.layerCount() + 1)));
        Deployment deployment
            = deploymentOf(llm, gpu, engine, type, {.tp = 1 << *rc::gen::inRange(0, 4), .pp = stages});
        const double context = *rc::gen::inRange(1, 100'000);
        const MemoryDemand demand{.sequences = static_cast<double>(*rc::gen::inRange(1, 500)),
                                  .meanContext = context,
                                  .maxContext = context * 2,
                                  .batchedTokens = 2048};
        const MemoryPlan plan = planMemory(deployment, demand);
        const GpuMemory& parts = plan.perGpu;
        RC_ASSERT(parts.used == parts.weights + parts.kv + parts.activation + parts.runtime);
        RC_ASSERT(parts.usable <= parts.capacity);
        RC_ASSERT(!plan.fits || parts.used <= parts.usable);
        RC_ASSERT(!plan.fits || plan.maxBatch >= 1);

        MemoryDemand longer = demand;
        longer.maxContext = context * 3;
        RC_ASSERT(planMemory(deployment, longer).maxBatch <= plan.maxBatch);

        deployment.layout.tp *= 2;
        const MemoryPlan wider = planMemory(deployment, demand);
        RC_ASSERT(wider.maxBatch >= plan.maxBatch);
        RC_ASSERT(!plan.fits || wider.fits);
        RC_ASSERT(wider.kvPool >= plan.kvPool);
    }));
}

// What llama.cpp itself prints when it starts (node-llama-cpp 3.22.1 on a processor, eight sequences of 1,088
// cells, files of random weights whose tied head is in q8_0), and what the process then held. Buffers of a
// large vocabulary are made, and not all of them touched.
TEST_CASE("llama.cpp's memory on a processor is laid out as it reports it")
{
    struct Reported {
        const char* model;
        DType weights;
        double stored; // MiB, as all below
        double repacked;
        double cache;
        double buffers;
        double resident; // MB of the process; 0: not all of it was touched
    };
    constexpr double MiB = 1048576.0;
    Gpu processor = gpuWith(16);
    processor.formFactor = "Socket";
    const Engine& engine = shippedEngine("llama-cpp");
    for (const Reported& told : {Reported{"smollm2-135m", DType::Fp16, 256.63, 0, 225, 98.25, 678},
                                 Reported{"smollm2-135m", DType::Q8_0, 136.40, 0, 225, 98.25, 551},
                                 Reported{"smollm2-360m", DType::Q4_0, 216.8, 168.8, 400, 99.75, 977},
                                 Reported{"smollm2-360m", DType::Q8_0, 366.8, 0, 400, 99.75, 983},
                                 Reported{"qwen2.5-0.5b", DType::Fp16, 942.4, 0, 120, 300.25, 0},
                                 Reported{"qwen2.5-0.5b", DType::Q8_0, 500.8, 0, 120, 300.25, 0},
                                 Reported{"llama-3.2-1b", DType::Fp16, 2357.3, 0, 320, 258.5, 0}}) {
        CAPTURE(told.model);
        const Deployment d = deploymentOf(shippedLlm(told.model), processor, engine, told.weights);
        const GpuMemory held
            = planMemory(d, {.sequences = 8, .meanContext = 1088, .maxContext = 1088}).perGpu;
        CHECK(held.weights.base() / MiB == doctest::Approx(told.stored + told.repacked).epsilon(0.04));
        CHECK(held.kv.base() / MiB == doctest::Approx(told.cache).epsilon(1e-3));
        CHECK(held.activation.base() / MiB == doctest::Approx(told.buffers).epsilon(1e-3));
        CHECK(held.runtime.base() < 0.1 * GiB); // no GPU's runtime
        if (told.resident > 0)
            CHECK(held.used.base() / 1e6 == doctest::Approx(told.resident).epsilon(0.1));
    }
}
