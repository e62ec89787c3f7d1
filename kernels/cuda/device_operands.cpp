#include "kernels/cuda/device_operands.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace headroom::kernels {

namespace {

std::size_t storedBytes(DType type, std::size_t rows, std::size_t columns)
{
    if (type == DType::Int4)
        return rows * ((columns + 1) / 2);
    return rows * columns * std::size_t(bytesPerElement(type));
}

bool hasScales(DType type) { return type == DType::Fp8 || type == DType::Int8 || type == DType::Int4; }

// Describes a tensor without memory, so that its size can be asked before it is made.
DeviceTensor shaped(DType type, std::size_t rows, std::size_t columns, int groupSize = 0)
{
    DeviceTensor out{.type = type, .rows = rows, .columns = columns};
    if (hasScales(type))
        out.groupSize = groupSize > 0 ? groupSize : int(columns);
    return out;
}

std::size_t scaleCount(const DeviceTensor& tensor)
{
    if (tensor.groupSize == 0)
        return 0;
    const auto group = std::size_t(tensor.groupSize);
    return tensor.rows * ((tensor.columns + group - 1) / group);
}

std::size_t sizeOf(const DeviceTensor& tensor)
{
    return storedBytes(tensor.type, tensor.rows, tensor.columns) + scaleCount(tensor) * sizeof(float);
}

void allocate(DeviceTensor& tensor)
{
    tensor.bytes = DeviceBuffer(storedBytes(tensor.type, tensor.rows, tensor.columns));
    tensor.scales = DeviceBuffer(scaleCount(tensor) * sizeof(float));
}

std::int64_t freshOf(const Task& task) { return std::max<std::int64_t>(task.queryTokens, 1); }

struct Shapes {
    DeviceOperands operands;
    bool hasCache = false;
    std::int64_t cacheSequences = 0;
    std::int64_t cacheTokens = 0;
};

void shapeCache(Shapes& s, const Task& task, std::int64_t sequences, std::int64_t tokens)
{
    const bool latent = task.kernel == Kernel::DecodeLatent;
    s.hasCache = true;
    s.cacheSequences = sequences;
    s.cacheTokens = tokens;
    DeviceOperands& o = s.operands;
    o.kvHeads = latent ? 1 : task.kvHeads;
    o.pagesPerSequence = std::size_t((tokens + task.pageTokens - 1) / task.pageTokens);
    const std::size_t rows
        = std::size_t(sequences) * o.pagesPerSequence * std::size_t(o.kvHeads) * std::size_t(task.pageTokens);
    const auto width = std::size_t(latent ? task.latent + task.rope : task.headDim);
    o.keys = shaped(task.kv, rows, width);
    if (!latent)
        o.values = shaped(task.kv, rows, width);
}

// The same shapes as makeOperands in kernels/cpu.
Shapes shapesOf(const Task& task)
{
    Shapes s;
    DeviceOperands& o = s.operands;
    const auto m = std::size_t(task.m);
    const auto n = std::size_t(task.n);
    const auto k = std::size_t(task.k);
    const DType act = task.activations;
    switch (task.kernel) {
    case Kernel::Gemm:
        o.input = shaped(act, m, k);
        o.weights = shaped(task.weights, n, k, task.weights == DType::Int4 ? task.groupSize : 0);
        o.output = shaped(act == DType::Fp8 || act == DType::Int8 ? DType::Bf16 : act, m, n);
        break;
    case Kernel::PrefillAttention:
    case Kernel::DecodeAttention:
    case Kernel::DecodeLatent: {
        const auto rows = std::size_t(task.batch * freshOf(task));
        const bool latent = task.kernel == Kernel::DecodeLatent;
        const auto heads = std::size_t(task.queryHeads);
        o.input = shaped(act, rows, heads * std::size_t(latent ? task.latent + task.rope : task.headDim));
        o.output = shaped(act, rows, heads * std::size_t(latent ? task.latent : task.headDim));
        shapeCache(s, task, task.batch, task.past + freshOf(task));
        break;
    }
    case Kernel::NormResidual:
        o.input = shaped(act, m, k);
        o.second = shaped(act, m, k);
        o.weights = shaped(act, 1, k);
        o.output = shaped(act, m, k);
        o.secondOutput = shaped(act, m, k);
        break;
    case Kernel::RopeAppend:
        o.input = shaped(act, m, std::size_t(task.queryHeads * task.headDim));
        o.second = shaped(act, m, std::size_t(2 * task.kvHeads * task.headDim));
        o.output = shaped(act, m, std::size_t(task.queryHeads * task.headDim));
        shapeCache(s, task, 1, task.past + task.m);
        break;
    case Kernel::GatedActivation:
        o.input = shaped(act, m, (task.gated ? 2 : 1) * n);
        o.output = shaped(act, m, n);
        break;
    case Kernel::Experts: {
        const auto experts = std::size_t(task.experts);
        const std::size_t branches = task.gated ? 2 : 1;
        o.input = shaped(act, m, k);
        o.router = shaped(DType::Fp32, experts, k);
        o.weights = shaped(task.weights, experts * branches * n, k, task.groupSize);
        o.downWeights = shaped(task.weights, experts * k, n, task.groupSize);
        o.output = shaped(act, m, k);
        break;
    }
    case Kernel::Sampling:
        o.input = shaped(DType::Fp32, m, n);
        o.output = shaped(DType::Fp32, m, 1);
        break;
    case Kernel::Read:
    case Kernel::Copy:
        o.input = shaped(DType::Fp32, 1, std::size_t(task.bytes) / 4);
        o.output = shaped(DType::Fp32, 1, task.kernel == Kernel::Copy ? std::size_t(task.bytes) / 4 : 1);
        break;
    default:
        break;
    }
    return s;
}

void fillCache(Shapes& s, const Task& task, std::uint64_t seed, cudaStream_t stream)
{
    DeviceOperands& o = s.operands;
    std::vector<int> table(std::size_t(s.cacheSequences) * o.pagesPerSequence);
    std::iota(table.begin(), table.end(), 0);
    std::uint64_t state = seed;
    for (std::size_t i = table.size(); i > 1; --i) { // Fisher and Yates with Knuth's MMIX generator
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        std::swap(table[i - 1], table[(state >> 33) % i]);
    }
    std::vector<int> length;
    for (std::int64_t i = 0; i < s.cacheSequences; ++i)
        length.push_back(task.kernel == Kernel::RopeAppend
                             ? int(s.cacheTokens)
                             : int(pastOf(task, std::size_t(i)) + freshOf(task)));
    o.table = DeviceBuffer(table.size() * sizeof(int));
    o.length = DeviceBuffer(length.size() * sizeof(int));
    cudaCheck(cudaMemcpyAsync(o.table.data(), table.data(), o.table.bytes(), cudaMemcpyHostToDevice, stream));
    cudaCheck(
        cudaMemcpyAsync(o.length.data(), length.data(), o.length.bytes(), cudaMemcpyHostToDevice, stream));
    fillRandom(o.keys, seed + 101, 1, stream);
    fillRandom(o.values, seed + 102, 1, stream);
    if (task.kernel == Kernel::RopeAppend) {
        const std::vector<float> angles = ropeAngles(task);
        o.angles = DeviceBuffer(angles.size() * sizeof(float));
        cudaCheck(cudaMemcpyAsync(o.angles.data(), angles.data(), o.angles.bytes(), cudaMemcpyHostToDevice,
                                  stream));
    }
    cudaCheck(cudaStreamSynchronize(stream)); // the host copies end here
}

Tensor downloadTensor(const DeviceTensor& from)
{
    Tensor out{.type = from.type, .rows = from.rows, .columns = from.columns, .groupSize = from.groupSize};
    out.bytes.resize(from.bytes.bytes());
    out.scales.resize(from.scales.bytes() / sizeof(float));
    if (!out.bytes.empty())
        cudaCheck(cudaMemcpy(out.bytes.data(), from.bytes.data(), out.bytes.size(), cudaMemcpyDeviceToHost));
    if (!out.scales.empty())
        cudaCheck(
            cudaMemcpy(out.scales.data(), from.scales.data(), from.scales.bytes(), cudaMemcpyDeviceToHost));
    return out;
}

} // namespace

std::size_t operandBytes(const Task& task)
{
    const Shapes s = shapesOf(task);
    const DeviceOperands& o = s.operands;
    std::size_t sum = 0;
    for (const DeviceTensor* tensor : {&o.input, &o.second, &o.weights, &o.downWeights, &o.router, &o.keys,
                                       &o.values, &o.output, &o.secondOutput})
        sum += sizeOf(*tensor);
    return sum;
}

DeviceOperands makeDeviceOperands(const Task& task, std::uint64_t seed, cudaStream_t stream)
{
    Shapes s = shapesOf(task);
    DeviceOperands& o = s.operands;
    for (DeviceTensor* tensor : {&o.input, &o.second, &o.weights, &o.downWeights, &o.router, &o.keys,
                                 &o.values, &o.output, &o.secondOutput})
        allocate(*tensor);
    // Expert results would grow with the depth of the sums: their weights are drawn smaller, as makeOperands
    // does.
    const float depth = task.kernel == Kernel::Experts ? 1 / std::sqrt(float(task.k)) : 1;
    const float inputScale = task.kernel == Kernel::GatedActivation ? 4
        : task.kernel == Kernel::Sampling                           ? 8
                                                                    : float(task.queryScale);
    fillRandom(o.input, seed + 1, inputScale, stream);
    fillRandom(o.second, seed + 2, 1, stream);
    fillRandom(o.weights, seed + 3, depth, stream);
    fillRandom(o.downWeights, seed + 4, 1, stream);
    fillRandom(o.router, seed + 5, 4 * depth, stream);
    fillNan(o.output, stream);
    fillNan(o.secondOutput, stream);
    if (s.hasCache)
        fillCache(s, task, seed, stream);
    o.bytes = operandBytes(task);
    return std::move(o);
}

Operands download(const Task& task, const DeviceOperands& o)
{
    Operands out;
    out.input = downloadTensor(o.input);
    out.second = downloadTensor(o.second);
    out.weights = downloadTensor(o.weights);
    out.downWeights = downloadTensor(o.downWeights);
    out.router = downloadTensor(o.router);
    out.output = downloadTensor(o.output);
    out.secondOutput = downloadTensor(o.secondOutput);
    out.cache = {.keys = downloadTensor(o.keys),
                 .values = downloadTensor(o.values),
                 .kvHeads = o.kvHeads,
                 .pageTokens = task.pageTokens,
                 .pagesPerSequence = o.pagesPerSequence};
    out.cache.table.resize(o.table.bytes() / sizeof(int));
    if (!out.cache.table.empty())
        cudaCheck(
            cudaMemcpy(out.cache.table.data(), o.table.data(), o.table.bytes(), cudaMemcpyDeviceToHost));
    std::vector<int> length(o.length.bytes() / sizeof(int));
    if (!length.empty())
        cudaCheck(cudaMemcpy(length.data(), o.length.data(), o.length.bytes(), cudaMemcpyDeviceToHost));
    out.cache.length.assign(length.begin(), length.end());
    if (task.kernel == Kernel::RopeAppend)
        out.angles = ropeAngles(task);
    return out;
}

} // namespace headroom::kernels
