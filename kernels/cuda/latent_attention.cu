#include "kernels/cuda/attention.h"
#include "kernels/cuda/latent_groups.cuh"
#include "kernels/cuda/latent_tiles.cuh"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/merge_parts.cuh"

#include <cmath>

namespace headroom::kernels {

namespace {

// Absorbed latent attention of one new token a sequence: one cached row (latent + rope) is the key of every
// head and its latent part the value. A block takes 16 * rowTiles heads of a sequence and one part of its
// tokens. Its eight warps share the scores of a tile out by rows, columns and depth, so that each operand
// read from shared memory is used for several products; then each sums its own eighth of the latent
// dimensions.
constexpr int warps = 8;
constexpr int columnTiles = width / warps / 8;

// Scores of one part of the depth: rows of floats, four more than tokens so that eight rows begin in
// different banks.
template <int tileTokens>
constexpr int scoreStride = tileTokens + 4;
template <typename T, int rowTiles, int tileTokens, int depthParts>
constexpr std::size_t latentShared = (16 * rowTiles + 2 * tileTokens) * dim * sizeof(T) // queries, two tiles
    + depthParts * 16 * rowTiles* scoreStride<tileTokens> * sizeof(float) // scores, then weights
    + 16 * rowTiles * 3 * sizeof(float);                                  // largest, sum, shrink

// Softmax over one tile's scores, a warp a row: weights for the second product, where the first part of the
// scores was, and by how much earlier sums shrink. Lane i has the scale of token i. A warp's rows do not wait
// for each other.
template <typename T, int rows, int tileTokens, int depthParts>
__device__ inline void weighRows(float* scores, float* largest, float* sum, float* shrink, int tokens,
                                 float scoreScale, float tokenScale)
{
    constexpr int each = rows / warps;
    constexpr int stride = scoreStride<tileTokens>;
    const int lane = int(threadIdx.x) % 32;
    const int warp = int(threadIdx.x) / 32;
    const bool seen = lane < tileTokens && lane < tokens;
    float weight[each];
    float before[each];
    float high[each];
#pragma unroll
    for (int r = 0; r < each; ++r) {
        const int row = warp + r * warps;
        float score = 0;
#pragma unroll
        for (int part = 0; part < depthParts; ++part)
            score += scores[(part * rows + row) * stride + lane % tileTokens];
        weight[r] = seen ? score * (scoreScale * tokenScale) : -INFINITY;
        before[r] = largest[row];
    }
#pragma unroll
    for (int r = 0; r < each; ++r)
        high[r] = fmaxf(before[r], largestOfWarp(weight[r])); // finite: a tile in range has a token
    __syncwarp(); // all have read the scores that weights take the place of
#pragma unroll
    for (int r = 0; r < each; ++r) {
        weight[r] = powerOfTwo(weight[r] - high[r]);
        if (lane < tileTokens)
            reinterpret_cast<T*>(scores + (warp + r * warps) * stride)[lane]
                = fromFloat<T>(weight[r] * tokenScale);
    }
#pragma unroll
    for (int r = 0; r < each; ++r) {
        const int row = warp + r * warps;
        const float all = sumOfWarp(weight[r]);
        if (lane == 0) {
            shrink[row] = powerOfTwo(before[r] - high[r]);
            largest[row] = high[r];
            sum[row] = sum[row] * powerOfTwo(before[r] - high[r]) + all;
        }
    }
}

// Rows of `from` into a tile of T, zeros where `rowOf` gives none; they have come when the copies have.
template <typename T, typename K, typename RowOf>
__device__ inline void bringRows(T* to, const K* from, int width, int rows, const RowOf& rowOf)
{
    constexpr int size = 16 / int(sizeof(K)); // elements of a 16-byte piece
    for (int at = int(threadIdx.x); at < rows * dim / size; at += warps * 32) {
        const int row = at / (dim / size);
        const int piece = at % (dim / size);
        const std::int64_t source = rowOf(row);
        const bool valid = source >= 0 && piece * size < width;
        const K* const start = from + (valid ? source * width + piece * size : 0);
        if constexpr (sizeof(K) == 2) {
            copyAsync(to + 8 * swizzled(row, piece, dim / 8), start, valid);
        } else {
            putWidened<T, K, dim>(to, row, 2 * piece, valid ? streamed16(start) : make_uint4(0, 0, 0, 0));
        }
    }
    commitCopies();
}

template <typename T, typename K, int rowTiles, int tileTokens, int depthParts>
__global__ void __launch_bounds__(warps * 32, 1) latentKernel(LatentArguments<T, K> a)
{
    constexpr int rows = 16 * rowTiles;
    constexpr int tile = tileTokens * dim;
    T* const query = reinterpret_cast<T*>(dynamicShared());
    T* const tiles = query + rows * dim;
    float* const scores = reinterpret_cast<float*>(tiles + 2 * tile);
    constexpr int stride = scoreStride<tileTokens>;
    float* const largest = scores + depthParts * rows * stride;
    float* const sum = largest + rows;
    float* const shrink = sum + rows;
    const int lane = int(threadIdx.x) % 32;
    const int warp = int(threadIdx.x) / 32;
    const int split = int(blockIdx.x);
    const int sequence = int(blockIdx.z);
    const int firstHead = int(blockIdx.y) * rows;
    const int heads = least(rows, a.heads - firstHead);
    const TokenRange range = splitRange(a.length[sequence], tileTokens, a.parts.splits, split);

    const auto loadTile = [&](T* to, int firstToken) {
        bringRows<T, K>(to, a.cache, a.keyDim, tileTokens, [&](int row) {
            const int token = firstToken + row;
            return token < range.end ? std::int64_t(cacheRow(a.pages, sequence, 0, token)) : std::int64_t(-1);
        });
    };
    // Of the token that this lane weighs.
    const auto scaleOf = [&](int firstToken) {
        if constexpr (sizeof(K) == 2)
            return 1.0F;
        const int token = firstToken + lane % tileTokens;
        return token < range.end ? a.cacheScales[cacheRow(a.pages, sequence, 0, token)] : 0.0F;
    };
    bringRows<T, T>(query, a.query, a.keyDim, rows, [&](int row) {
        return row < heads ? std::int64_t(sequence) * a.heads + firstHead + row : std::int64_t(-1);
    });
    loadTile(tiles, range.begin);
    for (int row = int(threadIdx.x); row < rows; row += warps * 32) {
        largest[row] = -INFINITY;
        sum[row] = 0;
    }

    float result[rowTiles][columnTiles][4] = {};
    float nextScale = scaleOf(range.begin);
    for (int token = range.begin, stage = 0; token < range.end; token += tileTokens, stage = 1 - stage) {
        const T* const keys = tiles + stage * tile;
        loadTile(tiles + (1 - stage) * tile, token + tileTokens); // zeros beyond the end
        waitCopies<1>();
        __syncthreads();
        const float tokenScale = nextScale;
        nextScale = scaleOf(token + tileTokens);
        // Scores: a piece of the tile and a part of the depth for each warp.
        constexpr int pieceTiles = rowTiles < 2 ? rowTiles : 2; // of 16 rows
        constexpr int pieceTokens = tileTokens * depthParts * (rowTiles / pieceTiles) / warps;
        static_assert(pieceTokens % 16 == 0);
        {
            const int part = warp % depthParts;
            const int piece = warp / depthParts;
            const int row = piece / (tileTokens / pieceTokens) * 16 * pieceTiles;
            const int column = piece % (tileTokens / pieceTokens) * pieceTokens;
            float sums[pieceTiles][pieceTokens / 8][4] = {};
#pragma unroll 3
            for (int step = dim / 16 * part / depthParts; step < dim / 16 * (part + 1) / depthParts; ++step) {
                std::uint32_t left[pieceTiles][4];
                std::uint32_t right[pieceTokens / 16][4];
#pragma unroll
                for (int i = 0; i < pieceTiles; ++i)
                    leftOperand<T, dim>(left[i], query, row + 16 * i, step);
#pragma unroll
                for (int p = 0; p < pieceTokens / 16; ++p)
                    rightOperands<T, dim>(right[p], keys, column + 16 * p, step);
#pragma unroll
                for (int i = 0; i < pieceTiles; ++i)
#pragma unroll
                    for (int p = 0; p < pieceTokens / 16; ++p) {
                        multiplyTile<T>(sums[i][2 * p], left[i], right[p][0], right[p][1]);
                        multiplyTile<T>(sums[i][2 * p + 1], left[i], right[p][2], right[p][3]);
                    }
            }
#pragma unroll
            for (int i = 0; i < pieceTiles; ++i)
#pragma unroll
                for (int j = 0; j < pieceTokens / 8; ++j)
#pragma unroll
                    for (int h = 0; h < 2; ++h)
                        *reinterpret_cast<float2*>(scores
                                                   + (part * rows + row + 16 * i + lane / 4 + 8 * h) * stride
                                                   + column + 8 * j + lane % 4 * 2)
                            = make_float2(sums[i][j][2 * h], sums[i][j][2 * h + 1]);
        }
        __syncthreads();
        weighRows<T, rows, tileTokens, depthParts>(scores, largest, sum, shrink, range.end - token,
                                                   a.scoreScale, tokenScale);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < rowTiles; ++i) {
            const float less[2] = {shrink[16 * i + lane / 4], shrink[16 * i + lane / 4 + 8]};
#pragma unroll
            for (int j = 0; j < columnTiles; ++j)
#pragma unroll
                for (int e = 0; e < 4; ++e)
                    result[i][j][e] *= less[e / 2];
        }
#pragma unroll
        for (int depth = 0; depth < tileTokens / 16; ++depth) {
            std::uint32_t left[rowTiles][4];
#pragma unroll
            for (int i = 0; i < rowTiles; ++i)
#pragma unroll
                for (int r = 0; r < 4; ++r) // a[r]: row + 8 for odd r, columns + 8 for r >= 2
                    left[i][r] = *reinterpret_cast<const std::uint32_t*>(
                        reinterpret_cast<const T*>(scores + (16 * i + lane / 4 + r % 2 * 8) * stride)
                        + 16 * depth + r / 2 * 8 + lane % 4 * 2);
#pragma unroll
            for (int pair = 0; pair < columnTiles / 2; ++pair) {
                std::uint32_t right[4];
                rightOperandsAcross<T, dim>(right, keys, 16 * depth, warp * columnTiles / 2 + pair);
#pragma unroll
                for (int i = 0; i < rowTiles; ++i) {
                    multiplyTile<T>(result[i][2 * pair], left[i], right[0], right[1]);
                    multiplyTile<T>(result[i][2 * pair + 1], left[i], right[2], right[3]);
                }
            }
        }
        __syncthreads(); // tile, scores and weights are overwritten next
    }
    waitCopies<0>();
    __syncthreads(); // largest and sum of an empty part were set by other threads
    const int rowGroup = sequence * int(gridDim.y) + int(blockIdx.y);
#pragma unroll
    for (int i = 0; i < rowTiles; ++i)
#pragma unroll
        for (int j = 0; j < columnTiles; ++j)
#pragma unroll
            for (int e = 0; e < 4; ++e) {
                const int row = 16 * i + lane / 4 + e / 2 * 8;
                const int column = (warp * columnTiles + j) * 8 + lane % 4 * 2 + e % 2;
                if (row >= heads || column >= a.latent)
                    continue;
                if (a.parts.splits == 1)
                    a.output[(std::int64_t(sequence) * a.heads + firstHead + row) * a.latent + column]
                        = fromFloat<T>(result[i][j][e] / sum[row]);
                else
                    a.parts.of(rowGroup, split)[row * a.parts.width + column] = result[i][j][e];
            }
    if (a.parts.splits == 1)
        return;
    for (int row = int(threadIdx.x); row < heads; row += warps * 32) {
        a.parts.largest(rowGroup, split)[row] = largest[row];
        a.parts.sum(rowGroup, split)[row] = sum[row];
    }
}

// Where the merged rows go.
struct LatentPlace {
    int heads;
    int tiles; // of heads
    int rows;  // of a tile
    int latent;
    int splits;
    __device__ int parts(int) const { return splits; }
    __device__ std::int64_t row(int group, int row) const
    {
        const int head = group % tiles * rows + row;
        return head < heads ? (std::int64_t(group / tiles) * heads + head) * latent : -1;
    }
};

// 64 heads and 32 tokens need 181 KB of shared memory with scores in four parts, 163 KB in two; where there
// is less, 16 and 16 need 65 KB.
struct LatentPlan {
    bool grouped = false;
    int rows = 16;
    int tileTokens = 16;
    int depthParts = 8;
    int groups = 0;
    int splits = 1;
};

LatentPlan planOf(const Task& task, int multiprocessors)
{
    int device = 0;
    int bytes = 0;
    cudaCheck(cudaGetDevice(&device));
    cudaCheck(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    constexpr std::size_t counted = 128; // what the kernel declares beside
    const bool four = std::size_t(bytes) >= latentShared<__half, 4, 32, 4> + counted;
    const bool two = std::size_t(bytes) >= latentShared<__half, 4, 32, 2> + counted;
    LatentPlan plan;
    int slots = 2 * multiprocessors;
#if defined(HEADROOM_WARP_GROUPS) && !defined(HEADROOM_EMULATED)
    int major = 0;
    cudaCheck(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    plan.grouped = major == 9 && task.kv == task.activations && (!task.variant || task.variant->grouped);
#endif
    if (plan.grouped)
        plan.rows = plan.tileTokens = 64;
    else if (two)
        plan = {.rows = 64, .tileTokens = 32, .depthParts = four ? 4 : 2};
    if (plan.rows == 64)
        slots = multiprocessors;
    plan.groups = int(task.batch) * ceilDiv(task.queryHeads, plan.rows);
    plan.splits = task.variant
        ? task.variant->parts
        : partsFor(ceilDiv(int(task.past) + 1, plan.tileTokens), plan.groups, slots, 3);
    return plan;
}

template <typename T, typename K, int rowTiles, int tileTokens, int depthParts>
void latent(const Task& task, DeviceOperands& o, const LatentPlan& plan, cudaStream_t stream)
{
    const int keyDim = task.latent + task.rope;
    const LatentArguments<T, K> a{o.input.bytes.as<T>(),
                                  o.keys.bytes.as<K>(),
                                  o.keys.scales.as<float>(),
                                  o.length.as<int>(),
                                  {o.table.as<int>(), int(o.pagesPerSequence), 1, task.pageTokens},
                                  o.output.bytes.as<T>(),
                                  {o.workspace.as<float>(), plan.rows, task.latent, plan.splits},
                                  task.queryHeads,
                                  task.latent,
                                  keyDim,
                                  float(1.4426950408889634 / std::sqrt(double(keyDim)))}; // log2 e
    const int headTiles = ceilDiv(task.queryHeads, plan.rows);
    const dim3 blocks(unsigned(plan.splits), unsigned(headTiles), unsigned(task.batch));
    const auto attend = [&] {
#if defined(HEADROOM_WARP_GROUPS) && !defined(HEADROOM_EMULATED)
        if constexpr (std::is_same_v<T, K>)
            if (plan.grouped)
                return launchKernel(groups::latentGroupKernel<T>, blocks, dim3(groups::threads),
                                    groups::sharedBytes, stream, a);
#endif
        launchKernel(latentKernel<T, K, rowTiles, tileTokens, depthParts>, blocks, dim3(warps * 32),
                     latentShared<T, rowTiles, tileTokens, depthParts>, stream, a);
    };
    attend();
    if (plan.splits > 1)
        launchMerge(a.parts, plan.groups, a.output,
                    LatentPlace{task.queryHeads, headTiles, plan.rows, task.latent, plan.splits}, stream);
}

template <typename T, typename K>
void latentOf(const Task& task, DeviceOperands& o, int multiprocessors, cudaStream_t stream)
{
    const LatentPlan plan = planOf(task, multiprocessors);
    if (plan.rows == 16)
        latent<T, K, 1, 16, 8>(task, o, plan, stream);
    else if (plan.depthParts == 2)
        latent<T, K, 4, 32, 2>(task, o, plan, stream);
    else
        latent<T, K, 4, 32, 4>(task, o, plan, stream);
}

template <typename T>
void latentAs(const Task& task, DeviceOperands& o, int multiprocessors, cudaStream_t stream)
{
    if (task.kv == DType::Fp8)
        latentOf<T, __nv_fp8_e4m3>(task, o, multiprocessors, stream);
    else
        latentOf<T, T>(task, o, multiprocessors, stream);
}

} // namespace

Message latentObstacle(const Task& task, int)
{
    const bool narrow = task.kv == DType::Fp8;
    if (!narrow && task.kv != task.activations)
        return "the latent cache is stored as the activations or in fp8";
    if (task.latent % 8 != 0 || (task.latent + task.rope) % (narrow ? 16 : 8) != 0 || task.latent > width
        || task.latent + task.rope > dim)
        return "latent widths are multiples of 16 bytes, at most 512 and 64 of rope";
    return attentionObstacle(task, dim);
}

Variant latentVariant(const Task& task, int multiprocessors)
{
    const LatentPlan plan = planOf(task, multiprocessors);
    return {.grouped = plan.grouped, .rows = plan.rows, .columns = plan.tileTokens, .parts = plan.splits};
}

std::size_t latentWorkspace(const Task& task, int multiprocessors)
{
    const LatentPlan plan = planOf(task, multiprocessors);
    return plan.splits == 1 ? 0
                            : partialFloats(plan.groups, plan.splits, plan.rows, task.latent) * sizeof(float);
}

void launchLatent(const Task& task, DeviceOperands& o, int multiprocessors, cudaStream_t stream)
{
    if (task.activations == DType::Fp16)
        latentAs<__half>(task, o, multiprocessors, stream);
    else
        latentAs<__nv_bfloat16>(task, o, multiprocessors, stream);
}

} // namespace headroom::kernels
