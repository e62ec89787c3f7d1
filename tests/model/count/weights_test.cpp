#include "model/count/counted.h"
#include "model/count/parameters.h"
#include "model/count/storage.h"
#include "model/count/weights.h"
#include "shipped_llms.h"

#include <array>
#include <cmath>
#include <rapidcheck.h>

using namespace headroom;

namespace {

bool within(Bytes value, double expected, double tolerance)
{
    return std::abs(value.base() / expected - 1) <= tolerance;
}

constexpr double GiB = 1073741824.0;

} // namespace

TEST_CASE("16-bit weights are two bytes for every parameter of the text model")
{
    for (const std::string& id : shippedCatalogue().modelIds()) {
        CAPTURE(id);
        const Llm& llm = shippedLlm(id);
        CHECK(countWeights(llm, DType::Bf16).total()
              == Bytes(2.0 * static_cast<double>(countParameters(llm).total)));
    }
    CHECK(countWeights(shippedLlm("llama-3.1-8b"), DType::Bf16).total() == Bytes(16'060'522'496));
}

// Sizes that llama.cpp prints for Llama 3 8B (tools/quantize/quantize.cpp, ftype table): weights, tokenizer
// and header.
TEST_CASE("llama.cpp's mixtures weigh what its own table says of Llama 3 8B")
{
    struct Row {
        DType type;
        double gib;
    };
    for (const Row row :
         {Row{DType::Q2_K, 2.96}, Row{DType::Q3_K_M, 3.74}, Row{DType::Q4_0, 4.34}, Row{DType::Q4_K_M, 4.58},
          Row{DType::Q5_K_M, 5.33}, Row{DType::Q6_K, 6.14}, Row{DType::Q8_0, 7.96}}) {
        CAPTURE(name(row.type));
        CHECK(within(countWeights(shippedLlm("llama-3-8b"), row.type).total(), row.gib * GiB, 0.005));
    }
}

// Model cards of TheBloke/Llama-2-{7B,70B}-GGUF.
TEST_CASE("the 4-bit files of Llama 2 have their published size")
{
    CHECK(within(countWeights(shippedLlm("llama-2-7b"), DType::Q4_K_M).total(), 4.08e9, 0.003));
    CHECK(within(countWeights(shippedLlm("llama-2-70b"), DType::Q4_K_M).total(), 41.42e9, 0.001));
    CHECK(within(countWeights(shippedLlm("llama-2-70b"), DType::Q5_K_M).total(), 48.75e9, 0.001));
}

TEST_CASE("quantised checkpoints keep embedding, head, norms and router in 16 bit and add their scales")
{
    const Llm& llama = shippedLlm("llama-3.1-8b");
    const double linear = 32.0 * (4096.0 * 4096 * 2 + 4096.0 * 1024 * 2 + 3.0 * 4096 * 14336);
    const double tables = 2 * 128256.0 * 4096 * 2;
    const double norms = 65.0 * 4096 * 2;
    CHECK(countWeights(llama, DType::Int4).total() == Bytes(linear * (0.5 + 2.5 / 128) + tables + norms));
    CHECK(countWeights(llama, DType::Nvfp4).total()
          == Bytes(linear * (0.5 + 1.0 / 16) + tables + norms + 32 * 7 * 4));
    CHECK(countWeights(llama, DType::Fp8).total() == Bytes(linear + tables + norms + 32 * 7 * 4));

    const Llm& deepseek = shippedLlm("deepseek-v3"); // a 4-byte scale for each block of 128 x 128
    const WeightBytes fp8 = countWeights(deepseek, DType::Fp8);
    CHECK(fp8.experts == Bytes(58 * 256 * 3 * (7168.0 * 2048 + 4.0 * 56 * 16)));
    CHECK(fp8.embedding == Bytes(2 * 129280.0 * 7168));

    const Llm& oss = shippedLlm("gpt-oss-20b"); // only the experts are in 4 bit
    CHECK(countWeights(oss, DType::Mxfp4).linear == countWeights(oss, DType::Bf16).linear);
    CHECK(within(countWeights(oss, DType::Mxfp4).total(), 13.76e9, 0.01)); // the checkpoint's own size
}

TEST_CASE("stages are as even as layers allow, the longer ones before the last")
{
    CHECK(stageRange(80, 4, 0) == StageRange{0, 20});
    CHECK(stageRange(61, 4, 0) == StageRange{0, 15});
    CHECK(stageRange(61, 4, 1) == StageRange{15, 30});
    CHECK(stageRange(61, 4, 2) == StageRange{30, 46});
    CHECK(stageRange(61, 4, 3) == StageRange{46, 61});
    CHECK(rc::check([] {
        const int stages = *rc::gen::inRange(1, 20);
        const int layers = *rc::gen::inRange(stages, 200);
        int next = 0;
        for (int stage = 0; stage < stages; ++stage) {
            const StageRange range = stageRange(layers, stages, stage);
            RC_ASSERT(range.first == next);
            RC_ASSERT(range.layers() == layers / stages || range.layers() == layers / stages + 1);
            next = range.end;
        }
        RC_ASSERT(next == layers);
        RC_ASSERT(stageRange(layers, stages, stages - 1).layers() == layers / stages);
    }));
}

TEST_CASE("the first stage holds the embedding, the last the head, and a tied head is stored on both")
{
    const Llm& llama = shippedLlm("llama-3.1-8b");
    const Layout two{.pp = 2};
    const Bytes table(2 * 128256.0 * 4096);
    CHECK(weightsPerGpu(llama, DType::Bf16, two, 0).embedding == table);
    CHECK(weightsPerGpu(llama, DType::Bf16, two, 0).head == Bytes{});
    CHECK(weightsPerGpu(llama, DType::Bf16, two, 1).embedding == Bytes{});
    CHECK(weightsPerGpu(llama, DType::Bf16, two, 1).head == table);

    const Llm& gemma = shippedLlm("gemma-2-9b");
    CHECK(weightsPerGpu(gemma, DType::Bf16, {}, 0).head == Bytes{});
    CHECK(weightsPerGpu(gemma, DType::Bf16, two, 1).head
          == weightsPerGpu(gemma, DType::Bf16, two, 0).embedding);
}

TEST_CASE("heads beyond their number are copied, routers always, experts go where ep sends them")
{
    const Llm& llama = shippedLlm("llama-3.1-70b");
    const LayerKind& layer = llama.kinds.front();
    const double q = 8192.0 * 8192, kv = 8192.0 * 1024, mlp = 3 * 8192.0 * 28672;
    CHECK(layerWeightsPerGpu(llama, layer, DType::Bf16, {.tp = 16}).linear
          == Bytes(2 * (2 * q / 16 + 2 * kv / 8 + mlp / 16)));

    const Llm& qwen = shippedLlm("qwen3-30b-a3b");
    const auto experts = [&](Layout layout) { return weightsPerGpu(qwen, DType::Bf16, layout, 0).experts; };
    CHECK(experts({.tp = 4}) == experts({}) / 4);
    CHECK(experts({.tp = 4, .ep = 4}) == experts({}) / 4);
    CHECK(experts({.tp = 2, .ep = 4, .dp = 4}) == experts({}) / 8);
    // 128 experts and 16 further copies over 4 ranks: 36 each.
    CHECK(experts({.tp = 4, .ep = 4, .redundantExperts = 16}).base()
          == doctest::Approx(experts({}).base() * 36 / 128));
    CHECK(weightsPerGpu(qwen, DType::Bf16, {.dp = 4}, 0).linear
          == weightsPerGpu(qwen, DType::Bf16, {}, 0).linear);
    const Bytes routers = weightsPerGpu(qwen, DType::Bf16, {.tp = 4}, 0).other;
    CHECK(routers == weightsPerGpu(qwen, DType::Bf16, {}, 0).other);
}

TEST_CASE("adapters: sixteen of rank 16 on Llama 3.1 8B")
{
    // Each of q, k, v, o, gate, up, down: rank x (rows + columns) 16-bit values.
    const double rowsAndColumns = (4096 + 4096) * 2.0 + (1024 + 4096) * 2.0 + (14336 + 4096) * 3.0;
    CHECK(loraBytesPerGpu(shippedLlm("llama-3.1-8b"), 16, 16, {}, 0)
          == Bytes(2.0 * 16 * 16 * 32 * rowsAndColumns));
}

TEST_CASE("layouts that cannot run say why")
{
    const auto obstacle
        = [](const char* id, Layout layout) { return layoutObstacle(shippedLlm(id), layout).english(); };
    CHECK(obstacle("llama-3.1-70b", {.tp = 8}).empty());
    CHECK(obstacle("llama-3.1-70b", {.tp = 16}).empty());
    CHECK(obstacle("llama-3.1-70b", {.tp = 3})
          == "Llama 3.1 70B: 64 query heads cannot be split evenly over tp = 3");
    CHECK(obstacle("qwen2.5-7b", {.tp = 8}).find("28 query heads") != std::string::npos);
    CHECK(obstacle("llama-3.1-8b", {.pp = 40}).find("only 32 layers") != std::string::npos);
    CHECK(obstacle("llama-3.1-8b", {.tp = 2, .ep = 2}).find("has no experts") != std::string::npos);
    CHECK(obstacle("qwen3-30b-a3b", {.tp = 3, .ep = 3}).find("cannot be split") != std::string::npos);
    CHECK(obstacle("qwen3-30b-a3b", {.tp = 2, .ep = 4}).find("does not divide dp x tp = 2")
          != std::string::npos);
    CHECK(obstacle("deepseek-v3", {.tp = 8, .ep = 16, .dp = 2}).empty());
    CHECK(obstacle("deepseek-v3", {.ep = 72, .dp = 72}).find("256 experts cannot be split")
          != std::string::npos);
    CHECK(obstacle("deepseek-v3", {.ep = 72, .dp = 72, .redundantExperts = 32}).empty());
    CHECK(obstacle("deepseek-v3", {.tp = 8, .redundantExperts = 32}).find("none are spread")
          != std::string::npos);
    CHECK(obstacle("llama-3.1-8b", {.tp = 0}).find("whole numbers") != std::string::npos);
}

TEST_CASE("what a catalogue has counted of a model is what is counted of a copy, and a changed copy is "
          "counted anew")
{
    const std::vector<Layout> layouts{
        {}, {.tp = 8, .pp = 2}, {.tp = 2, .ep = 8, .dp = 4, .redundantExperts = 8}};
    const auto parts = [](const MixedBytes& m) {
        return std::array{m.mixer, m.dense, m.sharedExpert, m.expert, m.head};
    };
    for (const std::string& id : shippedCatalogue().modelIds()) {
        const Llm& known = shippedLlm(id);
        Llm copy = known;
        REQUIRE(known.counted.get() != nullptr);
        REQUIRE(copy.counted.get() == nullptr);
        REQUIRE(copy == known);
        for (const DTypeFacts& type : allDTypes()) {
            CAPTURE(id);
            CAPTURE(type.name);
            CHECK(parts(mixedBytesPerElement(known, type.type))
                  == parts(mixedBytesPerElement(copy, type.type)));
            for (const Layout& layout : layouts)
                for (int stage = 0; stage < layout.pp; ++stage)
                    CHECK(weightsPerGpu(known, type.type, layout, stage)
                          == weightsPerGpu(copy, type.type, layout, stage));
        }
        copy.hidden *= 2;
        CHECK(weightBytesPerGpu(copy, DType::Bf16, {}, 0) > weightBytesPerGpu(known, DType::Bf16, {}, 0));
        CHECK(weightBytesPerGpu(*withCounts(copy), DType::Bf16, {}, 0)
              == weightBytesPerGpu(copy, DType::Bf16, {}, 0));
    }
}

TEST_CASE("laws: a wider split never weighs more on a GPU, and what all GPUs hold is at least the model")
{
    const std::vector<std::string>& ids = shippedCatalogue().modelIds();
    CHECK(rc::check([&] {
        const Llm& llm = shippedLlm(*rc::gen::elementOf(ids));
        const DType type = allDTypes()[*rc::gen::inRange<std::size_t>(0, allDTypes().size())].type;
        const int tp = 1 << *rc::gen::inRange(0, 4);
        const int pp
            = *rc::gen::inRange(1, static_cast<int>(std::min<std::int64_t>(5, llm.layerCount() + 1)));
        const Layout layout{.tp = tp, .pp = pp};
        Bytes all;
        for (int stage = 0; stage < pp; ++stage) {
            const WeightBytes here = weightsPerGpu(llm, type, layout, stage);
            RC_ASSERT(here.total()
                      == here.embedding + here.linear + here.experts + here.sharedExperts + here.other
                          + here.head);
            RC_ASSERT(weightBytesPerGpu(llm, type, {.tp = 2 * tp, .pp = pp}, stage) <= here.total());
            all += tp * here.total();
        }
        RC_ASSERT(all.base() >= countWeights(llm, type).total().base() * (1 - 1e-9));
        RC_ASSERT(countWeights(llm, type).total() <= countWeights(llm, DType::Fp32).total());
    }));
}
