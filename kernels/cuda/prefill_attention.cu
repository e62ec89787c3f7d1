#include "kernels/cuda/attention.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/merge_parts.cuh"
#include "kernels/cuda/prefill_groups.cuh"
#include "kernels/cuda/prefill_tiles.cuh"

#include <cmath>

namespace headroom::kernels {

namespace {

// Causal attention of many new tokens over everything cached so far, the new tokens included (they were
// appended before). A block takes one query head and 64 or 128 new tokens of a sequence; tiles of 32 cached
// tokens pass through shared memory, the next on its way while one is used. Where few new tokens follow a
// long prefix, several blocks share those tokens' prefix out and a second launch merges their parts.

// Steps of a tile's scores whose operands are read at once: all of them, but where the compiler then runs out
// of registers.
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ < 800 || __CUDA_ARCH__ >= 1000)
constexpr int stepsTogether = 1;
#else
constexpr int stepsTogether = 16;
#endif

// Scores of a warp's rows with a tile of keys; a row sees tokens up to its own position.
template <typename T, int dim>
__device__ inline void scoreTile(const T* query, const T* keys, int firstPosition, int firstToken, int lane,
                                 float (&scores)[rowTilesOf<dim>][tileTokens / 8][4])
{
    constexpr int rowTiles = rowTilesOf<dim>;
#pragma unroll stepsTogether
    for (int step = 0; step < dim / 16; ++step) {
        std::uint32_t left[rowTiles][4];
#pragma unroll
        for (int i = 0; i < rowTiles; ++i)
            leftOperand<T, dim>(left[i], query, 16 * i, step, lane);
#pragma unroll
        for (int pair = 0; pair < tileTokens / 16; ++pair) {
            std::uint32_t right[4];
            rightOperands<T, dim>(right, keys, 16 * pair, step, lane);
#pragma unroll
            for (int i = 0; i < rowTiles; ++i) {
                multiplyTile<T>(scores[i][2 * pair], left[i], right[0], right[1]);
                multiplyTile<T>(scores[i][2 * pair + 1], left[i], right[2], right[3]);
            }
        }
    }
    if (firstToken + tileTokens - 1 <= firstPosition)
        return; // all rows see the whole tile: most tiles
#pragma unroll
    for (int i = 0; i < rowTiles; ++i)
#pragma unroll
        for (int j = 0; j < tileTokens / 8; ++j)
#pragma unroll
            for (int e = 0; e < 4; ++e) {
                const int position = firstPosition + 16 * i + lane / 4 + e / 2 * 8;
                const int token = firstToken + 8 * j + lane % 4 * 2 + e % 2;
                scores[i][j][e] = token <= position ? scores[i][j][e] : -INFINITY;
            }
}

template <typename T, int dim>
constexpr std::size_t prefillShared = (rowsOfBlock<dim> + 2 * 2 * tileTokens) * dim * sizeof(T);

template <typename T, typename K, int dim>
__global__ void __launch_bounds__(warps * 32, 2) prefillKernel(PrefillArguments<T, K> a)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    if constexpr (dim > 128)
        return __trap(); // refused by prefillObstacle()
#endif
    constexpr int rowTiles = rowTilesOf<dim>;
    constexpr int tile = tileTokens * dim;
    T* const query = reinterpret_cast<T*>(dynamicShared());
    T* const tiles = query + rowsOfBlock<dim> * dim;
    const int lane = int(threadIdx.x) % 32;
    const int warp = int(threadIdx.x) / 32;
    const int sequence = int(blockIdx.z);
    const int head = int(blockIdx.x) / a.parts.splits;
    const int split = int(blockIdx.x) % a.parts.splits;
    // The last tokens see most: their blocks start first, so that the card does not wait for them at the end.
    const int rowBlock = int(gridDim.y - 1 - blockIdx.y);
    const int firstRow = rowBlock * rowsOfBlock<dim>;
    const int past = a.length[sequence] - a.queryTokens;
    const int rows = least(rowsOfBlock<dim>, a.queryTokens - firstRow);
    // Of the tokens that any row sees.
    const TokenRange range = splitRange(past + firstRow + rows, tileTokens, a.parts.splits, split);
    const auto rowStart = [&](int row) {
        return ((std::int64_t(sequence) * a.queryTokens + firstRow + row) * a.queryHeads + head) * a.headDim;
    };
    for (int at = int(threadIdx.x); at < rowsOfBlock<dim> * dim / 8; at += warps * 32) {
        const int row = at / (dim / 8);
        const int chunk = at % (dim / 8);
        *reinterpret_cast<uint4*>(query + 8 * swizzled(row, chunk, dim / 8))
            = row < rows && chunk * 8 < a.headDim
            ? *reinterpret_cast<const uint4*>(a.query + rowStart(row) + chunk * 8)
            : make_uint4(0, 0, 0, 0);
    }
    const T* const myQuery = query + warp * 16 * rowTiles * dim; // 16 rows are whole cycles of the swizzle
    const int myRow = firstRow + warp * 16 * rowTiles;

    TileLoader<T, K, dim> loader(a, sequence, head / (a.queryHeads / a.pages.kvHeads), range.end);
    RunningSoftmax softmax[rowTiles];
    float result[rowTiles][dim / 8][4] = {};
    loader.find(range.begin);
    loader.start(tiles, tiles + tile);
    loader.find(range.begin + tileTokens);
    for (int token = range.begin, stage = 0; token < range.end; token += tileTokens, stage = 1 - stage) {
        const T* const keys = tiles + stage * 2 * tile;
        T* const next = tiles + (1 - stage) * 2 * tile;
        loader.start(next, next + tile); // zeros beyond the end
        loader.find(token + 2 * tileTokens);
        waitCopies<1>();
        __syncthreads();
        // A warp whose rows all come before this tile has nothing to do, but takes part in the barriers.
        if (token <= past + myRow + 16 * rowTiles - 1) {
            const int laneNow = anew(lane);
            float scores[rowTiles][tileTokens / 8][4] = {};
            scoreTile<T, dim>(myQuery, keys, past + myRow, token, laneNow, scores);
            std::uint32_t left[rowTiles][tileTokens / 16][4];
#pragma unroll
            for (int i = 0; i < rowTiles; ++i) {
                float shrink[2];
                softmax[i].take(scores[i], a.scoreScale, shrink);
                if (__any_sync(0xFFFFFFFFU, shrink[0] != 1.0F || shrink[1] != 1.0F))
#pragma unroll
                    for (int j = 0; j < dim / 8; ++j)
#pragma unroll
                        for (int e = 0; e < 4; ++e)
                            result[i][j][e] *= shrink[e / 2];
#pragma unroll
                for (int depth = 0; depth < tileTokens / 16; ++depth)
                    asLeftOperand<T>(left[i][depth], scores[i][2 * depth], scores[i][2 * depth + 1]);
            }
#pragma unroll
            for (int depth = 0; depth < tileTokens / 16; ++depth)
#pragma unroll
                for (int pair = 0; pair < dim / 16; ++pair) {
                    std::uint32_t right[4];
                    rightOperandsAcross<T, dim>(right, keys + tile, 16 * depth, pair, laneNow);
#pragma unroll
                    for (int i = 0; i < rowTiles; ++i) {
                        multiplyTile<T>(result[i][2 * pair], left[i][depth], right[0], right[1]);
                        multiplyTile<T>(result[i][2 * pair + 1], left[i][depth], right[2], right[3]);
                    }
                }
        }
        __syncthreads(); // the tile is overwritten next
    }
    waitCopies<0>();
    const bool whole = a.parts.splits == 1;
    const int group = (sequence * a.queryHeads + head) * int(gridDim.y) + rowBlock;
#pragma unroll
    for (int i = 0; i < rowTiles; ++i) {
        softmax[i].addOverQuad();
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            const int row = warp * 16 * rowTiles + 16 * i + 8 * h + lane / 4;
            if (row >= rows)
                continue;
            const float inverse = whole ? 1 / softmax[i].sum[h] : 1.0F;
            float* const part = a.parts.of(group, split) + row * a.parts.width;
#pragma unroll
            for (int j = 0; j < dim / 8; ++j) {
                const int column = 8 * j + lane % 4 * 2; // headDim is even, so both or none are inside
                if (column >= a.headDim)
                    continue;
                const float first = result[i][j][2 * h] * inverse;
                const float second = result[i][j][2 * h + 1] * inverse;
                if (whole)
                    *reinterpret_cast<std::uint32_t*>(a.output + rowStart(row) + column)
                        = packed<T>(first, second);
                else
                    *reinterpret_cast<float2*>(part + column) = make_float2(first, second);
            }
            if (!whole && lane % 4 == 0) {
                a.parts.largest(group, split)[row] = softmax[i].largest[h];
                a.parts.sum(group, split)[row] = softmax[i].sum[h];
            }
        }
    }
}

// Where the merged rows go.
struct PrefillPlace {
    int queryTokens;
    int queryHeads;
    int rowBlocks;
    int rows;
    int headDim;
    int splits;
    __device__ int parts(int) const { return splits; }
    __device__ std::int64_t row(int group, int row) const
    {
        const int token = group % rowBlocks * rows + row;
        const int head = group / rowBlocks % queryHeads;
        const std::int64_t sequence = group / rowBlocks / queryHeads;
        return token < queryTokens ? ((sequence * queryTokens + token) * queryHeads + head) * headDim : -1;
    }
};

// Whether groups of warps take a task: capability 9.0, 16-bit caches, heads of up to 128.
bool groupsTake(const Task& task)
{
#if defined(HEADROOM_WARP_GROUPS) && !defined(HEADROOM_EMULATED)
    if ((task.variant && !task.variant->grouped) || task.kv != task.activations || task.headDim > 128)
        return false;
    int device = 0;
    int major = 0;
    cudaCheck(cudaGetDevice(&device));
    cudaCheck(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    return major == 9;
#else
    (void)task;
    return false;
#endif
}

template <int dim>
struct PrefillPlan {
    bool grouped = false;
    int rows = 0; // of a block
    int rowBlocks = 1;
    int groups = 1; // blocks without splitting
    int splits = 1;
    PrefillPlan(const Task& task, int multiprocessors) : grouped(groupsTake(task))
    {
        const int queryTokens = most(1, int(task.queryTokens));
        rows = grouped ? 128 : rowsOfBlock<dim>;
        rowBlocks = ceilDiv(queryTokens, rows);
        groups = rowBlocks * task.queryHeads * int(task.batch);
        const int tokens = int(task.past) + queryTokens;
        if (task.variant)
            splits = task.variant->parts;
        else if (grouped) // tiles of 128 tokens, one block on a multiprocessor
            splits = partsFor(ceilDiv(tokens, 128), groups, multiprocessors, 2);
        else
            splits = partsFor(ceilDiv(tokens, tileTokens), groups, 2 * multiprocessors, 4);
    }
    [[nodiscard]] std::size_t bytes(int width) const
    {
        return splits == 1 ? 0 : partialFloats(groups, splits, rows, width) * sizeof(float);
    }
};

template <typename T, typename K, int dim>
void prefill(const Task& task, DeviceOperands& o, int multiprocessors, cudaStream_t stream)
{
    const int queryTokens = most(1, int(task.queryTokens));
    const PrefillPlan<dim> plan(task, multiprocessors);
    const PrefillArguments<T, K> a{
        o.input.bytes.as<T>(),
        o.keys.bytes.as<K>(),
        o.values.bytes.as<K>(),
        o.keys.scales.as<float>(),
        o.values.scales.as<float>(),
        o.length.as<int>(),
        {o.table.as<int>(), int(o.pagesPerSequence), task.kvHeads, task.pageTokens},
        o.output.bytes.as<T>(),
        {o.workspace.as<float>(), plan.rows, task.headDim, plan.splits},
        queryTokens,
        task.queryHeads,
        task.headDim,
        float(1.4426950408889634 / std::sqrt(double(task.headDim)))}; // log2 e
    const dim3 blocks(unsigned(task.queryHeads * plan.splits), unsigned(plan.rowBlocks),
                      unsigned(task.batch));
    const auto attend = [&] {
#if defined(HEADROOM_WARP_GROUPS) && !defined(HEADROOM_EMULATED)
        if constexpr (std::is_same_v<T, K> && dim <= 128)
            if (plan.grouped)
                return launchKernel(groups::prefillGroupKernel<T, dim>, blocks, dim3(groups::threads),
                                    groups::sharedBytes<dim>, stream, a);
#endif
        launchKernel(prefillKernel<T, K, dim>, blocks, dim3(warps * 32), prefillShared<T, dim>, stream, a);
    };
    attend();
    if (plan.splits > 1)
        launchMerge(
            a.parts, plan.groups, a.output,
            PrefillPlace{queryTokens, task.queryHeads, plan.rowBlocks, plan.rows, task.headDim, plan.splits},
            stream);
}

// `work` with the head dimension that the kernels are compiled for.
template <typename Work>
auto withWidth(const Task& task, const Work& work)
{
    if (task.headDim <= 64)
        return work(std::integral_constant<int, 64>());
    if (task.headDim <= 128)
        return work(std::integral_constant<int, 128>());
    return work(std::integral_constant<int, 256>());
}

template <typename T, typename K>
void prefillOf(const Task& task, DeviceOperands& o, int multiprocessors, cudaStream_t stream)
{
    withWidth(task, [&](auto dim) { prefill<T, K, dim()>(task, o, multiprocessors, stream); });
}

template <typename T>
void prefillAs(const Task& task, DeviceOperands& o, int multiprocessors, cudaStream_t stream)
{
    switch (task.kv) {
    case DType::Fp8:
        return prefillOf<T, __nv_fp8_e4m3>(task, o, multiprocessors, stream);
    case DType::Int8:
        return prefillOf<T, std::int8_t>(task, o, multiprocessors, stream);
    default:
        return prefillOf<T, T>(task, o, multiprocessors, stream);
    }
}

} // namespace

Message prefillObstacle(const Task& task, int computeCapability)
{
    // 96 KB of shared memory at head dimension 256; Turing has 64.
    return attentionObstacle(task, computeCapability >= 80 ? 256 : 128);
}

Variant prefillVariant(const Task& task, int multiprocessors)
{
    return withWidth(task, [&](auto dim) {
        const PrefillPlan<dim()> plan(task, multiprocessors);
        return Variant{.grouped = plan.grouped, .rows = plan.rows, .columns = dim(), .parts = plan.splits};
    });
}

std::size_t prefillWorkspace(const Task& task, int multiprocessors)
{
    return withWidth(task,
                     [&](auto dim) { return PrefillPlan<dim()>(task, multiprocessors).bytes(task.headDim); });
}

void launchPrefill(const Task& task, DeviceOperands& o, int multiprocessors, cudaStream_t stream)
{
    if (task.activations == DType::Fp16)
        prefillAs<__half>(task, o, multiprocessors, stream);
    else
        prefillAs<__nv_bfloat16>(task, o, multiprocessors, stream);
}

} // namespace headroom::kernels
