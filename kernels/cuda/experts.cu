#include "kernels/cpu/operands.h"
#include "kernels/cuda/expert_routing.cuh"
#include "kernels/cuda/experts.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/product.cuh"
#include "kernels/cuda/staged.cuh"
#include "kernels/cuda/streamed.cuh"

#include <algorithm>

namespace headroom::kernels {

namespace {

// Four launches: scores, choice of experts and the counting sort of (token, choice) slots by expert; gate and
// up products with the activation; down products; weighted sums. Many slots are sorted by a fifth. Sizes that
// depend on the routing stay on the device.

// Where things lie in the workspace; `slots` is tokens x choices.
struct Layout {
    std::int64_t slots = 0;
    std::size_t choice = 0;   // int, slot -> expert
    std::size_t weight = 0;   // float, slot -> weight
    std::size_t order = 0;    // int, sorted place -> slot
    std::size_t place = 0;    // int, slot -> sorted place
    std::size_t offsets = 0;  // int, expert -> first sorted place; one more entry
    std::size_t starts = 0;   // int, expert -> first row tile; one more entry
    std::size_t inner = 0;    // T, place x n
    std::size_t outer = 0;    // T, place x k
    std::size_t scores = 0;   // float, token x experts
    std::size_t counters = 0; // int, of the blocks that choose and sort
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
    out.counters = take((std::size_t(task.m) + 1) * 4);
    return out;
}

__device__ inline float siluOf(float x) { return x / (1 + __expf(-x)); }
__device__ inline float geluOf(float x) { return 0.5F * x * (1 + erff(x * 0.70710678F)); }

// Weight rows of a block's tile where weights are streamed.
constexpr int groupedColumns = 32;

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

// A tile of up to tokenTiles x 8 places of an expert, times 32 of its weight rows. With a gate, half of them
// are gate rows and the other half the up rows of the same columns.
template <typename T, typename W, int tokenTiles>
__device__ inline void streamedTile(const GroupedArguments<T, W>& a, int expert, int firstPlace,
                                    int lastPlace, int firstColumn, bool two)
{
    const int warp = int(threadIdx.x) / 32;
    const auto inputRow = [&](int i) {
        const int place = least(firstPlace + i, lastPlace - 1);
        return std::int64_t(a.order != nullptr ? a.order[place] / a.choices : place);
    };
    const auto weightRow = [&](int i) {
        const int branch = two && i >= groupedColumns / 2 ? 1 : 0;
        const int column = least(firstColumn + i - branch * (groupedColumns / 2), a.columns - 1);
        return (std::int64_t(expert) * (two ? 2 : 1) + branch) * a.columns + column;
    };
    constexpr int rowTiles = groupedColumns / 16;
    const int held = least(lastPlace - firstPlace, tokenTiles * 8);
    float total[rowTiles][tokenTiles][4] = {};
    unsigned char* const ring = dynamicShared();
    streamedProduct<T, W, rowTiles, tokenTiles, 2>(
        total, a.input, a.weights, inputRow, held, weightRow,
        ring + warp * (streamedShared<W, rowTiles>(held, sharedHere) / streamedWarps), warp);
    streamedResults<rowTiles, tokenTiles>(
        total, ring, warp, two, [&](int i, int row, float first, float second) {
            const int place = firstPlace + row;
            const int column = firstColumn + i;
            if (place < lastPlace && column < a.columns)
                a.output[std::int64_t(place) * a.columns + column]
                    = fromFloat<T>(finished(first, second, a.activate, a.gated));
        });
}

// A persistent grid over (expert, row tile, column tile).
template <typename T, typename W>
__global__ void __launch_bounds__(streamedThreads, streamedBlocks) groupedKernel(GroupedArguments<T, W> a)
{
    letNextStart();
    awaitPrevious();
    const bool two = a.activate && a.gated;
    const int tileColumns = groupedColumns / (two ? 2 : 1);
    const int columnTiles = ceilDiv(a.columns, tileColumns);
    const int works = a.starts[a.experts] * columnTiles;
    for (int work = int(blockIdx.x); work < works; work += int(gridDim.x)) {
        const GroupedTile tile
            = groupedTile(a.starts, expertOfWarp(a.starts, a.experts, work / columnTiles), columnTiles, work);
        const int firstPlace = a.offsets[tile.expert] + tile.rowTile * streamedRows<W>;
        const int lastPlace = a.offsets[tile.expert + 1];
        const int firstColumn = tile.columnTile * tileColumns;
        if (streamedRows<W> <= 8 || lastPlace - firstPlace <= 8)
            streamedTile<T, W, 1>(a, tile.expert, firstPlace, lastPlace, firstColumn, two);
        else if constexpr (streamedRows<W> > 8)
            streamedTile<T, W, 2>(a, tile.expert, firstPlace, lastPlace, firstColumn, two);
    }
}

// The same with tiles of more rows through shared memory. Of every 16 weight rows of a block's tile, a gate
// has the first eight and its up rows the others.
template <typename T, typename W, int tokens>
__global__ void __launch_bounds__(stagedThreads, stagedBlocks<tokens>)
    stagedGroupedKernel(GroupedArguments<T, W> a)
{
    letNextStart();
    awaitPrevious();
    const bool two = a.activate && a.gated;
    const int branches = two ? 2 : 1;
    const int columnTiles = ceilDiv(a.columns, stagedWeights / branches);
    const int works = a.starts[a.experts] * columnTiles;
    for (int work = int(blockIdx.x); work < works; work += int(gridDim.x)) {
        const GroupedTile tile
            = groupedTile(a.starts, expertOfWarp(a.starts, a.experts, work / columnTiles), columnTiles, work);
        const int firstPlace = a.offsets[tile.expert] + tile.rowTile * tokens;
        const int lastPlace = a.offsets[tile.expert + 1];
        const int firstColumn = tile.columnTile * (stagedWeights / branches);
        float total[tokens / 8][4] = {};
        stagedProduct<T, W, tokens>(
            total, a.input, a.weights,
            [&](int row) {
                const int place = firstPlace + row;
                if (place >= lastPlace)
                    return std::int64_t(-1);
                return std::int64_t(a.order != nullptr ? a.order[place] / a.choices : place);
            },
            [&](int at) {
                const int branch = two ? at % 16 / 8 : 0;
                const int column = firstColumn + (two ? at / 16 * 8 + at % 8 : at);
                return column < a.columns
                    ? (std::int64_t(tile.expert) * branches + branch) * a.columns + column
                    : std::int64_t(-1);
            },
            0, ceilDiv(a.weights.depth, stagedDepth));
        stagedResults<T, tokens>(
            two,
            [&](int i, int e) { return finished(total[i][e], total[i][(e + 2) % 4], a.activate, a.gated); },
            [&](int at, int row, const T* eight) {
                const int place = firstPlace + row;
                const int column = firstColumn + at;
                if (place < lastPlace && column < a.columns)
                    storeEight(a.output + std::int64_t(place) * a.columns + column, eight, a.columns,
                               a.columns - column);
            });
    }
}

// Any size: one warp a result.
template <typename T, typename W>
__global__ void __launch_bounds__(warps * 32, std::is_same_v<W, Nibble> ? 3 : 4)
    plainGroupedKernel(GroupedArguments<T, W> a)
{
    letNextStart();
    awaitPrevious();
    const bool two = a.activate && a.gated;
    const int branches = two ? 2 : 1;
    const std::int64_t results = std::int64_t(a.offsets[a.experts]) * a.columns;
    for (std::int64_t i = std::int64_t(blockIdx.x) * warps + threadIdx.x / 32; i < results;
         i += std::int64_t(gridDim.x) * warps) {
        const int place = int(i / a.columns);
        const int column = int(i % a.columns);
        // With starts = offsets every place is a tile of its own.
        const int expert = expertOfWarp(a.offsets, a.experts, place);
        const int row = a.order != nullptr ? a.order[place] / a.choices : place;
        const T* const x = a.input + std::int64_t(row) * a.weights.depth;
        const std::int64_t weightRow = std::int64_t(expert) * branches * a.columns + column;
        const float first = plainDot(x, a.weights, weightRow);
        const float second = two ? plainDot(x, a.weights, weightRow + a.columns) : 0.0F;
        if (threadIdx.x % 32 == 0)
            a.output[i] = fromFloat<T>(finished(first, second, a.activate, a.gated));
    }
}

// Experts of decode batches see few tokens each: their weights are streamed. Beyond, tiles of both operands
// are multiplied.
template <typename W>
Variant variantAs(const Task& task)
{
    const double each = double(task.m * task.expertsPerToken) / task.experts;
    // Experts of more tokens than a tile has would have their weights read twice: about half as many on
    // average, then, where tiles of both operands take all of them at once.
    if (each <= streamedRows<W> * 0.6)
        return {.rows = streamedRows<W>, .columns = groupedColumns};
    return {.staged = true, .rows = stagedTokens<W>(each, sharedOfDevice()), .columns = stagedWeights};
}
Variant variantOf(const Task& task)
{
    if (task.variant)
        return *task.variant;
    switch (task.weights) {
    case DType::Fp8:
        return variantAs<__nv_fp8_e4m3>(task);
    case DType::Int8:
        return variantAs<std::int8_t>(task);
    case DType::Int4:
        return variantAs<Nibble>(task);
    default:
        return variantAs<__half>(task); // as wide as bf16
    }
}

template <typename T, typename W>
void launchGrouped(const GroupedArguments<T, W>& a, const Task& task, std::int64_t slots, int multiprocessors,
                   cudaStream_t stream)
{
    const dim3 grid(unsigned(2 * multiprocessors));
    if (!productTakes<W>(a.weights.depth, a.weights.group)) {
        const std::int64_t blocks = (slots * a.columns + warps - 1) / warps;
        launchAfter(plainGroupedKernel<T, W>, dim3(unsigned(std::min<std::int64_t>(blocks, 65535))),
                    dim3(warps * 32), 0, stream, a);
    } else if (const Variant variant = variantOf(task); variant.staged) {
        const auto run = [&](auto kernel, int bytes) {
            launchAfter(kernel, grid, dim3(stagedThreads), std::size_t(bytes), stream, a);
        };
        const SharedClass shared = sharedOfDevice();
        if (variant.rows == 32)
            run(stagedGroupedKernel<T, W, 32>, StagedShape<W, 32>::bytes(shared));
        else if (variant.rows == 64)
            run(stagedGroupedKernel<T, W, 64>, StagedShape<W, 64>::bytes(shared));
        else
            run(stagedGroupedKernel<T, W, 128>, StagedShape<W, 128>::bytes(shared));
    } else {
        launchAfter(groupedKernel<T, W>, grid, dim3(streamedThreads),
                    std::size_t(streamedShared<W, groupedColumns / 16>(streamedRows<W>, sharedOfDevice())),
                    stream, a);
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
    constexpr std::int64_t mostSortedByTheWay = 4096;
    const bool sorts = at.slots <= mostSortedByTheWay;
    const int tileRows = variantOf(task).rows;
    const RoutingArguments<T> routing{o.input.bytes.as<T>(),
                                      o.router.bytes.as<float>(),
                                      reinterpret_cast<float*>(base + at.scores),
                                      choice,
                                      weight,
                                      {order, place, offsets, starts},
                                      reinterpret_cast<int*>(base + at.counters),
                                      int(task.m),
                                      int(task.k),
                                      task.experts,
                                      task.expertsPerToken,
                                      sorts ? tileRows : 0,
                                      float(task.routingSkew)};
    const auto down = unsigned(ceilDiv(task.experts, scoreExperts));
    const auto across = unsigned(ceilDiv(int(task.m), manyTokens * warps));
    if (across * down >= unsigned(multiprocessors))
        launchKernel(routerKernel<T, true>, dim3(across, down), dim3(warps * 32), 0, stream, routing);
    else
        launchKernel(routerKernel<T, false>, dim3(tokens, down), dim3(warps * 32), 0, stream, routing);
    if (!sorts)
        launchAfter(sortKernel, dim3(1), dim3(1024), 0, stream, choice, routing.sorted, int(at.slots),
                    task.experts, tileRows);
    launchGrouped<T, W>({o.input.bytes.as<T>(), viewOf<W>(o.weights), inner, order, offsets, starts,
                         task.experts, task.expertsPerToken, int(task.n), true, task.gated},
                        task, at.slots, multiprocessors, stream);
    launchGrouped<T, W>({inner, viewOf<W>(o.downWeights), outer, nullptr, offsets, starts, task.experts,
                         task.expertsPerToken, int(task.k), false, false},
                        task, at.slots, multiprocessors, stream);
    const int width = int(task.k);
    constexpr int size = Pack<T>::size;
    launchAfter(width % size == 0 ? combineKernel<T, size> : combineKernel<T, 1>, dim3(tokens), dim3(256), 0,
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

Message expertsObstacle(const Task& task, int)
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
