#include "kernels/tools/bench_tasks.h"

#include <tuple>
#include <utility>

namespace headroom::kernels {

namespace {

Task gemm(DType weights, DType activations, std::int64_t m, std::int64_t n, std::int64_t k)
{
    return {.kernel = Kernel::Gemm, .weights = weights, .activations = activations, .m = m, .n = n, .k = k};
}

Task attention(Kernel kernel, std::int64_t batch, std::int64_t fresh, std::int64_t past, int query, int heads,
               int dim, DType kv = DType::Bf16)
{
    return {.kernel = kernel,
            .kv = kv,
            .batch = batch,
            .queryTokens = fresh,
            .past = past,
            .queryHeads = query,
            .kvHeads = heads,
            .headDim = dim};
}

Task latent(std::int64_t batch, std::int64_t past, int heads, int width, int rope)
{
    return {.kernel = Kernel::DecodeLatent,
            .batch = batch,
            .past = past,
            .queryHeads = heads,
            .latent = width,
            .rope = rope};
}

Task experts(DType weights, std::int64_t m, std::int64_t n, std::int64_t k, int count, int choices)
{
    return {.kernel = Kernel::Experts,
            .weights = weights,
            .m = m,
            .n = n,
            .k = k,
            .experts = count,
            .expertsPerToken = choices};
}

Task stream(Kernel kernel, std::int64_t m, std::int64_t n, std::int64_t k)
{
    return {.kernel = kernel, .m = m, .n = n, .k = k};
}

Task rope(std::int64_t m, DType kv = DType::Bf16)
{
    return {.kernel = Kernel::RopeAppend, .kv = kv, .m = m, .queryHeads = 32, .kvHeads = 8, .headDim = 128};
}

Task hot(Task task)
{
    task.hot = true;
    return task;
}

void addGemmChecks(std::vector<Task>& out, bool small)
{
    for (const DType activations : {DType::Bf16, DType::Fp16})
        for (const DType weights : {activations, DType::Fp8, DType::Int8, DType::Int4})
            for (const std::int64_t m : {1, 4, 5, 17, 64, 70})
                for (const auto& [n, k] :
                     {std::pair{1, 32}, {40, 1024}, {33, 416}, {7, 129}, {4099, 4096}, {1024, 14336}}) {
                    // The reference of a large product takes seconds: one number of rows for each kind of
                    // tile.
                    const bool large = n > 100 && m != 1 && m != 5 && m != 70;
                    if (!large && (!small || (n < 100 && m < 64)))
                        out.push_back(gemm(weights, activations, m, n, k));
                }
    for (const std::int64_t m : {1, 16, 33, 300}) {
        out.push_back(gemm(DType::Fp8, DType::Fp8, m, 128, 256));
        out.push_back(gemm(DType::Int8, DType::Int8, m, 128, 256));
    }
}

void addAttentionChecks(std::vector<Task>& out, bool small)
{
    using Shape = std::tuple<int, int, int>; // query heads, KV heads, head dimension
    for (const DType kv : {DType::Bf16, DType::Fp8, DType::Int8}) {
        for (const std::int64_t past : {0, 1, 15, 16, 17, 300, 5000})
            for (const auto& [query, heads, dim] :
                 {Shape{4, 4, 64}, {8, 2, 128}, {34, 2, 80}, {6, 1, 256}, {32, 8, 128}}) {
                if (small && past > 300)
                    continue;
                Task task = attention(Kernel::DecodeAttention, 3, 1, past, query, heads, dim, kv);
                task.ragged = true;
                task.pageTokens = dim == 80 ? 5 : 16;
                out.push_back(task);
            }
        for (const auto& [past, fresh] : {std::pair{0, 1}, {0, 37}, {31, 130}, {100, 3}, {700, 300}})
            for (const auto& [query, heads, dim] : {Shape{2, 1, 64}, {2, 2, 128}, {4, 1, 128}, {1, 1, 192}}) {
                if (small && past > 100)
                    continue;
                Task task = attention(Kernel::PrefillAttention, 2, fresh, past, query, heads, dim, kv);
                task.ragged = true;
                out.push_back(task);
            }
    }
    for (const Kernel kernel : {Kernel::DecodeAttention, Kernel::PrefillAttention}) {
        Task task = attention(kernel, 1, kernel == Kernel::PrefillAttention ? 20 : 1, 100, 4, 1, 64);
        task.queryScale = 500; // one score outweighs all others
        out.push_back(task);
    }
    for (const std::int64_t past : {0, 31, 32, 200, 3000})
        for (const auto& [heads, width, ropeDim] : {Shape{70, 512, 64}, {16, 64, 16}}) {
            if (small && past > 200)
                continue;
            Task task = latent(2, past, heads, width, ropeDim);
            task.ragged = true;
            out.push_back(task);
            task.kv = DType::Fp8;
            out.push_back(task);
        }
}

void addExpertChecks(std::vector<Task>& out, bool small)
{
    for (const DType weights : {DType::Bf16, DType::Fp8, DType::Int8, DType::Int4})
        for (const bool gated : {true, false})
            for (const auto& [m, count, choices] : {std::tuple{1, 8, 2}, {9, 5, 3}, {70, 2, 1}, {33, 64, 8}})
                for (const auto& [n, k] : {std::pair{128, 256}, {24, 40}, {768, 1024}}) {
                    if (small && (n > 128 || count > 8))
                        continue;
                    Task task = experts(weights, m, n, k, count, choices);
                    task.gated = gated;
                    task.routingSkew = count == 8 ? 3 : 0; // late experts stay empty
                    out.push_back(task);
                }
}

void addStreamChecks(std::vector<Task>& out)
{
    for (const DType type : {DType::Bf16, DType::Fp16, DType::Fp32})
        for (const std::int64_t width : {1, 7, 64, 1000, 4096, 8200, 40000}) {
            Task task = stream(Kernel::NormResidual, 3, 0, width);
            task.weights = task.activations = type;
            out.push_back(task);
        }
    for (const std::int64_t width : {1, 7, 64, 1000, 14336}) {
        Task task = stream(Kernel::GatedActivation, 3, width, 0);
        out.push_back(task);
        task.gated = false;
        out.push_back(task);
    }
    for (const DType kv : {DType::Bf16, DType::Fp8, DType::Int8}) {
        Task task = rope(19, kv);
        task.past = 7;
        out.push_back(task);
    }
    for (const std::int64_t vocab : {1, 31, 128256})
        out.push_back(stream(Kernel::Sampling, 2, vocab, 0));
    for (const Kernel kernel : {Kernel::Read, Kernel::Copy})
        out.push_back({.kernel = kernel, .bytes = 16 * 100003});
}

} // namespace

std::vector<Task> checkTasks(bool small)
{
    std::vector<Task> out;
    addGemmChecks(out, small);
    addAttentionChecks(out, small);
    addExpertChecks(out, small);
    addStreamChecks(out);
    return out;
}

Card cardOf(std::string_view name)
{
    if (name.find("A100") != std::string_view::npos)
        return Card::A100;
    if (name.find("H100") != std::string_view::npos)
        return Card::H100;
    return name.find("H200") != std::string_view::npos ? Card::H200 : Card::Other;
}

Peaks peaksOf(std::string_view name)
{
    // NVIDIA's datasheets of the SXM cards, dense: A100 80GB, H100, H200. (A100 has no fp8; int8 is 624.)
    switch (cardOf(name)) {
    case Card::A100:
        return {2039e9, 312e12, 624e12};
    case Card::H100:
        return {3350e9, 989e12, 1979e12};
    case Card::H200:
        return {4800e9, 989e12, 1979e12};
    case Card::Other:
        break;
    }
    return {};
}

// The targets of docs/executor.md, "Fraction of the physical limit".
std::vector<BenchRow> benchRows()
{
    constexpr DType b = DType::Bf16;
    constexpr Limit bandwidth = Limit::Bandwidth;
    constexpr Limit arithmetic = Limit::Arithmetic;
    constexpr Limit latency = Limit::Latency;
    constexpr Kernel decode = Kernel::DecodeAttention;
    constexpr Kernel prefill = Kernel::PrefillAttention;
    return {
        {"1",
         "GEMV bf16, 117 MB",
         bandwidth,
         gemm(b, b, 1, 14336, 4096),
         {{{0.80, 0.88}, {0.85, 0.92}, {0.82, 0.90}}}},
        {"2",
         "GEMV bf16, 17 MB",
         bandwidth,
         gemm(b, b, 1, 4096, 2048),
         {{{0.60, 0.72}, {0.60, 0.75}, {0.58, 0.72}}}},
        {"3",
         "GEMM bf16 m=16, 235 MB",
         bandwidth,
         gemm(b, b, 16, 28672, 4096),
         {{{0.75, 0}, {0.82, 0}, {0.79, 0}}}},
        {"3",
         "GEMM fp8 m=64, 117 MB",
         bandwidth,
         gemm(DType::Fp8, DType::Fp8, 64, 28672, 4096),
         {{{0, 0}, {0.70, 0.80}, {0.67, 0.77}}}},
        {"4",
         "int4 weights m=1",
         bandwidth,
         gemm(DType::Int4, b, 1, 28672, 8192),
         {{{0.65, 0.90}, {0.60, 0.80}, {0.58, 0.78}}}},
        {"4",
         "int4 weights m=16",
         bandwidth,
         gemm(DType::Int4, b, 16, 28672, 8192),
         {{{0.65, 0.90}, {0.60, 0.80}, {0.58, 0.78}}}},
        {"4",
         "int8 weights m=1",
         bandwidth,
         gemm(DType::Int8, b, 1, 28672, 8192),
         {{{0.65, 0.90}, {0.60, 0.80}, {0.58, 0.78}}}},
        {"5",
         "GEMM bf16 m=4096",
         arithmetic,
         gemm(b, b, 4096, 8192, 8192),
         {{{0.75, 0.87}, {0.70, 0.80}, {0.70, 0.80}}}},
        {"6",
         "GEMM fp8 m=4096",
         arithmetic,
         gemm(DType::Fp8, DType::Fp8, 4096, 8192, 8192),
         {{{0, 0}, {0.60, 0.78}, {0.60, 0.73}}}},
        {"7",
         "decode attention 32/8 heads, bf16, 537 MB",
         bandwidth,
         attention(decode, 32, 1, 4096, 32, 8, 128),
         {{{0.72, 0.80}, {0.80, 0.96}, {0.78, 0.92}}}},
        {"8",
         "decode attention 32/8 heads, fp8",
         bandwidth,
         attention(decode, 64, 1, 4096, 32, 8, 128, DType::Fp8),
         {{{0, 0}, {0.68, 0.80}, {0.66, 0.78}}}},
        {"8",
         "decode attention 32/8 heads, int8",
         bandwidth,
         attention(decode, 64, 1, 4096, 32, 8, 128, DType::Int8),
         {{{0.60, 0}, {0.68, 0.80}, {0.66, 0.78}}}},
        {"9",
         "decode attention 32/32 heads, bf16",
         bandwidth,
         attention(decode, 16, 1, 2048, 32, 32, 128),
         {{{0.75, 0.87}, {0.75, 0.89}, {0.75, 0.87}}}},
        {"10",
         "decode attention, one sequence of 1,024",
         latency,
         attention(decode, 1, 1, 1024, 32, 8, 128),
         {{{9, 0}, {8, 0}, {8, 0}}}},
        {"11",
         "latent decode attention, 128 heads",
         arithmetic,
         latent(64, 4096, 128, 512, 64),
         {{{0, 0}, {0.30, 0.67}, {0.30, 0.67}}}},
        {"12",
         "prefill attention 4,096 tokens",
         arithmetic,
         attention(prefill, 4, 4096, 0, 32, 8, 128),
         {{{0.50, 0.65}, {0.28, 0.52}, {0.28, 0.52}}}},
        {"13",
         "prefill attention 2,048 after 16,384",
         arithmetic,
         attention(prefill, 1, 2048, 16384, 32, 8, 128),
         {{{0.45, 0}, {0.25, 0.50}, {0.25, 0.50}}}},
        {"14",
         "RMSNorm + residual, 134 MB",
         bandwidth,
         stream(Kernel::NormResidual, 16384, 0, 4096),
         {{{0.80, 0}, {0.85, 0.90}, {0.82, 0.88}}}},
        {"15",
         "RMSNorm + residual, 16 rows",
         latency,
         hot(stream(Kernel::NormResidual, 16, 0, 4096)),
         {{{3.5, 0}, {3, 0}, {3, 0}}}},
        {"16", "RoPE + append, 8,192 tokens", bandwidth, rope(8192), {{{0.70, 0}, {0.75, 0}, {0.75, 0}}}},
        {"16", "RoPE + append, 16 tokens", latency, hot(rope(16)), {{{3, 0}, {2.5, 0}, {2.5, 0}}}},
        {"17",
         "SwiGLU",
         bandwidth,
         stream(Kernel::GatedActivation, 8192, 14336, 0),
         {{{0.80, 0}, {0.85, 0}, {0.83, 0}}}},
        {"18",
         "experts with next to no products, 64 tokens",
         latency,
         hot(experts(b, 64, 32, 128, 64, 8)),
         {{{12, 0}, {10, 0}, {10, 0}}}},
        {"19",
         "experts decode bf16, 32 tokens, 64 of 1408",
         bandwidth,
         experts(b, 32, 1408, 2048, 64, 8),
         {{{0.60, 0.80}, {0.65, 0.88}, {0.62, 0.85}}}},
        {"19",
         "experts decode int4, 32 tokens, 8 of 14336",
         bandwidth,
         experts(DType::Int4, 32, 14336, 4096, 8, 2),
         {{{0.60, 0.80}, {0.65, 0.88}, {0.62, 0.85}}}},
        {"20",
         "experts prefill bf16, 4,096 tokens, 8 of 14336",
         arithmetic,
         experts(b, 4096, 14336, 4096, 8, 2),
         {{{0.45, 0}, {0.35, 0.66}, {0.35, 0.66}}}},
        {"21",
         "greedy sampling of 128,256",
         latency,
         stream(Kernel::Sampling, 1, 128256, 0),
         {{{25, 0}, {20, 0}, {20, 0}}}},
        {"22",
         "empty launch in a graph",
         latency,
         {.kernel = Kernel::Empty},
         {{{1.6, 0}, {1.3, 0}, {1.3, 0}}}},
    };
}

} // namespace headroom::kernels
