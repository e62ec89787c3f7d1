#include "cuda_runtime.h"
#include "kernels/device.h"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <utility>

using namespace headroom;
using namespace headroom::kernels;

namespace {

// The device's own check against the double-precision reference, with threads and blocks in both orders; the
// second time in a replayed graph, so that counters must have been left as they were found.
void checkPasses(const Task& task)
{
    CAPTURE(describe(task));
    CAPTURE(name(task.activations));
    auto device = makeCudaDevice(0);
    REQUIRE(device.has_value());
    REQUIRE((*device)->obstacle(task).empty());
    for (const bool backwards : {false, true}) {
        emulatedCard().backwards = backwards;
        CAPTURE(backwards);
        const auto prepared = (*device)->prepare(task, 7, 1);
        CHECK((*device)->check(*prepared) <= toleranceOf(task));
    }
    emulatedCard().backwards = false;
}

Task halfTask(Kernel kernel, DType type = DType::Bf16)
{
    Task task{.kernel = kernel};
    task.weights = task.activations = task.kv = type;
    return task;
}

Task productOf(DType activations, DType weights, std::int64_t m, std::int64_t n, std::int64_t k)
{
    Task task = halfTask(Kernel::Gemm, activations);
    task.weights = weights;
    task.m = m;
    task.n = n;
    task.k = k;
    return task;
}

struct Heads {
    int query;
    int kv;
    int dim;
};
struct TokenCounts {
    std::int64_t past;
    std::int64_t fresh = 1;
};

// Two sequences, the second ending earlier.
Task attentionOf(Kernel kernel, DType type, DType cache, TokenCounts tokens, Heads heads)
{
    Task task = halfTask(kernel, type);
    task.kv = cache;
    task.batch = 2;
    task.past = tokens.past;
    task.queryTokens = tokens.fresh;
    task.ragged = true;
    task.queryHeads = heads.query;
    task.kvHeads = heads.kv;
    task.headDim = heads.dim;
    return task;
}

} // namespace

TEST_CASE("products with weights of 4, 8 and 16 bits: odd rows, misaligned depths, groups")
{
    for (const DType activations : {DType::Bf16, DType::Fp16})
        for (const DType weights : {activations, DType::Fp8, DType::Int8, DType::Int4})
            for (const std::int64_t m : {1, 5, 17, 70})
                for (const auto& [n, k] : {std::pair{1, 32}, {40, 1024}, {33, 416}, {7, 129}})
                    checkPasses(productOf(activations, weights, m, n, k));
}

TEST_CASE("int8 by int8 sums become scaled results")
{
    checkPasses(productOf(DType::Int8, DType::Int8, 5, 32, 64));
}

TEST_CASE("wide blocks: enough weight rows to fill the card")
{
    for (const DType weights : {DType::Bf16, DType::Int8, DType::Int4})
        checkPasses(productOf(DType::Bf16, weights, 3, 32 * 13 + 5, 256));
}

TEST_CASE(
    "decode attention: one token, ragged batches, page boundaries, groups, narrow caches, odd head sizes")
{
    for (const DType kv : {DType::Bf16, DType::Fp8, DType::Int8})
        for (const std::int64_t past : {0, 16, 17, 150})
            for (const Heads heads : {Heads{4, 4, 64}, {8, 2, 128}, {34, 2, 80}, {6, 1, 256}}) {
                Task task = attentionOf(Kernel::DecodeAttention, DType::Bf16, kv, {past}, heads);
                task.pageTokens = heads.dim == 80 ? 5 : 16;
                checkPasses(task);
            }
}

TEST_CASE("prefill attention: one token, chunks after a prefix, page boundaries, narrow caches")
{
    for (const DType kv : {DType::Fp16, DType::Fp8, DType::Int8})
        for (const TokenCounts tokens : {TokenCounts{0, 1}, {31, 130}, {60, 3}})
            for (const Heads heads : {Heads{2, 1, 64}, {2, 2, 128}, {1, 1, 192}})
                checkPasses(attentionOf(Kernel::PrefillAttention, DType::Fp16, kv, tokens, heads));
}

TEST_CASE("few new tokens after a long prefix: blocks share the prefix out and the last one merges")
{
    for (const TokenCounts tokens : {TokenCounts{600, 1}, {515, 70}}) {
        checkPasses(attentionOf(Kernel::PrefillAttention, DType::Bf16, DType::Bf16, tokens, {1, 1, 192}));
        checkPasses(attentionOf(Kernel::PrefillAttention, DType::Bf16, DType::Int8, tokens, {2, 1, 64}));
    }
}

TEST_CASE("one score may outweigh all others by any amount")
{
    for (const Kernel kernel : {Kernel::DecodeAttention, Kernel::PrefillAttention, Kernel::DecodeLatent}) {
        const bool prefill = kernel == Kernel::PrefillAttention;
        Task task = attentionOf(kernel, DType::Bf16, DType::Bf16, {100, prefill ? 20 : 1},
                                {4, 1, kernel == Kernel::DecodeLatent ? 0 : 64});
        task.batch = 1;
        task.ragged = false;
        task.latent = kernel == Kernel::DecodeLatent ? 64 : 0;
        task.queryScale = 500;
        checkPasses(task);
    }
}

TEST_CASE("latent attention, with much and with little shared memory")
{
    constexpr int much = 227 * 1024;
    for (const int shared : {much, 164 * 1024, 99 * 1024})
        for (const std::int64_t past : {0, 32, 100})
            for (const auto& [heads, latent, rope] : {std::tuple{70, 512, 64}, {16, 64, 16}}) {
                if (shared != much && past != 32)
                    continue; // the tiles are smaller; where a sequence ends in one is the same question
                emulatedCard().sharedBytes = shared;
                Task task
                    = attentionOf(Kernel::DecodeLatent, DType::Bf16, DType::Bf16, {past}, {heads, 0, 0});
                task.latent = latent;
                task.rope = rope;
                checkPasses(task);
                if (past == 32) {
                    task.kv = DType::Fp8;
                    checkPasses(task);
                }
            }
    emulatedCard().sharedBytes = EmulatedCard{}.sharedBytes;
}

TEST_CASE("experts: empty ones, one token, many, every weight type, misaligned widths")
{
    for (const DType weights : {DType::Bf16, DType::Fp8, DType::Int8, DType::Int4})
        for (const bool gated : {true, false})
            for (const auto& [m, experts, choices] : {std::tuple{1, 8, 2}, {33, 2, 1}})
                for (const auto& [n, k] : {std::pair{128, 256}, {24, 40}}) {
                    if (!gated && n == 128)
                        continue; // both branches at one of the two widths
                    Task task = halfTask(Kernel::Experts);
                    task.weights = weights;
                    task.gated = gated;
                    task.m = m;
                    task.n = n;
                    task.k = k;
                    task.experts = experts;
                    task.expertsPerToken = choices;
                    task.routingSkew = experts == 8 ? 3 : 0;
                    checkPasses(task);
                }
}

TEST_CASE("element-wise kernels at widths that 16 bytes divide and others")
{
    for (const DType type : {DType::Bf16, DType::Fp16, DType::Fp32})
        for (const std::int64_t width : {1, 7, 64, 1000, 8200}) {
            Task task = halfTask(Kernel::NormResidual, type);
            task.m = 3;
            task.k = width;
            checkPasses(task);
        }
    for (const bool gated : {true, false})
        for (const std::int64_t width : {1, 7, 64, 1000}) {
            Task task = halfTask(Kernel::GatedActivation);
            task.gated = gated;
            task.m = 3;
            task.n = width;
            checkPasses(task);
        }
    for (const DType kv : {DType::Bf16, DType::Fp8, DType::Int8}) {
        Task task = halfTask(Kernel::RopeAppend);
        task.kv = kv;
        task.m = 19;
        task.past = 7;
        task.queryHeads = 3;
        task.kvHeads = 1;
        task.headDim = 64;
        checkPasses(task);
    }
    for (const std::int64_t vocab : {1, 31, 5000}) {
        Task task = halfTask(Kernel::Sampling, DType::Fp32);
        task.m = 2;
        task.n = vocab;
        checkPasses(task);
    }
    for (const Kernel kernel : {Kernel::Read, Kernel::Copy}) {
        Task task = halfTask(kernel, DType::Fp32);
        task.bytes = 16 * 1003;
        checkPasses(task);
    }
}

TEST_CASE("a recorded graph repeats its launches over all copies and leaves results that pass")
{
    const Task task = attentionOf(Kernel::DecodeAttention, DType::Bf16, DType::Bf16, {200}, {4, 1, 64});
    auto device = makeCudaDevice(0);
    REQUIRE(device.has_value());
    const auto prepared = (*device)->prepare(task, 3, 2);
    const Stretch stretch = (*device)->time(*prepared, 10);
    CHECK(stretch.launches >= 10);
    CHECK(stretch.launches % 2 == 0);
    CHECK((*device)->check(*prepared) <= toleranceOf(task)); // counters were left as they were found
}

TEST_CASE("an eager launch is made by the host each time, others by a graph")
{
    auto device = makeCudaDevice(0);
    REQUIRE(device.has_value());
    for (const bool eager : {true, false}) {
        Task task{.kernel = Kernel::Empty};
        task.eager = eager;
        const auto prepared = (*device)->prepare(task, 1, 1);
        const int before = emulatedCard().launches;
        const Stretch stretch = (*device)->time(*prepared, 100);
        CHECK(stretch.launches == 100);
        CHECK(emulatedCard().launches - before == 100);
    }
}

TEST_CASE("a graph of so many launches is started and waited for as often as was asked")
{
    auto device = makeCudaDevice(0);
    REQUIRE(device.has_value());
    for (const int nodes : {1, 10, 1000}) {
        Task task{.kernel = Kernel::Empty};
        task.graphNodes = nodes;
        REQUIRE((*device)->obstacle(task).empty());
        const auto prepared = (*device)->prepare(task, 1, 1);
        const int before = emulatedCard().launches;
        const Stretch stretch = (*device)->time(*prepared, 3);
        CHECK(stretch.launches == 3);
        CHECK(emulatedCard().launches - before == 3 * nodes);
    }
}

TEST_CASE("a sequence is one graph over all copies, and another sequence at the same addresses is another")
{
    auto device = makeCudaDevice(0);
    REQUIRE(device.has_value());
    Task norm = halfTask(Kernel::NormResidual);
    norm.m = 2;
    norm.k = 64;
    norm.hot = true;
    const Task gemm = productOf(DType::Bf16, DType::Bf16, 2, 32, 64);
    for (const std::uint64_t seed : {3U, 4U}) { // operands of the second take the place of the first one's
        const auto first = (*device)->prepare(norm, seed, 1);
        const auto second = (*device)->prepare(gemm, seed, 3);
        const int before = emulatedCard().launches;
        const Stretch stretch = (*device)->timeSequence({first.get(), second.get()}, 7);
        CHECK(stretch.launches == 9); // whole turns over three copies
        CHECK(emulatedCard().launches - before == 2 * 9);
        CHECK((*device)->timeSequence({first.get(), second.get()}, 3).launches == 3);
        CHECK(emulatedCard().launches - before == 2 * (9 + 3));
        CHECK((*device)->check(*first) <= toleranceOf(norm));
        CHECK((*device)->check(*second) <= toleranceOf(gemm));
    }
}
