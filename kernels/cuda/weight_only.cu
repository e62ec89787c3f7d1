#include "kernels/cuda/launch.h"
#include "kernels/cuda/product.cuh"
#include "kernels/cuda/staged.cuh"
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
};

// One block: mTiles x 16 rows times nTiles x 8 weight rows, the depth shared out among its warps.
template <typename T, typename W, int mTiles, int nTiles>
__global__ void __launch_bounds__(warps * 32, mTiles == 1 ? 2 : 1) productKernel(ProductArguments<T, W> a)
{
    __shared__ float shared[warps / 2 * 32 * mTiles * nTiles * 4];
    const int lane = int(threadIdx.x) % 32;
    const int warp = int(threadIdx.x) / 32;
    // Blocks with the same weights follow each other, so that all but one find them in the second cache.
    const int firstColumn = int(blockIdx.y) * nTiles * 8;
    const int firstRow = int(blockIdx.x) * mTiles * 16;
    const T* rows[mTiles][2];
#pragma unroll
    for (int i = 0; i < mTiles; ++i)
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            const int row = firstRow + 16 * i + 8 * h + lane / 4;
            rows[i][h] = row < a.m ? a.input + std::int64_t(row) * a.weights.depth : nullptr;
        }
    const auto rowOf = [&](int j, int i) {
        const int column = firstColumn + 8 * j + i;
        return column < a.n ? std::int64_t(column) : std::int64_t(-1);
    };
    float total[mTiles][nTiles][4] = {};
    warpProduct<T, W, mTiles, nTiles>(total, rows, a.weights, rowOf, warp, warps);
    sumOfWarps<mTiles, nTiles>(total, shared, warp, warps);
    if (warp != 0)
        return;
#pragma unroll
    for (int i = 0; i < mTiles; ++i)
#pragma unroll
        for (int j = 0; j < nTiles; ++j)
#pragma unroll
            for (int e = 0; e < 4; ++e) {
                const int row = firstRow + 16 * i + lane / 4 + (e < 2 ? 0 : 8);
                const int column = firstColumn + 8 * j + 2 * (lane % 4) + e % 2;
                if (row < a.m && column < a.n)
                    a.output[std::int64_t(row) * a.n + column] = fromFloat<T>(total[i][j][e]);
            }
}

// Many rows: one block a tile of 128 x 128 results, operands through shared memory.
template <typename T, typename W>
__global__ void __launch_bounds__(stagedThreads, stagedBlocks) stagedKernel(ProductArguments<T, W> a)
{
    const int firstRow = int(blockIdx.x) * stagedRows;
    const int firstColumn = int(blockIdx.y) * stagedColumns;
    float total[4][4][4] = {};
    stagedProduct<T, W>(
        total, a.input, a.weights,
        [&](int row) { return firstRow + row < a.m ? std::int64_t(firstRow + row) : std::int64_t(-1); },
        [&](int column) {
            return firstColumn + column < a.n ? std::int64_t(firstColumn + column) : std::int64_t(-1);
        });
    forEachResult([&](int i, int j, int e, int row, int column) {
        if (firstRow + row < a.m && firstColumn + column < a.n)
            a.output[std::int64_t(firstRow + row) * a.n + firstColumn + column]
                = fromFloat<T>(total[i][j][e]);
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

template <typename T, typename W, int mTiles>
void launchTiles(const ProductArguments<T, W>& a, const Variant& variant, cudaStream_t stream)
{
    const auto down = unsigned(ceilDiv(a.m, 16 * mTiles));
    if (variant.columns > 8)
        launchKernel(productKernel<T, W, mTiles, 4>, dim3(down, unsigned(ceilDiv(a.n, 32))), dim3(warps * 32),
                     0, stream, a);
    else
        launchKernel(productKernel<T, W, mTiles, 1>, dim3(down, unsigned(ceilDiv(a.n, 8))), dim3(warps * 32),
                     0, stream, a);
}

// Beyond so many rows a block's warps share a tile of both operands; below, every warp streams weights of its
// own.
constexpr int mostStreamedRows = 64;

template <typename W>
Variant variantAs(const Task& task, int multiprocessors)
{
    const int depth = int(task.k);
    const int group = task.weights == DType::Int4 && task.groupSize > 0 ? task.groupSize : depth;
    if (task.variant)
        return *task.variant;
    if (!productTakes<W>(depth, isScaled<W> ? group : depth))
        return {.plain = true};
    if (task.m > mostStreamedRows)
        return {.staged = true, .rows = stagedRows, .columns = stagedColumns};
    const int rows = task.m <= 16 ? 16 : 16 * wideTiles<W>;
    // Wide blocks reuse activations; narrow ones fill the card when there are few weight rows.
    const bool wide = ceilDiv(int(task.n), 32) * ceilDiv(int(task.m), rows) >= 2 * multiprocessors;
    return {.rows = rows, .columns = wide ? 32 : 8};
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
    if (variant.staged)
        launchKernel(stagedKernel<T, W>,
                     dim3(unsigned(ceilDiv(a.m, stagedRows)), unsigned(ceilDiv(a.n, stagedColumns))),
                     dim3(stagedThreads), stagedShared<T>(), stream, a);
    else if (variant.rows == 16)
        launchTiles<T, W, 1>(a, variant, stream);
    else
        launchTiles<T, W, wideTiles<W>>(a, variant, stream);
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

std::string weightOnlyObstacle(const Task& task, int)
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
