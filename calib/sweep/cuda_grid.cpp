#include "calib/sweep/sweep.h"

#include <array>

namespace headroom {

namespace {

using kernels::Kernel;
using kernels::Task;

struct Shape {
    std::int64_t n;
    std::int64_t k;
};
// Matrices of dense models of 7 to 70 billion parameters, whole and in eighths, and of a fine-grained expert
// model's attention; none of a held-out layer.
constexpr std::array shapes{Shape{4096, 4096},  Shape{12288, 4096}, Shape{22016, 4096}, Shape{4096, 11008},
                            Shape{5120, 5120},  Shape{27648, 5120}, Shape{5120, 13824}, Shape{57344, 8192},
                            Shape{8192, 28672}, Shape{8192, 8192},  Shape{1536, 8192},  Shape{8192, 1536},
                            Shape{3584, 3584},  Shape{2048, 6144}};
constexpr std::array<std::int64_t, 24> rows{1,   2,   4,   8,   16,  24,  32,  48,   64,   96,   128,  136,
                                            192, 256, 264, 384, 512, 520, 768, 1024, 1536, 2048, 4096, 8192};

TaskFamily gemms(DType weights, DType activations, std::int64_t mostRows)
{
    TaskFamily family{.tasks = {}, .columns = shapes.size(), .turn = 3};
    for (const std::int64_t m : rows)
        for (const Shape shape : shapes) {
            if (m > mostRows)
                continue;
            Task task{.kernel = Kernel::Gemm, .name = OpName::Qkv};
            task.weights = weights;
            task.activations = activations;
            task.m = m;
            task.n = shape.n;
            task.k = shape.k;
            family.tasks.push_back(task);
        }
    return family;
}

struct Heads {
    int query;
    int kv;
    int dim;
};
constexpr std::array heads{Heads{32, 8, 128}, Heads{64, 8, 128}, Heads{8, 1, 128}, Heads{16, 2, 128},
                           Heads{32, 32, 64}};
constexpr double mostCacheBytes = 16e9; // of one point: leaves room for the rest on a 24 GB card

double cacheBytes(const Task& task)
{
    return 2.0 * double(task.batch) * double(task.past + task.queryTokens) * task.kvHeads * task.headDim
        * bytesPerElement(task.kv);
}

Task attention(Kernel kernel, OpName name, Heads head, DType kv)
{
    Task task{.kernel = kernel, .name = name};
    task.kv = kv;
    task.queryHeads = head.query;
    task.kvHeads = head.kv;
    task.headDim = head.dim;
    return task;
}

TaskFamily decodes(DType kv)
{
    TaskFamily family{.tasks = {}, .columns = heads.size(), .turn = 2};
    for (const std::int64_t batch : {1, 4, 16, 64, 256})
        for (const std::int64_t context : {128, 512, 2048, 8192, 32768, 131072})
            for (const Heads head : heads) {
                Task task = attention(Kernel::DecodeAttention, OpName::DecodeAttention, head, kv);
                task.batch = batch;
                task.queryTokens = 1;
                task.past = context - 1;
                if (cacheBytes(task) > mostCacheBytes)
                    family.without.push_back(family.tasks.size());
                family.tasks.push_back(task);
            }
    return family;
}

TaskFamily prefills()
{
    TaskFamily family{.tasks = {}, .columns = heads.size()};
    for (const std::int64_t past : {0, 4096, 32768})
        for (const std::int64_t query : {64, 256, 1024, 4096, 16384})
            for (const Heads head : heads) {
                Task task = attention(Kernel::PrefillAttention, OpName::PrefillAttention, head, DType::Bf16);
                task.batch = 1;
                task.queryTokens = query;
                task.past = past;
                family.tasks.push_back(task);
            }
    return family;
}

TaskFamily latents()
{
    // 128 heads, whole and shared out among two, four and eight ranks: a form is judged by counts it was not
    // fitted to.
    constexpr std::array counts{16, 32, 64, 128};
    TaskFamily family{.tasks = {}, .columns = counts.size()};
    for (const std::int64_t batch : {1, 4, 16, 64, 128})
        for (const std::int64_t context : {512, 2048, 8192, 32768})
            for (const int count : counts) {
                Task task{.kernel = Kernel::DecodeLatent, .name = OpName::DecodeAttention};
                task.batch = batch;
                task.queryTokens = 1;
                task.past = context - 1;
                task.queryHeads = count;
                task.kvHeads = 1;
                task.latent = 512;
                task.rope = 64;
                family.tasks.push_back(task);
            }
    return family;
}

TaskFamily experts(DType weights, DType activations)
{
    struct Experts {
        int count;
        int chosen;
        std::int64_t inner;
        std::int64_t slice;
    };
    constexpr std::array kinds{Experts{8, 2, 4096, 14336}, Experts{64, 6, 2048, 1408},
                               Experts{32, 8, 7168, 2048}, Experts{128, 8, 4096, 1536}};
    TaskFamily family{.tasks = {}, .columns = kinds.size() * 2};
    for (const std::int64_t tokens : {1, 4, 16, 64, 256, 1024, 4096, 16384})
        for (const Experts& kind : kinds)
            for (const double skew : {0.0, 0.7}) {
                Task task{.kernel = Kernel::Experts, .name = OpName::Experts};
                task.weights = weights;
                task.activations = activations;
                task.m = tokens;
                task.n = kind.slice;
                task.k = kind.inner;
                task.experts = kind.count;
                task.expertsPerToken = kind.chosen;
                task.routingSkew = skew;
                family.tasks.push_back(task);
            }
    return family;
}

constexpr std::array<std::int64_t, 6> streamRows{1, 8, 64, 512, 4096, 32768};
constexpr std::array<std::int64_t, 4> streamWidths{2048, 4096, 8192, 16384};

TaskFamily norms()
{
    return familyOfWidths({.kernel = Kernel::NormResidual, .name = OpName::Norm}, &Task::k, streamRows,
                          streamWidths);
}

TaskFamily activations()
{
    return familyOfWidths({.kernel = Kernel::GatedActivation, .name = OpName::Activation}, &Task::n,
                          streamRows, streamWidths);
}

TaskFamily ropes()
{
    TaskFamily family{.tasks = {}, .columns = heads.size()};
    for (const std::int64_t m : {1, 8, 64, 512, 4096})
        for (const Heads head : heads) {
            Task task = attention(Kernel::RopeAppend, OpName::RopeAppend, head, DType::Bf16);
            task.m = m;
            task.past = 1024;
            family.tasks.push_back(task);
        }
    return family;
}

TaskFamily samplings()
{
    constexpr std::array<std::int64_t, 4> batches{1, 8, 64, 256};
    constexpr std::array<std::int64_t, 3> vocabularies{32000, 128256, 151936};
    return familyOfWidths({.kernel = Kernel::Sampling, .name = OpName::Sampling}, &Task::n, batches,
                          vocabularies);
}

} // namespace

std::vector<TaskFamily> cudaFamilies()
{
    constexpr std::int64_t all = 8192;
    return {gemms(DType::Bf16, DType::Bf16, all),
            gemms(DType::Fp8, DType::Fp8, all),
            gemms(DType::Int8, DType::Int8, all),
            gemms(DType::Int4, DType::Bf16, 512),
            gemms(DType::Int8, DType::Bf16, 512),
            decodes(DType::Bf16),
            decodes(DType::Fp8),
            prefills(),
            latents(),
            experts(DType::Bf16, DType::Bf16),
            experts(DType::Fp8,
                    DType::Bf16), // widened on the way: no kernel here multiplies 8-bit rows by experts
            norms(),
            activations(),
            ropes(),
            samplings()};
}

std::vector<Task> cudaMachineTasks()
{
    std::vector<Task> out{{.kernel = Kernel::Empty, .name = OpName::Embedding},
                          {.kernel = Kernel::Empty, .name = OpName::Embedding, .eager = true}};
    for (const int nodes : {1, 10, 100, 1000}) {
        Task graph{.kernel = Kernel::Empty, .name = OpName::Embedding};
        graph.graphNodes = nodes;
        out.push_back(graph);
    }
    for (std::int64_t kibibytes = 64; kibibytes <= (std::int64_t(4) << 20); kibibytes *= 8)
        for (const Kernel kernel : {Kernel::Read, Kernel::Copy}) {
            Task task{.kernel = kernel, .name = OpName::Embedding};
            task.bytes = kibibytes << 10;
            out.push_back(task);
        }
    // All bursts, as a layer is timed, then what clocks settle at: a burst after those would find them low.
    for (const bool sustained : {false, true})
        for (const DType type : {DType::Bf16, DType::Fp16, DType::Fp8, DType::Int8}) {
            Task gemm{.kernel = Kernel::Gemm, .name = OpName::Qkv};
            gemm.weights = gemm.activations = type;
            gemm.m = gemm.n = gemm.k = 8192;
            gemm.sustained = sustained;
            out.push_back(gemm);
        }
    return out;
}

} // namespace headroom
