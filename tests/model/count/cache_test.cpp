#include "model/count/cache.h"
#include "shipped_llms.h"

#include <rapidcheck.h>

using namespace headroom;

TEST_CASE("cached values per token and constant states are those of the independent counter")
{
    for (const KnownCount& row : knownCounts()) {
        CAPTURE(row.id);
        const Llm& llm = shippedLlm(row.id);
        std::int64_t full = 0;
        std::int64_t windowed = 0;
        std::int64_t state = 0;
        for (const std::uint8_t kind : llm.layers) {
            const Mixer& mixer = llm.kinds[kind].mixer;
            (cacheCap(mixer) > 0 ? windowed : full) += kvElementsPerToken(mixer);
            state += stateElements(mixer).recurrent + stateElements(mixer).convolution;
        }
        CHECK(full == row.kvFull);
        CHECK(windowed == row.kvWindowed);
        CHECK(state == row.state);
        // Two bytes each, but of an indexer's keys: a byte each and a scale of four for 128 of them.
        double indexKeys = 0;
        for (const std::uint8_t kind : llm.layers)
            if (const auto* const mla = std::get_if<Mla>(&llm.kinds[kind].mixer))
                indexKeys += mla->indexHeadDim;
        CHECK(kvBytesPerToken(llm, DType::Bf16).base()
              == 2.0 * (static_cast<double>(row.kvFull + row.kvWindowed) - indexKeys)
                  + 132.0 / 128 * indexKeys);
    }
}

TEST_CASE("the worked numbers of the KV cache come out")
{
    const Llm& llama8 = shippedLlm("llama-3.1-8b");
    CHECK(kvBytesPerToken(llama8, DType::Bf16) == Bytes(131'072));
    CHECK(cacheBytes(llama8, DType::Bf16, 1024) == Bytes(134'217'728));
    CHECK(128 * cacheBytes(llama8, DType::Bf16, 1024) == Bytes(17'179'869'184));
    CHECK(kvBytesPerToken(shippedLlm("llama-3.1-70b"), DType::Bf16) == Bytes(327'680));
    CHECK(kvBytesPerToken(shippedLlm("deepseek-v3"), DType::Bf16) == Bytes(70'272));
    CHECK(kvBytesPerToken(llama8, DType::Fp8) == Bytes(65'536));

    Llm everyHeadItsOwn = llama8; // the same with one key-value head for each query head
    everyHeadItsOwn.kinds.front().attention().kvHeads = 32;
    CHECK(kvBytesPerToken(everyHeadItsOwn, DType::Bf16) == 4 * Bytes(131'072));
}

TEST_CASE("windows and chunks hold no more than they see")
{
    const Llm& mistral = shippedLlm("mistral-7b-v0.1");
    CHECK(cacheBytes(mistral, DType::Bf16, 4096) == cacheBytes(mistral, DType::Bf16, 100'000));
    const Llm& oss = shippedLlm("gpt-oss-120b"); // 18 layers see all, 18 see 128 tokens; 8 heads of 64
    const double layerToken = 2.0 * 8 * 64 * 2;
    CHECK(cacheBytes(oss, DType::Bf16, 10'000) == Bytes(18 * 10'000 * layerToken + 18 * 128 * layerToken));
}

TEST_CASE("layers that share a cache count once for each group")
{
    Llm shared = shippedLlm("llama-3.1-8b");
    shared.kinds.front().attention().kvShareGroup = 2;
    CHECK(kvBytesPerToken(shared, DType::Bf16) == Bytes(65'536));
}

TEST_CASE("tensor parallelism splits heads, replicates them beyond their number, and copies latents")
{
    const Llm& llama = shippedLlm("llama-3.1-70b"); // 8 key-value heads
    const auto perGpu
        = [](const Llm& llm, int tp) { return cacheBytesPerGpu(llm, DType::Bf16, {.tp = tp}, 0, 1000, 1); };
    CHECK(perGpu(llama, 1) == Bytes(327'680'000));
    CHECK(perGpu(llama, 4) == Bytes(327'680'000.0 / 4));
    CHECK(perGpu(llama, 8) == perGpu(llama, 16)); // one head each, two copies of it
    const Llm& deepseek = shippedLlm("deepseek-v3");
    CHECK(perGpu(deepseek, 8) == perGpu(deepseek, 1));
}

TEST_CASE("blocks round a sequence up, and a window straddles one block more")
{
    const Llm& llama = shippedLlm("llama-3.1-8b");
    CHECK(cacheBytesPerGpu(llama, DType::Bf16, {}, 0, 1000, 16) == 1008 * Bytes(131'072));
    const Llm& mistral = shippedLlm("mistral-7b-v0.1");
    CHECK(cacheBytesPerGpu(mistral, DType::Bf16, {}, 0, 8000, 16)
          == (4096 + 16) * kvBytesPerToken(mistral, DType::Bf16));
}

TEST_CASE("laws: stages add up to the model, longer contexts never need less, wider splits never more")
{
    const std::vector<std::string>& ids = shippedCatalogue().modelIds();
    CHECK(rc::check([&] {
        const Llm& llm = shippedLlm(*rc::gen::elementOf(ids));
        const int stages
            = *rc::gen::inRange(1, static_cast<int>(std::min<std::int64_t>(9, llm.layerCount() + 1)));
        const double context = *rc::gen::inRange(1, 200'000);
        const double more = context + *rc::gen::inRange(0, 5'000);
        const int tp = 1 << *rc::gen::inRange(0, 6);
        const int block = *rc::gen::element(0, 1, 16, 64);
        const Layout layout{.tp = tp, .pp = stages};

        Bytes sum;
        for (int stage = 0; stage < stages; ++stage)
            sum += cacheBytesPerGpu(llm, DType::Bf16, {.pp = stages}, stage, context, 0);
        RC_ASSERT(std::abs(sum / cacheBytes(llm, DType::Bf16, context) - 1) < 1e-12);

        const int stage = *rc::gen::inRange(0, stages);
        const Bytes here = cacheBytesPerGpu(llm, DType::Bf16, layout, stage, context, block);
        RC_ASSERT(cacheBytesPerGpu(llm, DType::Bf16, layout, stage, more, block) >= here);
        RC_ASSERT(cacheBytesPerGpu(llm, DType::Bf16, {.tp = 2 * tp, .pp = stages}, stage, context, block)
                  <= here);
        RC_ASSERT(cacheBytesPerGpu(llm, DType::Fp8, layout, stage, context, block) <= here);
        RC_ASSERT(here >= cacheBytesPerGpu(llm, DType::Bf16, layout, stage, context, 1));
    }));
}
