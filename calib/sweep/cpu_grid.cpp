#include "calib/sweep/sweep.h"

#include <array>

namespace headroom {

namespace {

using kernels::Kernel;
using kernels::Task;

// A processor multiplies in 32 bit, whatever the weights are stored in.
Task cpuTask(Kernel kernel, OpName name, DType weights = DType::Fp32)
{
    Task task{.kernel = kernel, .name = name};
    task.weights = weights;
    task.activations = DType::Fp32;
    return task;
}

struct Shape {
    std::int64_t n;
    std::int64_t k;
};
// None of them a matrix of a held-out layer.
constexpr std::array shapes{Shape{640, 640},   Shape{1024, 512}, Shape{2048, 768},  Shape{1024, 1024},
                            Shape{4096, 1024}, Shape{768, 2048}, Shape{6144, 1024}, Shape{1024, 3072}};
constexpr std::array<std::int64_t, 7> rows{1, 2, 4, 8, 16, 32, 64};

TaskFamily gemms(DType weights)
{
    TaskFamily family{.tasks = {}, .columns = shapes.size(), .turn = 2};
    for (const std::int64_t m : rows)
        for (const Shape shape : shapes) {
            Task task = cpuTask(Kernel::Gemm, OpName::Qkv, weights);
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
constexpr std::array heads{Heads{8, 8, 64}, Heads{12, 4, 64}, Heads{16, 2, 64}, Heads{16, 8, 128}};

TaskFamily decodes(DType kv)
{
    TaskFamily family{.tasks = {}, .columns = heads.size()};
    for (const std::int64_t batch : {1, 4, 16})
        for (const std::int64_t context : {64, 256, 1024})
            for (const Heads head : heads) {
                Task task = cpuTask(Kernel::DecodeAttention, OpName::DecodeAttention);
                task.kv = kv;
                task.batch = batch;
                task.queryTokens = 1;
                task.past = context - 1;
                task.queryHeads = head.query;
                task.kvHeads = head.kv;
                task.headDim = head.dim;
                family.tasks.push_back(task);
            }
    return family;
}

TaskFamily prefills()
{
    TaskFamily family{.tasks = {}, .columns = heads.size()};
    for (const std::int64_t past : {0, 192})
        for (const std::int64_t query : {16, 48, 128, 256})
            for (const Heads head : heads) {
                Task task = cpuTask(Kernel::PrefillAttention, OpName::PrefillAttention);
                task.batch = 1;
                task.queryTokens = query;
                task.past = past;
                task.queryHeads = head.query;
                task.kvHeads = head.kv;
                task.headDim = head.dim;
                family.tasks.push_back(task);
            }
    return family;
}

TaskFamily experts(DType weights)
{
    struct Experts {
        int count;
        int chosen;
        std::int64_t inner;
        std::int64_t slice;
    };
    constexpr std::array kinds{Experts{8, 2, 512, 1024}, Experts{16, 4, 512, 256}, Experts{8, 1, 768, 512}};
    TaskFamily family{.tasks = {}, .columns = kinds.size()};
    for (const std::int64_t tokens : {1, 4, 16, 64})
        for (const Experts& kind : kinds) {
            Task task = cpuTask(Kernel::Experts, OpName::Experts, weights);
            task.m = tokens;
            task.n = kind.slice;
            task.k = kind.inner;
            task.experts = kind.count;
            task.expertsPerToken = kind.chosen;
            family.tasks.push_back(task);
        }
    return family;
}

constexpr std::array<std::int64_t, 4> streamRows{1, 4, 16, 64};

// Activations pass from one operator to the next: they are in a cache when the next one reads them.
TaskFamily norms()
{
    constexpr std::array<std::int64_t, 3> widths{512, 1024, 2048};
    Task task = cpuTask(Kernel::NormResidual, OpName::Norm);
    task.hot = true;
    return familyOfWidths(task, &Task::k, streamRows, widths);
}

TaskFamily activations()
{
    constexpr std::array<std::int64_t, 3> widths{1280, 2560, 5120};
    Task task = cpuTask(Kernel::GatedActivation, OpName::Activation);
    task.hot = true;
    return familyOfWidths(task, &Task::n, streamRows, widths);
}

TaskFamily ropes()
{
    TaskFamily family{.tasks = {}, .columns = heads.size()};
    for (const std::int64_t m : streamRows)
        for (const Heads head : heads) {
            Task task = cpuTask(Kernel::RopeAppend, OpName::RopeAppend);
            task.m = m;
            task.past = 64;
            task.queryHeads = head.query;
            task.kvHeads = head.kv;
            task.headDim = head.dim;
            task.hot = true;
            family.tasks.push_back(task);
        }
    return family;
}

TaskFamily samplings()
{
    constexpr std::array<std::int64_t, 3> batches{1, 4, 16};
    constexpr std::array<std::int64_t, 2> vocabularies{32000, 131072};
    return familyOfWidths(cpuTask(Kernel::Sampling, OpName::Sampling), &Task::n, batches, vocabularies);
}

} // namespace

std::vector<TaskFamily> cpuFamilies()
{
    return {gemms(DType::Bf16),   gemms(DType::Int8),
            gemms(DType::Int4),   gemms(DType::Fp32),
            decodes(DType::Bf16), decodes(DType::Int8),
            prefills(),           norms(),
            activations(),        ropes(),
            samplings(),          experts(DType::Bf16),
            experts(DType::Int4)};
}

std::vector<Task> cpuMachineTasks()
{
    std::vector<Task> out;
    out.push_back(cpuTask(Kernel::Empty, OpName::Embedding));
    for (const std::int64_t mebibytes : {16, 128}) {
        Task read = cpuTask(Kernel::Read, OpName::Embedding);
        read.bytes = mebibytes << 20;
        out.push_back(read);
    }
    Task copy = cpuTask(Kernel::Copy, OpName::Embedding);
    copy.bytes = std::int64_t(64) << 20;
    out.push_back(copy);
    for (const std::int64_t m : {128, 512}) {
        Task gemm = cpuTask(Kernel::Gemm, OpName::Qkv);
        gemm.m = m;
        gemm.n = gemm.k = 1024;
        gemm.hot = true;
        gemm.sustained = true;
        out.push_back(gemm);
    }
    return out;
}

} // namespace headroom
