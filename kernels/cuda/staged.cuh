#pragma once

#include "kernels/cuda/product.cuh"
#include "kernels/cuda/tile.cuh"

#include <cstdint>
#include <type_traits>

namespace headroom::kernels {

// Products of many 16-bit rows with weights of 4, 8 or 16 bits: a block multiplies 128 rows with 128 weight
// rows, 64 deep at a time. Both tiles lie in shared memory as 16-bit numbers, the next ones on their way
// while one is used; narrow weights are widened as they are put there. Its eight warps take 64 x 32 results
// each.
constexpr int stagedRows = 128;
constexpr int stagedColumns = 128;
constexpr int stagedThreads = 256;
constexpr int stagedDepth = 64;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
constexpr int stagedStages = 2; // of Turing's 64 KB
#else
constexpr int stagedStages = 3;
#endif

// Bytes of shared memory on the current device.
template <typename T>
std::size_t stagedShared()
{
    int device = 0;
    int bytes = 0;
    cudaCheck(cudaGetDevice(&device));
    cudaCheck(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    constexpr std::size_t stage = (stagedRows + stagedColumns) * stagedDepth * sizeof(T);
    return stage * (std::size_t(bytes) >= 3 * stage ? 3 : 2);
}

// Blocks a multiprocessor shall hold: two hide each other's barriers, where there is shared memory for them
// and the compiler does not spill to get there.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 900
constexpr int stagedBlocks = 2;
#else
constexpr int stagedBlocks = 1;
#endif

// Chunk `c` of a lane's load as eight numbers of T in their order, times their scale.
template <typename T, typename W>
__device__ inline uint4 widenedScaled(const uint4& raw, int c, float scale)
{
    std::uint32_t pairs[4];
    widened<T, W>(raw, c, pairs);
    const std::uint32_t factor = packed<T>(scale, scale);
#pragma unroll
    for (std::uint32_t& pair : pairs)
        pair = multiplyPairs<T>(pair, factor);
    if constexpr (std::is_same_v<W, Nibble>) // 0 4, 1 5, 2 6, 3 7
        return make_uint4(__byte_perm(pairs[0], pairs[1], 0x5410U), __byte_perm(pairs[2], pairs[3], 0x5410U),
                          __byte_perm(pairs[0], pairs[1], 0x7632U), __byte_perm(pairs[2], pairs[3], 0x7632U));
    else
        return make_uint4(pairs[0], pairs[1], pairs[2], pairs[3]);
}

// A block's tile of weights on its way into shared memory.
template <typename T, typename W>
class WeightTile {
public:
    // Piece i of this thread: row and element it begins at.
    __device__ static int rowOf(int i) { return (i * stagedThreads + int(threadIdx.x)) / piecesOfRow; }
    __device__ static int elementOf(int i)
    {
        return (i * stagedThreads + int(threadIdx.x)) % piecesOfRow * size;
    }

    // `rows`: which row of the weights each of the tile's is, in shared memory.
    __device__ void start(T* to, const WeightView<W>& weights, const int* rows, int firstElement)
    {
        [[maybe_unused]] constexpr int together = isScaled<W> ? pieces : 1; // addresses take registers too
#pragma unroll together
        for (int i = 0; i < pieces; ++i) {
            const std::int64_t row = rows[rowOf(i)];
            const int element = firstElement + elementOf(i);
            const bool valid = row >= 0 && element < weights.depth;
            const std::int64_t at = valid ? row * weights.rowBytes() + bytesOf(element) : 0;
            if constexpr (!isScaled<W>) {
                copyAsync(to + 8 * swizzled(rowOf(i), elementOf(i) / 8, stagedDepth / 8), weights.bytes + at,
                          valid);
            } else {
                m_raw[i] = valid ? streamed16(weights.bytes + at) : make_uint4(0, 0, 0, 0);
                m_scale[i] = valid ? weights.scales[row * weights.groups + element / weights.group] : 0.0F;
            }
        }
    }
    // What start() brought into registers; 16-bit weights go by themselves.
    __device__ void put(T* to) const
    {
        if constexpr (isScaled<W>)
#pragma unroll
            for (int i = 0; i < pieces; ++i)
#pragma unroll
                for (int c = 0; c < size / 8; ++c)
                    *reinterpret_cast<uint4*>(to
                                              + 8 * swizzled(rowOf(i), elementOf(i) / 8 + c, stagedDepth / 8))
                        = widenedScaled<T, W>(m_raw[i], c, m_scale[i]);
    }

private:
    static constexpr int size = elementsPerLoad<W>;
    static constexpr int piecesOfRow = stagedDepth / size;
    static constexpr int pieces = stagedColumns * piecesOfRow / stagedThreads;
    __device__ static std::int64_t bytesOf(int element)
    {
        return std::is_same_v<W, Nibble> ? element / 2 : std::int64_t(element) * int(sizeof(W));
    }
    uint4 m_raw[isScaled<W> ? pieces : 1];
    float m_scale[isScaled<W> ? pieces : 1];
};

// `inputRow(row)` and `weightRow(column)`: which row of either stands there in the tile, negative for none;
// asked once and kept in shared memory, because addresses of all pieces would take the registers that sums
// need. `total[i][j]` are the mma accumulators of this warp's rows 16 i and columns 8 j (forEachResult). All
// threads of the block call it.
template <typename T, typename W, typename InputRow, typename WeightRow>
__device__ inline void stagedProduct(float (&total)[4][4][4], const T* input, const WeightView<W>& weights,
                                     const InputRow& inputRow, const WeightRow& weightRow)
{
    constexpr int chunks = stagedDepth / 8;
    constexpr int rowsApart = stagedThreads / chunks;
    constexpr int area = (stagedRows + stagedColumns) * stagedDepth;
    constexpr int ahead = stagedStages - 1;
    T* const shared = reinterpret_cast<T*>(dynamicShared());
    const int lane = int(threadIdx.x) % 32;
    const int warp = int(threadIdx.x) / 32;
    const int chunk = int(threadIdx.x) % chunks;
    const int firstOfMine = int(threadIdx.x) / chunks;
    const int tiles = ceilDiv(weights.depth, stagedDepth);
    __shared__ int rows[stagedRows + stagedColumns];
    __syncthreads(); // the last product of this block may still read both
    const int at = int(threadIdx.x);
    rows[at] = at < stagedRows ? int(inputRow(at)) : int(weightRow(at - stagedRows));
    __syncthreads();
    static_assert(stagedThreads == stagedRows + stagedColumns);
    WeightTile<T, W> tile;
    const auto start = [&](int t) {
        T* const to = shared + t % stagedStages * area;
        const int element = t * stagedDepth + chunk * 8;
#pragma unroll
        for (int i = 0; i < stagedRows / rowsApart; ++i) {
            const std::int64_t row = rows[firstOfMine + i * rowsApart];
            const bool valid = row >= 0 && element < weights.depth;
            copyAsync(to + 8 * swizzled(firstOfMine + i * rowsApart, chunk, chunks),
                      input + (valid ? row * weights.depth + element : 0), valid);
        }
        tile.start(to + stagedRows * stagedDepth, weights, rows + stagedRows, t * stagedDepth);
        commitCopies();
    };
    const auto put = [&](int t) { tile.put(shared + t % stagedStages * area + stagedRows * stagedDepth); };
    for (int t = 0; t < ahead; ++t) {
        start(t); // zeros beyond the depth
        put(t);
    }
    for (int t = 0; t < tiles; ++t) {
        waitCopies<ahead - 1>();
        __syncthreads();
        start(t + ahead); // where tile t - 1 was, which all have used
        const T* const left = shared + t % stagedStages * area;
        const T* const right = left + stagedRows * stagedDepth;
#pragma unroll
        for (int step = 0; step < stagedDepth / 16; ++step) {
            std::uint32_t a[4][4];
            std::uint32_t b[2][4];
#pragma unroll
            for (int i = 0; i < 4; ++i)
                leftOperand<T, stagedDepth>(a[i], left, warp / 4 * 64 + 16 * i, step, lane);
#pragma unroll
            for (int p = 0; p < 2; ++p)
                rightOperands<T, stagedDepth>(b[p], right, warp % 4 * 32 + 16 * p, step, lane);
#pragma unroll
            for (int i = 0; i < 4; ++i)
#pragma unroll
                for (int p = 0; p < 2; ++p) {
                    multiplyTile<T>(total[i][2 * p], a[i], b[p][0], b[p][1]);
                    multiplyTile<T>(total[i][2 * p + 1], a[i], b[p][2], b[p][3]);
                }
        }
        put(t + ahead);
    }
    waitCopies<0>();
}

// Row and column, within the block's tile, of every result this thread holds.
template <typename Work>
__device__ inline void forEachResult(const Work& work)
{
    const int lane = int(threadIdx.x) % 32;
    const int warp = int(threadIdx.x) / 32;
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 4; ++j)
#pragma unroll
            for (int e = 0; e < 4; ++e)
                work(i, j, e, warp / 4 * 64 + 16 * i + lane / 4 + e / 2 * 8,
                     warp % 4 * 32 + 8 * j + lane % 4 * 2 + e % 2);
}

} // namespace headroom::kernels
