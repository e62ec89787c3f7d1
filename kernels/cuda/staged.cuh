#pragma once

#include "kernels/cuda/narrow.cuh"
#include "kernels/cuda/product.cuh"
#include "kernels/cuda/tile.cuh"
#include "kernels/cuda/weight_groups.cuh"

#include <cstdint>
#include <type_traits>

namespace headroom::kernels {

// Products of many 16-bit rows with weights of 4, 8 or 16 bits: a block multiplies 128 weight rows with 32,
// 64 or 128 rows of activations, 64 deep at a time. Both tiles lie in shared memory as 16-bit numbers, the
// next ones on their way while one is used; narrow weights arrive as they are stored and are widened there,
// one tile ahead of the products. Weights are the left operand, so that few activations leave nothing unused.
constexpr int stagedWeights = 128;
constexpr int stagedThreads = 256;
constexpr int stagedDepth = 64;

template <typename W, int tokens>
struct StagedShape {
    static constexpr bool narrow = isScaled<W>;
    static constexpr int inputBytes = tokens * stagedDepth * 2;
    static constexpr int wideBytes = stagedWeights * stagedDepth * 2;
    static constexpr int rawBytes = stagedWeights * stagedDepth / elementsPerLoad<W> * 16;
    static constexpr int stageBytes = inputBytes + (narrow ? rawBytes : wideBytes);
    static constexpr int fixedBytes = narrow ? 2 * wideBytes : 0; // of widened tiles
    static constexpr int tileAlignment = 1024;                    // of what warpgroups multiply
    HEADROOM_BOTH static constexpr int stages(SharedClass size)
    {
        return most(2, least(6, (sharedBudget(size) - tileAlignment - fixedBytes) / stageBytes));
    }
    HEADROOM_BOTH static constexpr int bytes(SharedClass size)
    {
        return tileAlignment + fixedBytes + stages(size) * stageBytes;
    }
    HEADROOM_BOTH static constexpr bool fits(SharedClass size) { return bytes(size) <= sharedBudget(size); }
    // Pieces of 16 bytes of a raw tile, and those of a row of it.
    static constexpr int pieces = rawBytes / 16 / stagedThreads;
    static constexpr int piecesOfRow = stagedDepth / elementsPerLoad<W>;
};

// Blocks a multiprocessor shall hold: two hide each other's barriers, where there is shared memory for them
// and the compiler does not spill to get there, as it would where warps hold operands of the widest tiles.
template <int tokens>
#ifdef HEADROOM_WEIGHT_GROUPS
constexpr int stagedBlocks = 2;
#else
constexpr int stagedBlocks = sharedHere == SharedClass::Large&& tokens < 128 ? 2 : 1;
#endif

// Activation rows of a block's tile where there are about so many, of what shared memory has room for.
template <typename W>
int stagedTokens(double rows, SharedClass shared)
{
    const int wanted = rows <= 32 ? 32 : rows <= 64 ? 64 : 128;
    if (wanted == 128 && StagedShape<W, 128>::fits(shared))
        return 128;
    return wanted >= 64 && StagedShape<W, 64>::fits(shared) ? 64 : 32;
}

// Chunk `c` of sixteen bytes of weights as eight numbers of T in their order, times their scale.
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

// The products of one tile of either operand. Where warpgroups multiply, start() returns at once and finish()
// waits; elsewhere start() does nothing. `total[i]` are accumulators of sixteen weight rows and eight
// activations, whose place StagedPlace tells.
template <typename T, int tokens>
__device__ inline void startProducts([[maybe_unused]] float (&total)[tokens / 8][4],
                                     [[maybe_unused]] const T* weights, [[maybe_unused]] const T* input)
{
#ifdef HEADROOM_WEIGHT_GROUPS
    const int half = int(threadIdx.x) / 128;
    const std::uint64_t left = operandAt(sharedAddress(weights + half * 64 * stagedDepth));
    const std::uint64_t right = operandAt(sharedAddress(input));
    groupBegin();
#pragma unroll
    for (int step = 0; step < stagedDepth / 16; ++step) // 32 bytes on, in units of 16
        multiplyTiles<T>(total, left + std::uint64_t(2 * step), right + std::uint64_t(2 * step));
    groupCommit();
#endif
}
template <typename T, int tokens>
__device__ inline void finishProducts([[maybe_unused]] float (&total)[tokens / 8][4],
                                      [[maybe_unused]] const T* weights, [[maybe_unused]] const T* input)
{
#ifdef HEADROOM_WEIGHT_GROUPS
    groupWait<0>();
#else
    // A warp has 32 weight rows and half of the activations.
    const int lane = int(threadIdx.x) % 32;
    const int warp = int(threadIdx.x) / 32;
    constexpr int half = tokens / 16; // column tiles of a warp
#pragma unroll
    for (int step = 0; step < stagedDepth / 16; ++step) {
        std::uint32_t a[2][4];
#pragma unroll
        for (int r = 0; r < 2; ++r)
            leftOperand<T, stagedDepth>(a[r], weights, warp / 2 * 32 + 16 * r, step, lane);
#pragma unroll
        for (int p = 0; p < half / 2; ++p) {
            std::uint32_t b[4];
            rightOperands<T, stagedDepth>(b, input, warp % 2 * (tokens / 2) + 16 * p, step, lane);
#pragma unroll
            for (int r = 0; r < 2; ++r) {
                multiplyTile<T>(total[r * half + 2 * p], a[r], b[0], b[1]);
                multiplyTile<T>(total[r * half + 2 * p + 1], a[r], b[2], b[3]);
            }
        }
    }
#endif
}

// Weight row and activation row, within the block's tile, of total[i][e].
template <int tokens>
struct StagedPlace {
    int row;
    int token;
    __device__ StagedPlace(int i, int e)
    {
        const int lane = int(threadIdx.x) % 32;
        const int warp = int(threadIdx.x) / 32;
#ifdef HEADROOM_WEIGHT_GROUPS
        row = 16 * warp + lane / 4 + e / 2 * 8;
        token = 8 * i + lane % 4 * 2 + e % 2;
#else
        constexpr int half = tokens / 16;
        row = warp / 2 * 32 + i / half * 16 + lane / 4 + e / 2 * 8;
        token = warp % 2 * (tokens / 2) + i % half * 8 + lane % 4 * 2 + e % 2;
#endif
    }
};

// A block's shared memory, from where tiles may begin.
__device__ inline unsigned char* stagedMemory()
{
    unsigned char* const memory = dynamicShared();
#ifdef HEADROOM_WEIGHT_GROUPS
    return memory + (0U - sharedAddress(memory)) % 1024U;
#else
    return memory;
#endif
}

// What one thread copies of a tile of the activations or of 16-bit weights: a chunk of eight elements of
// every 32nd row.
template <typename T, int rows>
class CopiedRows {
public:
    static constexpr int chunks = stagedDepth / 8;
    static constexpr int apart = stagedThreads / chunks;
    // `rowOf(i)`: which row of the array stands at i, negative for none.
    template <typename RowOf>
    __device__ CopiedRows(const T* array, int depth, const RowOf& rowOf)
        : m_left(depth - int(threadIdx.x) % chunks * 8)
    {
#pragma unroll
        for (int i = 0; i < rows / apart; ++i) {
            const std::int64_t row = rowOf(int(threadIdx.x) / chunks + i * apart);
            m_from[i] = array + (row < 0 ? 0 : row * depth + int(threadIdx.x) % chunks * 8);
            m_some |= row < 0 ? 0 : 1 << i;
        }
    }
    __device__ void copy(T* tile, int first) const
    {
        const int chunk = int(threadIdx.x) % chunks;
#pragma unroll
        for (int i = 0; i < rows / apart; ++i) {
            const bool valid = (m_some >> i & 1) != 0 && first < m_left;
            copyAsync(tile + 8 * swizzled(int(threadIdx.x) / chunks + i * apart, chunk, chunks),
                      m_from[i] + (valid ? first : 0), valid);
        }
    }

private:
    const T* m_from[rows / apart];
    int m_left;     // elements from this thread's chunk on
    int m_some = 0; // bit i: that row is one
};

// The same of weights as they are stored, which it widens too: only bytes that it has copied itself.
template <typename T, typename W>
class RawRows {
public:
    using Shape = StagedShape<W, 32>;
    template <typename RowOf>
    __device__ RawRows(const WeightView<W>& weights, const RowOf& rowOf, int first) : m_weights(weights)
    {
#pragma unroll
        for (int i = 0; i < Shape::pieces; ++i) {
            const std::int64_t row = rowOf(rowOfPiece(i));
            m_from[i] = weights.bytes + (row < 0 ? 0 : row * weights.rowBytes() + chunkOfPiece(i) * 16);
            m_scaleAt[i] = row < 0 ? -1 : int(row * weights.groups);
        }
        ask(first);
    }
    __device__ void copy(unsigned char* raw, int first) const
    {
#pragma unroll
        for (int i = 0; i < Shape::pieces; ++i) {
            const bool valid = m_scaleAt[i] >= 0 && first + elementOfPiece(i) < m_weights.depth;
            copyAsyncOfLine(raw + 16 * (i * stagedThreads + int(threadIdx.x)),
                            m_from[i] + (valid ? first / elementsPerLoad<W> * 16 : 0), valid);
        }
    }
    // Widens the tile whose scales were asked for, and asks for those of the next.
    __device__ void widen(T* tile, const unsigned char* raw, int next)
    {
        float scale[Shape::pieces];
#pragma unroll
        for (int i = 0; i < Shape::pieces; ++i)
            scale[i] = m_scale[i];
        ask(next);
#pragma unroll
        for (int i = 0; i < Shape::pieces; ++i) {
            const uint4 piece
                = *reinterpret_cast<const uint4*>(raw + 16 * (i * stagedThreads + int(threadIdx.x)));
#pragma unroll
            for (int c = 0; c < elementsPerLoad<W> / 8; ++c)
                *reinterpret_cast<uint4*>(
                    tile + 8 * swizzled(rowOfPiece(i), elementOfPiece(i) / 8 + c, stagedDepth / 8))
                    = widenedScaled<T, W>(piece, c, scale[i]);
        }
    }

private:
    __device__ static int rowOfPiece(int i)
    {
        return (i * stagedThreads + int(threadIdx.x)) / Shape::piecesOfRow;
    }
    __device__ static int chunkOfPiece(int i)
    {
        return (i * stagedThreads + int(threadIdx.x)) % Shape::piecesOfRow;
    }
    __device__ static int elementOfPiece(int i) { return chunkOfPiece(i) * elementsPerLoad<W>; }
    __device__ void ask(int first)
    {
#pragma unroll
        for (int i = 0; i < Shape::pieces; ++i) {
            const int element = first + elementOfPiece(i);
            m_scale[i] = m_scaleAt[i] >= 0 && element < m_weights.depth
                ? m_weights.scales[m_scaleAt[i] + element / m_weights.group]
                : 0.0F;
        }
    }
    const WeightView<W>& m_weights;
    const std::uint8_t* m_from[Shape::pieces];
    int m_scaleAt[Shape::pieces]; // of the row's first group; -1: no row
    float m_scale[Shape::pieces];
};

// `inputRow(i)` and `weightRow(i)`: which row of either stands at i in the block's tile, negative for none.
// Tiles of the depth from `first` to before `last`. All threads of the block call it.
template <typename T, typename W, int tokens, typename InputRow, typename WeightRow>
__device__ inline void stagedProduct(float (&total)[tokens / 8][4], const T* input,
                                     const WeightView<W>& weights, const InputRow& inputRow,
                                     const WeightRow& weightRow, int first, int last)
{
    using Shape = StagedShape<W, tokens>;
    constexpr bool narrow = Shape::narrow;
#ifdef HEADROOM_WEIGHT_GROUPS
    if constexpr (narrow && tokens <= 64) {
        constexpr int arranged = ArrangedRows<T, W, tokens>::bytes;
        constexpr int left = Shape::bytes(sharedHere) - Shape::tileAlignment - 2 * arranged;
        constexpr int most = left / (stagedWeights * streamedStepBytes + arranged);
        static_assert(most >= 3);
        narrowProduct<T, W, tokens, least(6, most)>(total, input, weights, inputRow, weightRow,
                                                    first * stagedDepth,
                                                    least(last * stagedDepth, weights.depth), stagedMemory());
        return;
    }
#endif
    constexpr int stages = Shape::stages(sharedHere);
    unsigned char* const memory = stagedMemory();
    const auto wideOf = [&](int t) { // two of them if weights are narrow
        return reinterpret_cast<T*>(memory + (narrow ? t % 2 : t % stages) * Shape::wideBytes);
    };
    unsigned char* const ring = memory + (narrow ? 2 : stages) * Shape::wideBytes;
    const auto inputOf = [&](int t) { return reinterpret_cast<T*>(ring + t % stages * Shape::inputBytes); };
    [[maybe_unused]] const auto rawOf
        = [&](int t) { return ring + stages * Shape::inputBytes + t % stages * Shape::rawBytes; };
    const CopiedRows<T, tokens> inputs(input, weights.depth, inputRow);
    std::conditional_t<narrow, RawRows<T, W>, CopiedRows<T, stagedWeights>> rows = [&] {
        if constexpr (narrow)
            return RawRows<T, W>(weights, weightRow, first * stagedDepth);
        else
            return CopiedRows<T, stagedWeights>(reinterpret_cast<const T*>(weights.bytes), weights.depth,
                                                weightRow);
    }();
    // A group of copies: activations of tile t, and its weights or, where they are still to be widened, those
    // of the next.
    const auto copy = [&](int t) {
        if (t >= first && t < last)
            inputs.copy(inputOf(t), t * stagedDepth);
        if constexpr (narrow) {
            if (t + 1 < last)
                rows.copy(rawOf(t + 1), (t + 1) * stagedDepth);
        } else if (t < last) {
            rows.copy(wideOf(t), t * stagedDepth);
        }
        commitCopies();
    };
    __syncthreads(); // the last product of this block may still be read
    if constexpr (narrow)
        copy(first - 1);
    for (int t = first; t < first + stages - 1; ++t)
        copy(t);
    if constexpr (narrow) {
        waitCopies<stages - 1>();
        rows.widen(wideOf(first), rawOf(first), (first + 1) * stagedDepth);
    }
    for (int t = first; t < last; ++t) {
        waitCopies<stages - 2>();
#ifdef HEADROOM_WEIGHT_GROUPS
        fenceShared();
#endif
        __syncthreads(); // tile t is there, and tile t - 1 used
        startProducts<T, tokens>(total, wideOf(t), inputOf(t));
        copy(t + stages - 1);
        if constexpr (narrow)
            if (t + 1 < last)
                rows.widen(wideOf(t + 1), rawOf(t + 1), (t + 2) * stagedDepth);
        finishProducts<T, tokens>(total, wideOf(t), inputOf(t));
    }
    waitCopies<0>();
}

// Gives the block's threads the results as T, eight neighbouring weight rows of one activation row at a time:
// `finish(i, low)` makes the results of total[i][low] and, where `two`, of its partner eight rows below one;
// `store(row, token, eight)`: the first of the rows, of half as many if `two`.
template <typename T, int tokens, typename Finish, typename Store>
__device__ inline void stagedResults(bool two, const Finish& finish, const Store& store)
{
    constexpr int padded = stagedWeights + 8;
    T* const results = reinterpret_cast<T*>(stagedMemory());
    __syncthreads(); // tiles are used up
#pragma unroll
    for (int i = 0; i < tokens / 8; ++i)
#pragma unroll
        for (int e = 0; e < 4; ++e) {
            const StagedPlace<tokens> place(i, e);
            if (two && e >= 2)
                continue;
            const int row = two ? place.row / 16 * 8 + place.row % 8 : place.row;
            results[place.token * padded + row] = fromFloat<T>(finish(i, e));
        }
    __syncthreads();
    const int chunks = stagedWeights / 8 / (two ? 2 : 1);
    for (int at = int(threadIdx.x); at < tokens * chunks; at += stagedThreads) {
        const int token = at / chunks;
        const int row = at % chunks * 8;
        store(row, token, results + token * padded + row);
    }
}

// Eight results to where `columns` of them make a row, of which `left` are still to come.
template <typename T>
__device__ inline void storeEight(T* to, const T* eight, int columns, int left)
{
    if (columns % 8 == 0) {
        stored(to, loaded(eight)); // left is at least eight
        return;
    }
    for (int i = 0; i < least(left, 8); ++i)
        to[i] = eight[i];
}

} // namespace headroom::kernels
