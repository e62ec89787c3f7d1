#include "kernels/cuda/launch.h"
#include "kernels/cuda/product.cuh"
#include "kernels/cuda/staged.cuh"
#include "kernels/cuda/streamed.cuh"
#include "kernels/cuda/weight_only.h"

namespace headroom::kernels {

namespace {

constexpr int warps = 8;

template <typename T, typename W>
struct ProductArguments {
    const T* input;
    WeightView<W> weights;
    T* output;
    int m;
    int n;
    float* partial = nullptr; // sums of the parts of a tile's depth
    int* counters = nullptr;  // of the parts of each tile that are done; zero between launches
};

// Few rows: one block tokenTiles x 8 of them times rowTiles x 16 weight rows, the depth shared out among its
// warps.
template <typename T, typename W, int rowTiles, int tokenTiles>
__global__ void __launch_bounds__(streamedThreads, streamedBlocks) streamedKernel(ProductArguments<T, W> a)
{
    const int warp = int(threadIdx.x) / 32;
    // Blocks with the same weights follow each other, so that all but one find them in the second cache.
    const int firstColumn = int(blockIdx.y) * rowTiles * 16;
    const int firstRow = int(blockIdx.x) * tokenTiles * 8;
    const int held = least(a.m, tokenTiles * 8); // of the launch's blocks the most
    float total[rowTiles][tokenTiles][4] = {};
    unsigned char* const ring = dynamicShared();
    streamedProduct<T, W, rowTiles, tokenTiles, 4>(
        total, a.input, a.weights, [&](int i) { return std::int64_t(least(firstRow + i, a.m - 1)); }, held,
        [&](int i) { return std::int64_t(least(firstColumn + i, a.n - 1)); },
        ring + warp * (streamedShared<W, rowTiles>(held, sharedHere) / streamedWarps), warp);
    streamedResults<rowTiles, tokenTiles>(
        total, ring, warp, false, [&](int column, int row, float sum, float) {
            if (firstRow + row < a.m && firstColumn + column < a.n)
                a.output[std::int64_t(firstRow + row) * a.n + firstColumn + column] = fromFloat<T>(sum);
        });
}

// Sums of a tile's parts of the depth, from all that have them: true in the block that finished last, which
// has them all.
template <int tokens>
__device__ inline bool sumOfParts(float (&total)[tokens / 8][4], float* partial, int* counters)
{
    const int tile = int(blockIdx.y * gridDim.x + blockIdx.x);
    const auto parts = int(gridDim.z);
    const auto partOf = [&](int part, int i) {
        return partial
            + ((std::int64_t(tile * parts + part) * (tokens / 8) + i) * stagedThreads + threadIdx.x) * 4;
    };
#pragma unroll
    for (int i = 0; i < tokens / 8; ++i)
        stored(partOf(int(blockIdx.z), i), Pack<float>{{total[i][0], total[i][1], total[i][2], total[i][3]}});
    if (!lastBlockOf(counters + tile, parts))
        return false;
#pragma unroll
    for (int i = 0; i < tokens / 8; ++i)
#pragma unroll
        for (int e = 0; e < 4; ++e)
            total[i][e] = 0;
    for (int part = 0; part < parts; ++part)
#pragma unroll
        for (int i = 0; i < tokens / 8; ++i) {
            const float4 other = __ldcg(reinterpret_cast<const float4*>(partOf(part, i)));
            total[i][0] += other.x;
            total[i][1] += other.y;
            total[i][2] += other.z;
            total[i][3] += other.w;
        }
    return true;
}

// Many rows: one block a tile of results, or a part of its depth.
template <typename T, typename W, int tokens>
__global__ void __launch_bounds__(stagedThreads, stagedBlocks<tokens>) stagedKernel(ProductArguments<T, W> a)
{
    const int firstRow = int(blockIdx.x) * tokens;
    const int firstColumn = int(blockIdx.y) * stagedWeights;
    const int tiles = ceilDiv(a.weights.depth, stagedDepth);
    const int each = 2 * ceilDiv(tiles, 2 * int(gridDim.z)); // even: a step of 4-bit weights is two
    float total[tokens / 8][4] = {};
    stagedProduct<T, W, tokens>(
        total, a.input, a.weights,
        [&](int row) { return firstRow + row < a.m ? std::int64_t(firstRow + row) : std::int64_t(-1); },
        [&](int column) {
            return firstColumn + column < a.n ? std::int64_t(firstColumn + column) : std::int64_t(-1);
        },
        least(tiles, int(blockIdx.z) * each), least(tiles, (int(blockIdx.z) + 1) * each));
    if (gridDim.z > 1 && !sumOfParts<tokens>(total, a.partial, a.counters))
        return;
    stagedResults<T, tokens>(
        false, [&](int i, int e) { return total[i][e]; },
        [&](int column, int row, const T* eight) {
            if (firstRow + row < a.m && firstColumn + column < a.n)
                storeEight(a.output + std::int64_t(firstRow + row) * a.n + firstColumn + column, eight, a.n,
                           a.n - firstColumn - column);
        });
}

// Any size: one warp a result.
template <typename T, typename W>
__global__ void __launch_bounds__(warps * 32) plainProductKernel(ProductArguments<T, W> a)
{
    const std::int64_t results = std::int64_t(a.m) * a.n;
    const std::int64_t stride = std::int64_t(gridDim.x) * warps;
    for (std::int64_t i = std::int64_t(blockIdx.x) * warps + threadIdx.x / 32; i < results; i += stride) {
        const float sum = plainDot(a.input + i / a.n * a.weights.depth, a.weights, i % a.n);
        if (threadIdx.x % 32 == 0)
            a.output[i] = fromFloat<T>(sum);
    }
}

template <typename T, typename W, int rowTiles>
void launchStreamed(const ProductArguments<T, W>& a, const Variant& variant, cudaStream_t stream)
{
    const dim3 grid(unsigned(ceilDiv(a.m, variant.rows)), unsigned(ceilDiv(a.n, variant.columns)));
    const auto run = [&](auto kernel) {
        const int bytes = streamedShared<W, rowTiles>(least(a.m, variant.rows), sharedOfDevice());
        launchKernel(kernel, grid, dim3(streamedThreads), std::size_t(bytes), stream, a);
    };
    if constexpr (streamedRows < W >> 8)
        if (variant.rows > 8)
            return run(streamedKernel<T, W, rowTiles, 2>);
    run(streamedKernel<T, W, rowTiles, 1>);
}

// Tiles of the results, and the parts their depth is shared out in, so that the card is filled.
template <typename W>
Variant stagedVariant(const Task& task, int multiprocessors)
{
    const SharedClass shared = sharedOfDevice();
    const int rows = stagedTokens<W>(double(task.m), shared);
    const int tiles = ceilDiv(int(task.m), rows) * ceilDiv(int(task.n), stagedWeights);
    const int slots = multiprocessors * (shared == SharedClass::Large ? 2 : 1);
    const int deepest = ceilDiv(int(task.k), stagedDepth) / 8; // parts that are worth a start
    constexpr int mostParts = 16;
    return {.staged = true,
            .rows = rows,
            .columns = stagedWeights,
            .parts = most(1, least(least(slots / tiles, deepest), mostParts))};
}

template <typename W>
Variant variantAs(const Task& task, int multiprocessors)
{
    const int depth = int(task.k);
    const int group = task.weights == DType::Int4 && task.groupSize > 0 ? task.groupSize : depth;
    if (task.variant)
        return *task.variant;
    if (!productTakes<W>(depth, isScaled<W> ? group : depth))
        return {.plain = true};
    if (task.m > streamedRows<W>)
        return stagedVariant<W>(task, multiprocessors);
    // Blocks of 32 rows reuse activations and what widening costs; those of 16 share the card out more
    // evenly, which counts for more where nothing is widened, unless the wide ones happen to be one for each
    // multiprocessor.
    const int blocks = ceilDiv(int(task.n), 32);
    const bool wide = 10 * blocks >= 9 * multiprocessors && (isScaled<W> || blocks <= multiprocessors);
    return {.rows = task.m > 8 ? 16 : 8, .columns = wide ? 32 : 16};
}

// A counter for each tile, then the parts' sums.
std::size_t countersBytes(const Task& task, const Variant& variant)
{
    const auto tiles
        = std::size_t(ceilDiv(int(task.m), variant.rows) * ceilDiv(int(task.n), variant.columns));
    return (tiles * sizeof(int) + 127) / 128 * 128;
}

template <typename T, typename W, int tokens>
void launchStaged(ProductArguments<T, W> a, const Task& task, const Variant& variant, DeviceOperands& o,
                  cudaStream_t stream)
{
    if (variant.parts > 1) {
        auto* const workspace = o.workspace.as<std::uint8_t>();
        a.counters = reinterpret_cast<int*>(workspace);
        a.partial = reinterpret_cast<float*>(workspace + countersBytes(task, variant));
    }
    launchKernel(
        stagedKernel<T, W, tokens>,
        dim3(unsigned(ceilDiv(a.m, tokens)), unsigned(ceilDiv(a.n, stagedWeights)), unsigned(variant.parts)),
        dim3(stagedThreads), std::size_t(StagedShape<W, tokens>::bytes(sharedOfDevice())), stream, a);
}

template <typename T, typename W>
void launchProduct(const Task& task, DeviceOperands& o, int multiprocessors, cudaStream_t stream)
{
    const int depth = int(task.k);
    const int group = isScaled<W> ? o.weights.groupSize : depth;
    const ProductArguments<T, W> a{o.input.bytes.as<T>(),
                                   {o.weights.bytes.as<std::uint8_t>(), o.weights.scales.as<float>(), depth,
                                    group, ceilDiv(depth, group)},
                                   o.output.bytes.as<T>(),
                                   int(task.m),
                                   int(task.n)};
    const Variant variant = variantAs<W>(task, multiprocessors);
    if (variant.plain) {
        const std::int64_t blocks = (task.m * task.n + warps - 1) / warps;
        launchKernel(plainProductKernel<T, W>, dim3(unsigned(blocks < 65535 ? blocks : 65535)),
                     dim3(warps * 32), 0, stream, a);
        return;
    }
    if (variant.staged && variant.rows == 32)
        launchStaged<T, W, 32>(a, task, variant, o, stream);
    else if (variant.staged && variant.rows == 64)
        launchStaged<T, W, 64>(a, task, variant, o, stream);
    else if (variant.staged)
        launchStaged<T, W, 128>(a, task, variant, o, stream);
    else if (variant.columns > 16)
        launchStreamed<T, W, 2>(a, variant, stream);
    else
        launchStreamed<T, W, 1>(a, variant, stream);
}

template <typename T>
void launchAs(const Task& task, DeviceOperands& o, int multiprocessors, cudaStream_t stream)
{
    switch (task.weights) {
    case DType::Fp8:
        return launchProduct<T, __nv_fp8_e4m3>(task, o, multiprocessors, stream);
    case DType::Int8:
        return launchProduct<T, std::int8_t>(task, o, multiprocessors, stream);
    case DType::Int4:
        return launchProduct<T, Nibble>(task, o, multiprocessors, stream);
    default:
        return launchProduct<T, T>(task, o, multiprocessors, stream);
    }
}

// int32 sums of a library product, scaled as their rows are.
__global__ void scaleKernel(const std::int32_t* __restrict__ sums, const float* __restrict__ inputScales,
                            const float* __restrict__ weightScales, __nv_bfloat16* __restrict__ output,
                            std::int64_t size, int n)
{
    const std::int64_t stride = std::int64_t(gridDim.x) * blockDim.x;
    for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < size; i += stride)
        output[i] = fromFloat<__nv_bfloat16>(float(sums[i]) * inputScales[i / n] * weightScales[i % n]);
}

bool sixteenBit(DType type) { return type == DType::Bf16 || type == DType::Fp16; }

} // namespace

Message weightOnlyObstacle(const Task& task, int)
{
    if (!sixteenBit(task.activations))
        return "narrow weights are multiplied with 16-bit activations";
    if (task.weights != task.activations && task.weights != DType::Fp8 && task.weights != DType::Int8
        && task.weights != DType::Int4)
        return "weights are stored as the activations, fp8, int8 or int4";
    return {};
}

Variant weightOnlyVariant(const Task& task, int multiprocessors)
{
    switch (task.weights) {
    case DType::Fp8:
        return variantAs<__nv_fp8_e4m3>(task, multiprocessors);
    case DType::Int8:
        return variantAs<std::int8_t>(task, multiprocessors);
    case DType::Int4:
        return variantAs<Nibble>(task, multiprocessors);
    default:
        return variantAs<__half>(task, multiprocessors); // as wide as bf16
    }
}

std::size_t weightOnlyWorkspace(const Task& task, int multiprocessors)
{
    const Variant variant = weightOnlyVariant(task, multiprocessors);
    if (!variant.staged || variant.parts <= 1)
        return 0;
    const auto tiles
        = std::size_t(ceilDiv(int(task.m), variant.rows) * ceilDiv(int(task.n), variant.columns));
    return countersBytes(task, variant)
        + tiles * std::size_t(variant.parts * variant.rows * variant.columns) * sizeof(float);
}

void launchWeightOnly(const Task& task, DeviceOperands& o, int multiprocessors, cudaStream_t stream)
{
    if (task.activations == DType::Fp16)
        launchAs<__half>(task, o, multiprocessors, stream);
    else
        launchAs<__nv_bfloat16>(task, o, multiprocessors, stream);
}

bool gemvTakes(const Task& task)
{
    // Below this the library streams weights at about half of the bandwidth (cuBLAS on A100 and H100 at 17
    // and 21 MB), because too few blocks read them.
    constexpr std::int64_t mostBytes = 64 << 20;
    return sixteenBit(task.weights) && task.weights == task.activations && task.m <= 4
        && task.n * task.k * 2 <= mostBytes;
}

void launchScale(const Task& task, DeviceOperands& o, cudaStream_t stream)
{
    const std::int64_t size = task.m * task.n;
    const std::int64_t blocks = (size + 255) / 256;
    launchKernel(scaleKernel, dim3(unsigned(blocks < 65535 ? blocks : 65535)), dim3(256), 0, stream,
                 o.workspace.as<std::int32_t>(), o.input.scales.as<float>(), o.weights.scales.as<float>(),
                 o.output.bytes.as<__nv_bfloat16>(), size, int(task.n));
}

} // namespace headroom::kernels
