#include "kernels/cuda/attention.h"
#include "kernels/cuda/decode_tiles.cuh"
#include "kernels/cuda/launch.h"

#include <cmath>

namespace headroom::kernels {

namespace {

// The query heads of this block, zeros beyond the last, into shared memory.
template <typename T, typename K, int dim>
__device__ inline void loadQuery(const DecodeArguments<T, K>& a, T* query, int sequence, int firstHead,
                                 int heads)
{
    for (int at = int(threadIdx.x); at < rowsOfTile * dim / 8; at += int(blockDim.x)) {
        const int row = at / (dim / 8);
        const int chunk = at % (dim / 8);
        const std::int64_t from
            = (std::int64_t(sequence) * a.queryHeads + firstHead + row) * a.headDim + chunk * 8;
        *reinterpret_cast<uint4*>(query + 8 * swizzled(row, chunk, dim / 8))
            = row < heads && chunk * 8 < a.headDim ? *reinterpret_cast<const uint4*>(a.query + from)
                                                   : make_uint4(0, 0, 0, 0);
    }
}

template <typename T, typename K, int dim>
constexpr std::size_t decodeShared
    = (rowsOfTile * dim + warpsOf<dim> * stagesOf<K> * 2 * tileTokens * dim) * sizeof(T);

// One new token a sequence. A block takes one sequence, one KV head, up to 16 of the query heads that share
// it and one part of the sequence; each warp runs the softmax over its own tiles of 16 tokens, so that the
// loop needs no barrier of the block. The block that finishes last merges the parts.
template <typename T, typename K, int dim>
__global__ void __launch_bounds__(warpsOf<dim> * 32, 2) decodeKernel(DecodeArguments<T, K> a)
{
    constexpr int warps = warpsOf<dim>;
    constexpr int stages = stagesOf<K>;
    constexpr int tile = tileTokens * dim;
    __shared__ float largestOf[warps][rowsOfTile];
    __shared__ float sumOf[warps][rowsOfTile];
    T* const query = reinterpret_cast<T*>(dynamicShared());
    const int warp = int(threadIdx.x) / 32;
    const int lane = int(threadIdx.x) % 32;
    T* const mine = query + rowsOfTile * dim + warp * stages * 2 * tile;
    const int sequence = int(blockIdx.z);
    const int split = int(blockIdx.x);
    const int group = a.queryHeads / a.pages.kvHeads;
    const int kvHead = int(blockIdx.y) / a.rowTiles;
    const int firstRow = int(blockIdx.y) % a.rowTiles * rowsOfTile;
    const int heads = least(rowsOfTile, group - firstRow);
    const int firstHead = kvHead * group + firstRow;
    loadQuery<T, K, dim>(a, query, sequence, firstHead, heads);
    __syncthreads();

    const TokenRange range = splitRange(a.length[sequence], tileTokens, a.parts.splits, split);
    RunningSoftmax softmax;
    float result[dim / 8][4] = {};
    TileLoader<T, K, dim> loader(a, sequence, kvHead, range);
    int token = range.begin + warp * tileTokens;
    constexpr int stride = warps * tileTokens;
    loader.find(token);
    loader.start(mine, mine + tile);
    loader.find(token + stride);
    for (int stage = 0; token < range.end; token += stride, stage = (stage + 1) % stages) {
        T* const keys = mine + stage * 2 * tile;
        if constexpr (stages == 2) {
            T* const next = mine + (1 - stage) * 2 * tile;
            loader.start(next, next + tile); // zeros beyond the end
            waitCopies<1>();
        } else {
            loader.put(keys, keys + tile);
            loader.start(nullptr, nullptr);
        }
        loader.find(token + 2 * stride);
        __syncwarp();
        attendTile<T, dim, sizeof(K) == 1>(query, keys, keys + tile, range.end - token, a.scoreScale,
                                           loader.keyScale, loader.valueScale, softmax, result);
        __syncwarp(); // the tile is overwritten next
    }
    waitCopies<0>();
    softmax.addOverQuad();
    __syncthreads();

    // The warps' results over their tiles: 16 x dim floats fit in what one stage of keys and values took.
    float* const sums = reinterpret_cast<float*>(query + rowsOfTile * dim);
    constexpr int area = stages * tile; // floats of a warp's tiles: stages * 2 * tile elements of two bytes
    static_assert(area >= rowsOfTile * dim);
#pragma unroll
    for (int j = 0; j < dim / 8; ++j)
#pragma unroll
        for (int e = 0; e < 4; ++e)
            sums[warp * area + (lane / 4 + e / 2 * 8) * dim + 8 * j + lane % 4 * 2 + e % 2] = result[j][e];
    if (lane % 4 == 0)
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            largestOf[warp][lane / 4 + 8 * h] = softmax.largest[h];
            sumOf[warp][lane / 4 + 8 * h] = softmax.sum[h];
        }
    __syncthreads();
    const int rowGroup = sequence * int(gridDim.y) + int(blockIdx.y);
    for (int at = int(threadIdx.x); at < heads * a.headDim; at += int(blockDim.x)) {
        const int row = at / a.headDim;
        const int column = at % a.headDim;
        float high = -INFINITY;
        for (int w = 0; w < warps; ++w)
            high = fmaxf(high, largestOf[w][row]);
        float value = 0;
        float sum = 0;
        for (int w = 0; w < warps; ++w) {
            const float weight = weightOfPart(largestOf[w][row], high);
            value += weight * sums[w * area + row * dim + column];
            sum += weight * sumOf[w][row];
        }
        if (a.parts.splits == 1) {
            a.output[(std::int64_t(sequence) * a.queryHeads + firstHead + row) * a.headDim + column]
                = fromFloat<T>(value / sum);
            continue;
        }
        a.parts.of(rowGroup, split)[row * a.parts.width + column] = value;
        if (column == 0) {
            a.parts.largest(rowGroup, split)[row] = high;
            a.parts.sum(rowGroup, split)[row] = sum;
        }
    }
    if (a.parts.splits == 1 || !lastOf(a.counters + rowGroup, a.parts.splits))
        return;
    mergeParts(a.parts, rowGroup, heads, sums, [&](int row, int column, float value) {
        a.output[(std::int64_t(sequence) * a.queryHeads + firstHead + row) * a.headDim + column]
            = fromFloat<T>(value);
    });
}

struct DecodePlan {
    int rowTiles = 1;
    int groups = 0; // blocks without splitting
    int splits = 1;
};

DecodePlan planOf(const Task& task, int multiprocessors)
{
    DecodePlan plan;
    plan.rowTiles = ceilDiv(task.queryHeads / task.kvHeads, rowsOfTile);
    plan.groups = int(task.batch) * task.kvHeads * plan.rowTiles;
    const int warps = task.headDim <= 128 ? warpsOf<128> : warpsOf<256>;
    plan.splits = task.variant
        ? task.variant->parts
        : splitsFor(int(task.past) + 1, tileTokens, warps, plan.groups, multiprocessors);
    return plan;
}

// Counters first, then the parts, at a multiple of 128 bytes.
std::size_t counterBytes(const DecodePlan& plan)
{
    return (std::size_t(plan.groups) * sizeof(int) + 127) / 128 * 128;
}

template <typename T, typename K, int dim>
void decode(const Task& task, DeviceOperands& o, int multiprocessors, cudaStream_t stream)
{
    const DecodePlan plan = planOf(task, multiprocessors);
    const DecodeArguments<T, K> a{
        o.input.bytes.as<T>(),
        o.keys.bytes.as<K>(),
        o.values.bytes.as<K>(),
        o.keys.scales.as<float>(),
        o.values.scales.as<float>(),
        o.length.as<int>(),
        {o.table.as<int>(), int(o.pagesPerSequence), task.kvHeads, task.pageTokens},
        o.output.bytes.as<T>(),
        {reinterpret_cast<float*>(o.workspace.as<std::uint8_t>() + counterBytes(plan)), rowsOfTile,
         task.headDim, plan.splits},
        o.workspace.as<int>(),
        task.queryHeads,
        task.headDim,
        plan.rowTiles,
        float(1.4426950408889634 / std::sqrt(double(task.headDim)))}; // log2 e
    launchKernel(decodeKernel<T, K, dim>,
                 dim3(unsigned(plan.splits), unsigned(task.kvHeads * plan.rowTiles), unsigned(task.batch)),
                 dim3(unsigned(warpsOf<dim> * 32)), decodeShared<T, K, dim>, stream, a);
}

template <typename T, typename K>
void decodeOf(const Task& task, DeviceOperands& o, int multiprocessors, cudaStream_t stream)
{
    if (task.headDim <= 64)
        decode<T, K, 64>(task, o, multiprocessors, stream);
    else if (task.headDim <= 128)
        decode<T, K, 128>(task, o, multiprocessors, stream);
    else
        decode<T, K, 256>(task, o, multiprocessors, stream);
}

template <typename T>
void decodeAs(const Task& task, DeviceOperands& o, int multiprocessors, cudaStream_t stream)
{
    switch (task.kv) {
    case DType::Fp8:
        return decodeOf<T, __nv_fp8_e4m3>(task, o, multiprocessors, stream);
    case DType::Int8:
        return decodeOf<T, std::int8_t>(task, o, multiprocessors, stream);
    default:
        return decodeOf<T, T>(task, o, multiprocessors, stream);
    }
}

} // namespace

std::string attentionObstacle(const Task& task, int largestHead)
{
    if (task.activations != DType::Bf16 && task.activations != DType::Fp16)
        return "attention computes in bf16 or fp16";
    const bool narrow = task.kv == DType::Fp8 || task.kv == DType::Int8;
    if (!narrow && task.kv != task.activations)
        return "the cache is stored as the activations, in fp8 or in int8";
    if (task.kernel != Kernel::DecodeLatent) {
        if (task.headDim % (narrow ? 16 : 8) != 0 || task.headDim > largestHead)
            return "head dimensions are multiples of 16 bytes, at most " + std::to_string(largestHead);
        if (task.kvHeads < 1 || task.queryHeads % task.kvHeads != 0)
            return "query heads are a multiple of KV heads";
    }
    return {};
}

std::string decodeObstacle(const Task& task, int computeCapability)
{
    // Turing has 64 KB of shared memory; two tiles of wide 16-bit rows for each warp need 68 and more.
    if (computeCapability < 80 && task.headDim > 64 && task.kv != DType::Fp8 && task.kv != DType::Int8)
        return "16-bit caches with head dimensions above 64 need compute capability 8.0";
    return attentionObstacle(task, 256);
}

Variant decodeVariant(const Task& task, int multiprocessors)
{
    return {.columns = task.headDim <= 64 ? 64
                : task.headDim <= 128     ? 128
                                          : 256,
            .parts = planOf(task, multiprocessors).splits};
}

std::size_t decodeWorkspace(const Task& task, int multiprocessors)
{
    const DecodePlan plan = planOf(task, multiprocessors);
    return plan.splits == 1 ? 0
                            : counterBytes(plan)
            + partialFloats(plan.groups, plan.splits, rowsOfTile, task.headDim) * sizeof(float);
}

void launchDecode(const Task& task, DeviceOperands& o, int multiprocessors, cudaStream_t stream)
{
    if (task.activations == DType::Fp16)
        decodeAs<__half>(task, o, multiprocessors, stream);
    else
        decodeAs<__nv_bfloat16>(task, o, multiprocessors, stream);
}

} // namespace headroom::kernels
