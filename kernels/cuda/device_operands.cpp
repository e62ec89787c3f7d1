#include "kernels/cuda/device_operands.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
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

std::size_t bytesOf(const DeviceTensor& tensor)
{
    return storedBytes(tensor.type, tensor.rows, tensor.columns);
}
std::size_t scaleBytesOf(const DeviceTensor& tensor) { return scaleCount(tensor) * sizeof(float); }

// Where the same tensor of the next set begins: any type and any access is aligned there.
std::size_t strideOf(std::size_t bytes) { return (bytes + 255) / 256 * 256; }

template <typename Operands, typename Work>
void forEachTensor(Operands& o, const Work& work)
{
    for (auto* tensor : {&o.input, &o.second, &o.weights, &o.downWeights, &o.router, &o.keys, &o.values,
                         &o.output, &o.secondOutput})
        work(*tensor);
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

void shapeAttention(Shapes& s, const Task& task)
{
    const auto rows = std::size_t(task.batch * freshOf(task));
    const bool latent = task.kernel == Kernel::DecodeLatent;
    const auto heads = std::size_t(task.queryHeads);
    s.operands.input = shaped(task.activations, rows,
                              heads * std::size_t(latent ? task.latent + task.rope : task.headDim));
    s.operands.output
        = shaped(task.activations, rows, heads * std::size_t(latent ? task.latent : task.headDim));
    shapeCache(s, task, task.batch, task.past + freshOf(task));
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
    case Kernel::DecodeLatent:
        shapeAttention(s, task);
        break;
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

// Pieces of a block, each as many times as there are sets; or memory of its own for each.
class Carver {
public:
    Carver(DeviceSets& out, bool inBlock) : m_out(out), m_inBlock(inBlock) {}

    // One piece for `copies` of them together: those of copy i begin at i strides.
    [[nodiscard]] DeviceBuffer take(std::size_t bytes, std::size_t copies)
    {
        if (bytes == 0)
            return {};
        const std::size_t all = copies * strideOf(bytes);
        if (!m_inBlock) {
            m_out.apart.emplace_back(copies == 1 ? bytes : all);
            return m_out.apart.back().piece(0, copies == 1 ? bytes : all);
        }
        m_at += all;
        return m_out.block.piece(m_at - all, all);
    }
    // The part of `all` that is copy i.
    [[nodiscard]] static DeviceBuffer of(const DeviceBuffer& all, std::size_t copy, std::size_t bytes)
    {
        return all.piece(copy * strideOf(bytes), bytes);
    }

private:
    DeviceSets& m_out;
    bool m_inBlock;
    std::size_t m_at = 0;
};

struct Drawn {
    std::uint64_t seed;
    float scale;
};

// What a tensor of the task is filled with; outputs with NaN.
std::optional<Drawn> drawnOf(const Task& task, const DeviceOperands& shapes, const DeviceTensor& tensor,
                             std::uint64_t seed)
{
    // Expert results would grow with the depth of the sums: their weights are drawn smaller, as makeOperands
    // does.
    const float depth = task.kernel == Kernel::Experts ? 1 / std::sqrt(float(task.k)) : 1;
    if (&tensor == &shapes.input)
        return Drawn{seed + 1,
                     task.kernel == Kernel::GatedActivation ? 4
                         : task.kernel == Kernel::Sampling  ? 8
                                                            : float(task.queryScale)};
    if (&tensor == &shapes.second)
        return Drawn{seed + 2, 1};
    if (&tensor == &shapes.weights)
        return Drawn{seed + 3, depth};
    if (&tensor == &shapes.downWeights)
        return Drawn{seed + 4, 1};
    if (&tensor == &shapes.router)
        return Drawn{seed + 5, 4 * depth};
    if (&tensor == &shapes.keys)
        return Drawn{seed + 101, 1};
    if (&tensor == &shapes.values)
        return Drawn{seed + 102, 1};
    return std::nullopt;
}

template <typename T>
DeviceBuffer& uploaded(DeviceSets& out, const std::vector<T>& values)
{
    DeviceBuffer& to = out.apart.emplace_back(values.size() * sizeof(T));
    cudaCheck(cudaMemcpy(to.data(), values.data(), to.bytes(), cudaMemcpyHostToDevice));
    return to;
}

// The block table, the lengths and the angles: what the host writes once, and every set reads.
void shareTables(DeviceSets& out, const Shapes& s, const Task& task, std::uint64_t seed)
{
    std::vector<int> table(std::size_t(s.cacheSequences) * s.operands.pagesPerSequence);
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
    const auto share = [&](const auto& values, DeviceBuffer DeviceOperands::*where) {
        const DeviceBuffer all = uploaded(out, values).piece(0, values.size() * sizeof(values.front()));
        for (DeviceOperands& set : out.sets)
            set.*where = all.piece(0, all.bytes());
    };
    share(table, &DeviceOperands::table);
    share(length, &DeviceOperands::length);
    if (task.kernel == Kernel::RopeAppend)
        share(ropeAngles(task), &DeviceOperands::angles);
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

std::size_t operandBytes(const Task& task, std::size_t workspace)
{
    const Shapes s = shapesOf(task);
    std::size_t sum = strideOf(workspace);
    forEachTensor(s.operands, [&](const DeviceTensor& tensor) {
        sum += strideOf(bytesOf(tensor)) + strideOf(scaleBytesOf(tensor));
    });
    return sum;
}

DeviceSets makeDeviceSets(const Task& task, std::uint64_t seed, const SetCounts& counts,
                          std::size_t workspace, SpareMemory& spare, cudaStream_t stream)
{
    Shapes shapes = shapesOf(task);
    const auto copies = std::size_t(std::max(counts.copies, 1));
    const std::size_t count = std::max(copies, std::size_t(std::max(counts.draws, 1)));
    const auto copiesOf = [&](const DeviceTensor& tensor) {
        const DeviceOperands& o = shapes.operands;
        const bool kept = &tensor == &o.weights || &tensor == &o.downWeights || &tensor == &o.router;
        return kept ? copies : count;
    };
    DeviceSets out;
    if (count > 1) {
        std::size_t all = count * strideOf(workspace);
        forEachTensor(shapes.operands, [&](const DeviceTensor& tensor) {
            all += copiesOf(tensor) * (strideOf(bytesOf(tensor)) + strideOf(scaleBytesOf(tensor)));
        });
        out.block = spare.take(all);
    }
    for (std::size_t i = 0; i < count; ++i)
        out.sets.push_back(shapesOf(task).operands);
    Carver carver(out, count > 1);
    const DeviceOperands& plan = shapes.operands;
    std::size_t at = 0; // of the tensor among those of a set
    forEachTensor(plan, [&](const DeviceTensor& tensor) {
        const DeviceBuffer bytes = carver.take(bytesOf(tensor), copiesOf(tensor));
        const DeviceBuffer scales = carver.take(scaleBytesOf(tensor), copiesOf(tensor));
        if (const std::optional<Drawn> drawn = drawnOf(task, plan, tensor, seed)) {
            fillRandom(tensor.type, bytes, drawn->seed, drawn->scale, stream);
            fillFloats(scales, drawn->scale / storedScale(tensor.type), stream);
        } else {
            fillNan(tensor.type, bytes, stream);
        }
        for (std::size_t i = 0; i < count; ++i) {
            std::size_t other = 0;
            forEachTensor(out.sets[i], [&](DeviceTensor& mine) {
                if (other++ != at)
                    return;
                const std::size_t copy = i % copiesOf(tensor);
                mine.bytes = Carver::of(bytes, copy, bytesOf(tensor));
                mine.scales = Carver::of(scales, copy, scaleBytesOf(tensor));
            });
        }
        ++at;
    });
    const DeviceBuffer zeros = carver.take(workspace, count);
    if (zeros.bytes() > 0)
        cudaCheck(cudaMemsetAsync(zeros.data(), 0, zeros.bytes(), stream));
    for (std::size_t i = 0; i < count; ++i)
        out.sets[i].workspace = Carver::of(zeros, i, workspace);
    if (shapes.hasCache)
        shareTables(out, shapes, task, seed);
    return out;
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
