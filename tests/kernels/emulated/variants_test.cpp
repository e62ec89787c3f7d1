#include "emulated_tasks.h"
#include "tests/thorough.h"

#include <tuple>

using namespace headroom;
using namespace headroom::kernels;
using headroom::test::passes;

// Every kernel of a family at small sizes, whichever of them such sizes would take.
namespace {

Task product(DType activations, DType weights, std::int64_t m, std::int64_t n, std::int64_t k)
{
    return {.kernel = Kernel::Gemm,
            .weights = weights,
            .activations = activations,
            .kv = activations,
            .m = m,
            .n = n,
            .k = k};
}

Task attention(Kernel kernel, DType kv, std::int64_t fresh, std::int64_t past)
{
    return {.kernel = kernel,
            .kv = kv,
            .batch = 2,
            .queryTokens = fresh,
            .past = past,
            .ragged = true,
            .queryHeads = 6,
            .kvHeads = 2,
            .headDim = 64};
}

constexpr Variant staged(int rows) { return {.staged = true, .rows = rows, .columns = 128}; }

} // namespace

TEST_CASE("staged products: tiles that rows, columns and depth do not fill, every weight type")
{
    for (const DType activations : {DType::Bf16, DType::Fp16})
        for (const DType weights : {DType::Fp8, DType::Int8, DType::Int4})
            for (const auto& [m, n, k] : {std::tuple{130, 33, 128}, {3, 140, 384}, {70, 7, 64}}) {
                Task task = product(activations, weights, m, n, k);
                task.variant = staged(m > 100 ? 128 : m > 10 ? 64 : 32);
                passes(task);
            }
    for (const int rows : {32, 64, 128}) {
        Task task = product(DType::Fp16, DType::Fp16, 20, 150, 200);
        task.variant = staged(rows);
        passes(task);
    }
}

TEST_CASE("staged products whose depth is shared out: the last part may be empty")
{
    for (const DType weights : {DType::Int8, DType::Int4})
        for (const int parts : {2, 4}) {
            Task task = product(DType::Bf16, weights, 40, 136, 384); // six tiles deep
            task.variant = staged(32);
            task.variant->parts = parts;
            passes(task);
        }
}

TEST_CASE("streamed products: narrow and wide blocks, few and many rows")
{
    for (const DType weights : {DType::Bf16, DType::Int8, DType::Int4})
        for (const int columns : {16, 32})
            for (const int rows : {8, 16}) {
                if (rows == 16 && weights != DType::Bf16)
                    continue; // shared tiles take those
                Task task = product(DType::Bf16, weights, 21, 40, 256);
                task.variant = Variant{.rows = rows, .columns = columns};
                passes(task);
            }
}

TEST_CASE("experts by staged tiles: empty ones, several tiles of rows, both branches, every weight type")
{
    for (const DType weights : {DType::Bf16, DType::Fp8, DType::Int8, DType::Int4})
        for (const bool gated : {true, false})
            for (const auto& [m, experts, choices, skew] : {std::tuple{150, 2, 1, 0.0}, {40, 6, 2, 3.0}}) {
                if (m == 150 && (!gated || (weights != DType::Int4 && !test::thorough())))
                    continue; // several tiles are walked alike by both branches, and by every type
                Task task{.kernel = Kernel::Experts, .weights = weights, .m = m, .n = 128, .k = 256};
                task.gated = gated;
                task.experts = experts;
                task.expertsPerToken = choices;
                task.routingSkew = skew;
                task.variant = staged(m > 100 ? 128 : 32);
                passes(task);
            }
    Task task{.kernel = Kernel::Experts, .m = 70, .n = 72, .k = 136}; // neither divides a tile
    task.experts = 3;
    task.expertsPerToken = 2;
    task.variant = staged(64);
    passes(task);
}

TEST_CASE("attention in one part and in three, of which the last may be empty")
{
    for (const int parts : {1, 3})
        for (const DType kv : {DType::Bf16, DType::Fp8, DType::Int8})
            for (const Kernel kernel :
                 {Kernel::DecodeAttention, Kernel::PrefillAttention, Kernel::DecodeLatent}) {
                if (kernel == Kernel::DecodeLatent && kv == DType::Int8)
                    continue;
                Task task = attention(kernel, kv, kernel == Kernel::PrefillAttention ? 9 : 1, 70);
                if (kernel == Kernel::DecodeLatent) {
                    task.latent = 64;
                    task.rope = 16;
                    task.headDim = 0;
                }
                task.variant = Variant{.parts = parts};
                passes(task);
            }
}

TEST_CASE("more pieces of a decode attention than one block merges")
{
    for (const int queryHeads : {6, 36}) // one tile of heads and, of the second head size, two
        for (const int headDim : {64, 256}) {
            Task task = attention(Kernel::DecodeAttention, DType::Bf16, 1, 540);
            task.queryHeads = queryHeads;
            task.headDim = headDim;
            task.variant = Variant{.parts = 34};
            passes(task);
        }
}

TEST_CASE("parts of prefill and latent attention merged by warps that share them")
{
    for (const Kernel kernel : {Kernel::PrefillAttention, Kernel::DecodeLatent}) {
        Task task = attention(kernel, DType::Bf16, kernel == Kernel::PrefillAttention ? 9 : 1, 330);
        if (kernel == Kernel::DecodeLatent) {
            task.latent = 64;
            task.rope = 16;
            task.headDim = 0;
        }
        task.variant = Variant{.parts = 11};
        passes(task);
    }
}

TEST_CASE("rows of a norm held in one, two or four pieces a thread, and by the kernel for any width")
{
    for (const int columns : {1, 2, 4}) {
        Task task{.kernel = Kernel::NormResidual, .m = 3, .k = 1024};
        task.variant = Variant{.columns = columns};
        passes(task);
    }
    Task task{.kernel = Kernel::NormResidual, .m = 3, .k = 1024};
    task.variant = Variant{.plain = true};
    passes(task);
}

TEST_CASE("a rotary embedding in words of 16 bytes: head sizes that are powers of two and others, scales of "
          "a narrow cache")
{
    for (const DType kv : {DType::Bf16, DType::Fp8, DType::Int8})
        for (const int headDim : {16, 64, 80, 128, 256})
            for (const bool plain : {false, true}) {
                Task task{
                    .kernel = Kernel::RopeAppend, .kv = kv, .m = 7, .past = 5, .queryHeads = 3, .kvHeads = 2};
                task.headDim = headDim;
                task.variant = Variant{.plain = plain};
                passes(task);
            }
}
