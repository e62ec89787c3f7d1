#include "kernels/cpu/operands.h"
#include "kernels/cuda/expert_routing.cuh"
#include "kernels/cuda/experts.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/product.cuh"
#include "kernels/cuda/staged.cuh"

#include <algorithm>

namespace headroom::kernels {

namespace {

// Five or six launches: scores and choice of experts; counting sort of (token, choice) slots by expert; gate
// and up products with the activation; down products; weighted sums. Sizes that depend on the routing stay on
// the device.

// Where things lie in the workspace; `slots` is tokens x choices.
struct Layout {
    std::int64_t slots = 0;
    std::size_t choice = 0;  // int, slot -> expert
    std::size_t weight = 0;  // float, slot -> weight
    std::size_t order = 0;   // int, sorted place -> slot
    std::size_t place = 0;   // int, slot -> sorted place
    std::size_t offsets = 0; // int, expert -> first sorted place; one more entry
    std::size_t starts = 0;  // int, expert -> first row tile; one more entry
    std::size_t inner = 0;   // T, place x n
    std::size_t outer = 0;   // T, place x k
    std::size_t scores = 0;  // float, token x experts
    std::size_t bytes = 0;
};

Layout layoutOf(const Task& task)
{
    Layout out;
    out.slots = task.m * task.expertsPerToken;
    const auto slots = std::size_t(out.slots);
    const auto experts = std::size_t(task.experts) + 1;
    const auto take = [&](std::size_t bytes) {
        const std::size_t at = out.bytes;
        out.bytes += (bytes + 127) / 128 * 128;
        return at;
    };
    out.choice = take(slots * 4);
    out.weight = take(slots * 4);
    out.order = take(slots * 4);
    out.place = take(slots * 4);
    out.offsets = take(experts * 4);
    out.starts = take(experts * 4);
    out.inner = take(slots * std::size_t(task.n) * 2);
    out.outer = take(slots * std::size_t(task.k) * 2);
    out.scores = take(std::size_t(task.m) * std::size_t(task.experts) * 4);
    return out;
}

__device__ inline float siluOf(float x) { return x / (1 + __expf(-x)); }
__device__ inline float geluOf(float x) { return 0.5F * x * (1 + erff(x * 0.70710678F)); }

template <typename T, typename W>
struct GroupedArguments {
    const T* input;        // token or place x depth
    WeightView<W> weights; // (expert x branches x columns) x depth
    T* output;             // place x columns
    const int* order;      // null: rows are taken by place
    const int* offsets;
    const int* starts;
    int experts;
    int choices;
    int columns;
    bool activate; // gate and up are two branches, or one with GELU
    bool gated;
};

// Result of one branch or two.
__device__ inline float finished(float first, float second, bool activate, bool gated)
{
    if (!activate)
        return first;
    return gated ? siluOf(first) * second : geluOf(first);
}

// Blocks a multiprocessor must hold; 0 leaves it to the compiler, which on 12.0 chooses two and spills to get
// there.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1200
constexpr int groupedBlocks = 1;
#else
constexpr int groupedBlocks = 0;
#endif

// A persistent grid over (expert, row tile, column tile). With a gate, half of a block's weight rows are gate
// rows and the other half the up rows of the same columns.
template <typename T, typename W>
__global__ void __launch_bounds__(warps * 32, groupedBlocks) groupedKernel(GroupedArguments<T, W> a)
{
    constexpr int mTiles = 1;
    constexpr int nTiles = 4;
    __shared__ float shared[warps / 2 * 32 * mTiles * nTiles * 4];
    const int lane = int(threadIdx.x) % 32;
    const int warp = int(threadIdx.x) / 32;
    const bool two = a.activate && a.gated;
    const int branches = two ? 2 : 1;
    const int tileColumns = nTiles * 8 / branches;
    const int columnTiles = ceilDiv(a.columns, tileColumns);
    const int works = a.starts[a.experts] * columnTiles;
    for (int work = int(blockIdx.x); work < works; work += int(gridDim.x)) {
        const GroupedTile tile = groupedTile(a.starts, a.experts, columnTiles, work);
        const int firstPlace = a.offsets[tile.expert] + tile.rowTile * mTiles * 16;
        const int lastPlace = a.offsets[tile.expert + 1];
        const int firstColumn = tile.columnTile * tileColumns;
        const T* rows[mTiles][2];
#pragma unroll
        for (int i = 0; i < mTiles; ++i)
#pragma unroll
            for (int h = 0; h < 2; ++h) {
                const int place = firstPlace + 16 * i + 8 * h + lane / 4;
                rows[i][h] = nullptr;
                if (place < lastPlace) {
                    const int row = a.order != nullptr ? a.order[place] / a.choices : place;
                    rows[i][h] = a.input + std::int64_t(row) * a.weights.depth;
                }
            }
        const auto rowOf = [&](int j, int i) {
            const int branch = two ? j / (nTiles / 2) : 0;
            const int column = firstColumn + 8 * (two ? j % (nTiles / 2) : j) + i;
            return column < a.columns ? (std::int64_t(tile.expert) * branches + branch) * a.columns + column
                                      : std::int64_t(-1);
        };
        float total[mTiles][nTiles][4] = {};
        warpProduct<T, W, mTiles, nTiles>(total, rows, a.weights, rowOf, warp, warps);
        sumOfWarps<mTiles, nTiles>(total, shared, warp, warps);
        if (warp != 0)
            continue;
#pragma unroll
        for (int i = 0; i < mTiles; ++i)
#pragma unroll
            for (int j = 0; j < nTiles; ++j) {
                if (two && j >= nTiles / 2)
                    continue;
#pragma unroll
                for (int e = 0; e < 4; ++e) {
                    const int place = firstPlace + 16 * i + lane / 4 + (e < 2 ? 0 : 8);
                    const int column = firstColumn + 8 * j + 2 * (lane % 4) + e % 2;
                    if (place < lastPlace && column < a.columns)
                        a.output[std::int64_t(place) * a.columns + column] = fromFloat<T>(finished(
                            total[i][j][e], total[i][(j + nTiles / 2) % nTiles][e], a.activate, a.gated));
                }
            }
    }
}

// The same with tiles of 128 rows through shared memory. Of every 32 columns of a block's tile, which one
// warp takes, a gate has the first 16 and its up rows the others.
template <typename T, typename W>
__global__ void __launch_bounds__(stagedThreads, stagedBlocks) stagedGroupedKernel(GroupedArguments<T, W> a)
{
    const bool two = a.activate && a.gated;
    const int branches = two ? 2 : 1;
    const int columnTiles = ceilDiv(a.columns, stagedColumns / branches);
    const int works = a.starts[a.experts] * columnTiles;
    for (int work = int(blockIdx.x); work < works; work += int(gridDim.x)) {
        const GroupedTile tile = groupedTileByColumns(a.starts, a.experts, columnTiles, work);
        const int firstPlace = a.offsets[tile.expert] + tile.rowTile * stagedRows;
        const int lastPlace = a.offsets[tile.expert + 1];
        const int firstColumn = tile.columnTile * (stagedColumns / branches);
        const auto columnOf = [&](int at) { return firstColumn + (two ? at / 32 * 16 + at % 16 : at); };
        float total[4][4][4] = {};
        stagedProduct<T, W>(
            total, a.input, a.weights,
            [&](int row) {
                const int place = firstPlace + row;
                if (place >= lastPlace)
                    return std::int64_t(-1);
                return std::int64_t(a.order != nullptr ? a.order[place] / a.choices : place);
            },
            [&](int at) {
                const int branch = two ? at % 32 / 16 : 0;
                const int column = columnOf(at);
                return column < a.columns
                    ? (std::int64_t(tile.expert) * branches + branch) * a.columns + column
                    : std::int64_t(-1);
            });
        forEachResult([&](int i, int j, int e, int row, int at) {
            if (two && j >= 2)
                return;
            const int place = firstPlace + row;
            const int column = columnOf(at);
            if (place < lastPlace && column < a.columns)
                a.output[std::int64_t(place) * a.columns + column]
                    = fromFloat<T>(finished(total[i][j][e], total[i][(j + 2) % 4][e], a.activate, a.gated));
        });
    }
}

// Any size: one warp a result.
template <typename T, typename W>
__global__ void __launch_bounds__(warps * 32, 4) plainGroupedKernel(GroupedArguments<T, W> a)
{
    const bool two = a.activate && a.gated;
    const int branches = two ? 2 : 1;
    const std::int64_t results = std::int64_t(a.offsets[a.experts]) * a.columns;
    for (std::int64_t i = std::int64_t(blockIdx.x) * warps + threadIdx.x / 32; i < results;
         i += std::int64_t(gridDim.x) * warps) {
        const int place = int(i / a.columns);
        const int column = int(i % a.columns);
        // With starts = offsets every place is a tile of its own.
        const int expert = groupedTile(a.offsets, a.experts, 1, place).expert;
        const int row = a.order != nullptr ? a.order[place] / a.choices : place;
        const T* const x = a.input + std::int64_t(row) * a.weights.depth;
        const std::int64_t weightRow = std::int64_t(expert) * branches * a.columns + column;
        const float first = plainDot(x, a.weights, weightRow);
        const float second = two ? plainDot(x, a.weights, weightRow + a.columns) : 0.0F;
        if (threadIdx.x % 32 == 0)
            a.output[i] = fromFloat<T>(finished(first, second, a.activate, a.gated));
    }
}

// Experts of decode batches see few tokens each: their weights are streamed. Beyond, tiles of 128 rows are
// multiplied.
Variant variantOf(const Task& task)
{
    if (task.variant)
        return *task.variant;
    const bool few = task.m * task.expertsPerToken <= 32 * std::int64_t(task.experts);
    return few ? Variant{.rows = 16, .columns = 32}
               : Variant{.staged = true, .rows = stagedRows, .columns = stagedColumns};
}

template <typename T, typename W>
void launchGrouped(const GroupedArguments<T, W>& a, const Task& task, std::int64_t slots, int multiprocessors,
                   cudaStream_t stream)
{
    const dim3 grid(unsigned(2 * multiprocessors));
    if (!productTakes<W>(a.weights.depth, a.weights.group)) {
        const std::int64_t blocks = (slots * a.columns + warps - 1) / warps;
        launchKernel(plainGroupedKernel<T, W>, dim3(unsigned(std::min<std::int64_t>(blocks, 65535))),
                     dim3(warps * 32), 0, stream, a);
    } else if (variantOf(task).staged) {
        launchKernel(stagedGroupedKernel<T, W>, grid, dim3(stagedThreads), stagedShared<T>(), stream, a);
    } else {
        launchKernel(groupedKernel<T, W>, grid, dim3(warps * 32), 0, stream, a);
    }
}

template <typename W>
WeightView<W> viewOf(const DeviceTensor& tensor)
{
    const int depth = int(tensor.columns);
    const int group = isScaled<W> ? tensor.groupSize : depth;
    return {tensor.bytes.as<std::uint8_t>(), tensor.scales.as<float>(), depth, group, ceilDiv(depth, group)};
}

template <typename T, typename W>
void expertsAs(const Task& task, DeviceOperands& o, int multiprocessors, cudaStream_t stream)
{
    const Layout at = layoutOf(task);
    auto* const base = o.workspace.as<std::uint8_t>();
    auto* const choice = reinterpret_cast<int*>(base + at.choice);
    auto* const weight = reinterpret_cast<float*>(base + at.weight);
    auto* const order = reinterpret_cast<int*>(base + at.order);
    auto* const place = reinterpret_cast<int*>(base + at.place);
    auto* const offsets = reinterpret_cast<int*>(base + at.offsets);
    auto* const starts = reinterpret_cast<int*>(base + at.starts);
    auto* const inner = reinterpret_cast<T*>(base + at.inner);
    auto* const outer = reinterpret_cast<T*>(base + at.outer);
    const auto tokens = unsigned(task.m);
    if (variantOf(task).staged) {
        auto* const scores = reinterpret_cast<float*>(base + at.scores);
        launchKernel(
            scoreKernel<T>,
            dim3(unsigned(ceilDiv(int(task.m), scoreTokens)), unsigned(ceilDiv(task.experts, scoreExperts))),
            dim3(256), 0, stream, o.input.bytes.as<T>(), o.router.bytes.as<float>(), scores, task.m,
            int(task.k), task.experts, float(task.routingSkew));
        launchKernel(choiceKernel, dim3(unsigned(ceilDiv(int(task.m), warps))), dim3(warps * 32), 0, stream,
                     scores, choice, weight, task.m, task.experts, task.expertsPerToken);
    } else {
        launchKernel(routerKernel<T>, dim3(tokens), dim3(warps * 32), 0, stream, o.input.bytes.as<T>(),
                     o.router.bytes.as<float>(), choice, weight, int(task.k), task.experts,
                     task.expertsPerToken, float(task.routingSkew));
    }
    launchKernel(sortKernel, dim3(1), dim3(1024), 0, stream, choice, order, place, offsets, starts,
                 int(at.slots), task.experts, variantOf(task).rows);
    launchGrouped<T, W>({o.input.bytes.as<T>(), viewOf<W>(o.weights), inner, order, offsets, starts,
                         task.experts, task.expertsPerToken, int(task.n), true, task.gated},
                        task, at.slots, multiprocessors, stream);
    launchGrouped<T, W>({inner, viewOf<W>(o.downWeights), outer, nullptr, offsets, starts, task.experts,
                         task.expertsPerToken, int(task.k), false, false},
                        task, at.slots, multiprocessors, stream);
    const int width = int(task.k);
    constexpr int size = Pack<T>::size;
    launchKernel(width % size == 0 ? combineKernel<T, size> : combineKernel<T, 1>, dim3(tokens), dim3(256), 0,
                 stream, outer, place, weight, o.output.bytes.as<T>(), task.expertsPerToken, width);
}

template <typename T>
void expertsOf(const Task& task, DeviceOperands& o, int multiprocessors, cudaStream_t stream)
{
    switch (task.weights) {
    case DType::Fp8:
        return expertsAs<T, __nv_fp8_e4m3>(task, o, multiprocessors, stream);
    case DType::Int8:
        return expertsAs<T, std::int8_t>(task, o, multiprocessors, stream);
    case DType::Int4:
        return expertsAs<T, Nibble>(task, o, multiprocessors, stream);
    default:
        return expertsAs<T, T>(task, o, multiprocessors, stream);
    }
}

} // namespace

std::string expertsObstacle(const Task& task, int)
{
    if (task.activations != DType::Bf16 && task.activations != DType::Fp16)
        return "experts compute in bf16 or fp16";
    if (task.weights != task.activations && task.weights != DType::Fp8 && task.weights != DType::Int8
        && task.weights != DType::Int4)
        return "weights are stored as the activations, fp8, int8 or int4";
    if (task.experts < 1 || task.experts > mostExperts)
        return "at most 1024 experts are sorted at once";
    if (task.expertsPerToken < 1 || task.expertsPerToken > std::min(mostChoices, task.experts))
        return "a token chooses at most 32 experts, and no more than there are";
    return {};
}

Variant expertsVariant(const Task& task) { return variantOf(task); }

std::size_t expertsWorkspace(const Task& task) { return layoutOf(task).bytes; }

void launchExperts(const Task& task, DeviceOperands& o, int multiprocessors, cudaStream_t stream)
{
    if (task.activations == DType::Fp16)
        expertsOf<__half>(task, o, multiprocessors, stream);
    else
        expertsOf<__nv_bfloat16>(task, o, multiprocessors, stream);
}

} // namespace headroom::kernels
