#include "kernels/cuda/attention.h"
#include "kernels/cuda/decode_results.cuh"
#include "kernels/cuda/decode_tiles.cuh"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/merge_parts.cuh"

#include <cmath>

namespace headroom::kernels {

namespace {

// Blocks that a multiprocessor shall hold at once: what registers allow without spilling, which on 9.0 are
// shared out best.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 900
constexpr int blocksOfManyHeads = 3;
#else
constexpr int blocksOfManyHeads = 2;
#endif
template <typename K, int dim, int headTiles>
constexpr int blocksOf = headTiles == 2 && dim == 128       ? blocksOfManyHeads
    : dim == 256 || headTiles == 2 || dim * sizeof(K) > 128 ? 3
                                                            : 4;

template <typename T, typename K, int dim, int headTiles>
constexpr std::size_t decodeShared
    = most(warpsOf<dim>* stagesOf<K>* Tiles<T, K, dim>::stageBytes,
           warpsOf<dim>* headTiles* tileHeads* sumStride<dim> * 4); // the warps' results afterwards

// One new token a sequence. A block takes one sequence, one KV head, up to 8 or 16 of the query heads that
// share it and one piece of the keys; each warp runs the softmax over its own tiles of 16 tokens, so that the
// loop needs no barrier of the block. The block that finishes last merges the pieces.
template <typename T, typename K, int dim, int headTiles>
__global__ void __launch_bounds__(warpsOf<dim> * 32, blocksOf<K, dim, headTiles>)
    decodeKernel(DecodeArguments<T, K> a)
{
    constexpr int warps = warpsOf<dim>;
    constexpr int stages = stagesOf<K>;
    constexpr int rows = headTiles * tileHeads;
    constexpr int stride = warps * tileTokens;
    const int warp = int(threadIdx.x) / 32;
    const int lane = int(threadIdx.x) % 32;
    const int sequence = int(blockIdx.z);
    const int group = a.queryHeads / a.pages.kvHeads;
    const int kvHead = int(blockIdx.y) / a.rowTiles;
    const int firstRow = int(blockIdx.y) % a.rowTiles * rows;
    const int heads = least(rows, group - firstRow);
    const int firstHead = kvHead * group + firstRow;
    const int begin = int(blockIdx.x) * a.pieceTokens;
    int token = begin + warp * tileTokens;

    // The first look-ups, the length and the queries are on their way together.
    const Tiles<T, K, dim> tiles(a, dynamicShared() + warp * stages * Tiles<T, K, dim>::stageBytes, sequence,
                                 kvHead);
    int found[stages - 1];
#pragma unroll
    for (int i = 0; i < stages - 1; ++i)
        found[i] = tiles.find(token + i * stride);
    int next = tiles.find(token + (stages - 1) * stride);
    const int length = a.length[sequence];
    uint4 query[headTiles][dim / 32];
#pragma unroll
    for (int n = 0; n < headTiles; ++n) {
        const int head = tileHeads * n + lane / 4;
        const T* const from = head < heads
            ? a.query + (std::int64_t(sequence) * a.queryHeads + firstHead + head) * a.headDim
            : nullptr;
#pragma unroll
        for (int c = 0; c < dim / 32; ++c)
            query[n][c] = queryChunk<T, K, dim>(from, c, a.headDim);
    }
    if (begin >= length)
        return; // a sequence shorter than the longest has fewer pieces
    const int end = least(length, begin + a.pieceTokens);
    LazySoftmax softmax[headTiles];
    float result[headTiles][dim / 16][4] = {};
#pragma unroll
    for (int i = 0; i < stages - 1; ++i)
        tiles.start(i, found[i], end - token - i * stride);
    for (int stage = 0; token < end; token += stride) {
        constexpr int ahead = stages - 1;
        tiles.start(stage == 0 ? ahead : stage - 1, next, end - token - ahead * stride);
        next = tiles.find(token + stages * stride);
        waitCopies<ahead>();
        __syncwarp();
        float scores[headTiles][4];
        std::uint32_t right[headTiles][2];
        scoreTile(tiles, stage, query, scores);
        weighTile(tiles, stage, end - token, a.scoreScale, scores, softmax, result, right);
        addTile(tiles, stage, right, result);
        __syncwarp(); // the tile is overwritten next
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    waitCopies<0>();
#pragma unroll
    for (int n = 0; n < headTiles; ++n)
        softmax[n].addOverWarp();
    __syncthreads(); // results take the place of tiles
    const int pieces = ceilDiv(length, a.pieceTokens);
    const int rowGroup = sequence * int(gridDim.y) + int(blockIdx.y);
    T* const output = a.output + (std::int64_t(sequence) * a.queryHeads + firstHead) * a.headDim;
    putTogether<T, K, dim>(a, rowGroup, int(blockIdx.x), pieces, heads, result, softmax, output);
    if (pieces > 1 && a.counters != nullptr && lastOfBlocks(a.counters + rowGroup, pieces))
        mergePieces(a, rowGroup, pieces, heads, output);
}

// Where the merged rows go.
struct DecodePlace {
    const int* length;
    int blocksOfSequence; // KV heads, tiles of query heads
    int rowTiles;
    int rows; // of a tile
    int group;
    int queryHeads;
    int headDim;
    int pieceTokens;
    __device__ std::int64_t row(int at, int row) const
    {
        const int sequence = at / blocksOfSequence;
        const int kvHead = at % blocksOfSequence / rowTiles;
        const int inGroup = at % rowTiles * rows + row;
        if (inGroup >= group || parts(at) == 1) // what one block read it has put there itself
            return -1;
        return (std::int64_t(sequence) * queryHeads + kvHead * group + inGroup) * headDim;
    }
    __device__ int parts(int at) const { return ceilDiv(length[at / blocksOfSequence], pieceTokens); }
};

struct DecodePlan {
    int headTiles = 1; // of 8 query heads, in a block
    int rowTiles = 1;
    int groups = 0; // blocks without splitting
    Pieces pieces;
    // More pieces than one block reads soon are merged by a launch of their own.
    [[nodiscard]] bool mergedApart() const { return pieces.count > 32; }
    [[nodiscard]] int rows() const { return headTiles * tileHeads; }
};

DecodePlan planOf(const Task& task, int multiprocessors)
{
    DecodePlan plan;
    const int group = task.queryHeads / task.kvHeads;
    plan.headTiles = group > tileHeads && task.headDim <= 128 ? 2 : 1;
    plan.rowTiles = ceilDiv(group, plan.rows());
    plan.groups = int(task.batch) * task.kvHeads * plan.rowTiles;
    const int longest = int(task.past) + 1;
    plan.pieces = task.variant
        ? Pieces{task.variant->parts, ceilDiv(ceilDiv(longest, task.variant->parts), tileTokens) * tileTokens}
        : piecesFor(longest, plan.groups,
                    blocksThatDraw(multiprocessors, 2 * task.headDim * bytesPerElement(task.kv)));
    return plan;
}

// Counters first, then the parts, at a multiple of 128 bytes.
std::size_t counterBytes(const DecodePlan& plan)
{
    return (std::size_t(plan.groups) * sizeof(int) + 127) / 128 * 128;
}

template <typename T, typename K, int dim, int headTiles>
void decode(const Task& task, DeviceOperands& o, const DecodePlan& plan, cudaStream_t stream)
{
    const DecodeArguments<T, K> a{
        o.input.bytes.as<T>(),
        o.keys.bytes.as<K>(),
        o.values.bytes.as<K>(),
        o.keys.scales.as<float>(),
        o.values.scales.as<float>(),
        o.length.as<int>(),
        {o.table.as<int>(), int(o.pagesPerSequence), task.kvHeads, task.pageTokens},
        o.output.bytes.as<T>(),
        {reinterpret_cast<float*>(o.workspace.as<std::uint8_t>() + counterBytes(plan)), plan.rows(),
         task.headDim, plan.pieces.count},
        plan.mergedApart() ? nullptr : o.workspace.as<int>(),
        task.queryHeads,
        task.headDim,
        plan.pieces.tokens,
        plan.rowTiles,
        float(1.4426950408889634 / std::sqrt(double(task.headDim)) * restOf<T, K>)}; // log2 e
    launchKernel(
        decodeKernel<T, K, dim, headTiles>,
        dim3(unsigned(plan.pieces.count), unsigned(task.kvHeads * plan.rowTiles), unsigned(task.batch)),
        dim3(unsigned(warpsOf<dim> * 32)), decodeShared<T, K, dim, headTiles>, stream, a);
    if (plan.mergedApart())
        launchMerge(a.parts, plan.groups, a.output,
                    DecodePlace{a.length, task.kvHeads * plan.rowTiles, plan.rowTiles, plan.rows(),
                                task.queryHeads / task.kvHeads, task.queryHeads, task.headDim,
                                plan.pieces.tokens},
                    stream);
}

template <typename T, typename K>
void decodeOf(const Task& task, DeviceOperands& o, int multiprocessors, cudaStream_t stream)
{
    const DecodePlan plan = planOf(task, multiprocessors);
    if (task.headDim > 128)
        return decode<T, K, 256, 1>(task, o, plan, stream);
    if (task.headDim <= 64)
        return plan.headTiles == 1 ? decode<T, K, 64, 1>(task, o, plan, stream)
                                   : decode<T, K, 64, 2>(task, o, plan, stream);
    return plan.headTiles == 1 ? decode<T, K, 128, 1>(task, o, plan, stream)
                               : decode<T, K, 128, 2>(task, o, plan, stream);
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

Message decodeObstacle(const Task& task, int computeCapability)
{
    // Turing has 64 KB of shared memory; two tiles of wide 16-bit rows for each warp leave none of them.
    if (computeCapability < 80 && task.headDim > 64 && task.kv != DType::Fp8 && task.kv != DType::Int8)
        return "16-bit caches with head dimensions above 64 need compute capability 8.0";
    return attentionObstacle(task, 256);
}

Variant decodeVariant(const Task& task, int multiprocessors)
{
    const DecodePlan plan = planOf(task, multiprocessors);
    return {.rows = plan.rows(),
            .columns = task.headDim <= 64 ? 64
                : task.headDim <= 128     ? 128
                                          : 256,
            .parts = plan.pieces.count};
}

std::size_t decodeWorkspace(const Task& task, int multiprocessors)
{
    const DecodePlan plan = planOf(task, multiprocessors);
    return plan.pieces.count == 1 ? 0
                                  : counterBytes(plan)
            + partialFloats(plan.groups, plan.pieces.count, plan.rows(), task.headDim) * sizeof(float);
}

void launchDecode(const Task& task, DeviceOperands& o, int multiprocessors, cudaStream_t stream)
{
    if (task.activations == DType::Fp16)
        decodeAs<__half>(task, o, multiprocessors, stream);
    else
        decodeAs<__nv_bfloat16>(task, o, multiprocessors, stream);
}

} // namespace headroom::kernels
