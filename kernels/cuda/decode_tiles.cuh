#pragma once

#include "kernels/cuda/tile.cuh"

#include <cmath>
#include <cstdint>

// What one warp of a decode attention does with a tile of 16 cached tokens: bring it, widen it, attend to it.
// Nothing passes through shared memory: a lane loads the bytes that are its part of an mma operand. Keys, and
// values transposed, are the left operands (16 tokens, 16 columns), up to 8 query heads the right one, so
// that few heads leave little of a product empty. g = lane / 4, t = lane % 4, as in primitives.cuh.
namespace headroom::kernels {
namespace {

constexpr int tileTokens = 16;
constexpr int tileHeads = 8; // of a right operand
constexpr int warps = 4;

template <typename T, typename K>
struct DecodeArguments {
    const T* query;
    const K* keys;
    const K* values;
    const float* keyScales; // one a row, null for 16-bit caches
    const float* valueScales;
    const int* length;
    PageMap pages;
    T* output;
    PartialResults parts;
    int* counters;
    int queryHeads;
    int headDim;
    int pieceTokens; // of a part: a multiple of 16
    int rowTiles;    // of query heads for each KV head
    float scoreScale; // log2 e / sqrt(headDim)
};

// Narrow floats are widened without their exponent's offset: 2^-8 of the value in fp16, 2^-120 in bf16, where
// queries and weights are larger by 2^80 in return. What is left is made up for where fp32 is scaled anyway.
template <typename K>
constexpr bool offsetLeft = std::is_same_v<K, __nv_fp8_e4m3>;
template <typename T, typename K>
constexpr float liftOf = offsetLeft<K> && std::is_same_v<T, __nv_bfloat16> ? 0x1p80F : 1.0F;
template <typename T, typename K>
constexpr float restOf = !offsetLeft<K> ? 1.0F : std::is_same_v<T, __nv_bfloat16> ? 0x1p40F : 0x1p8F;

// Four narrow numbers of a word: bytes 0 and 2 in `even`, bytes 1 and 3 in `odd`.
template <typename T, typename K>
__device__ inline void spread(std::uint32_t word, std::uint32_t& even, std::uint32_t& odd)
{
    constexpr bool brain = std::is_same_v<T, __nv_bfloat16>;
    if constexpr (offsetLeft<K>) { // sign, exponent and fraction to their places
        constexpr int shift = brain ? 4 : 1;
        constexpr std::uint32_t mask = brain ? 0x07F007F0U : 0x3F803F80U;
        even = ((word << 8) & 0x80008000U) | ((word << (8 - shift)) & mask);
        odd = (word & 0x80008000U) | ((word >> shift) & mask);
    } else if constexpr (brain) { // low seven bits on 128, less 128 or, for a set sign bit, 256
        constexpr std::uint32_t magic = 0x43004300U;
        const std::uint32_t high = word >> 8;
        even = subtractPairs<T>((word & 0x007F007FU) | magic, (word & 0x00800080U) | magic);
        odd = subtractPairs<T>((high & 0x007F007FU) | magic, (high & 0x00800080U) | magic);
    } else { // with the sign flipped offset by 128, on 1024
        constexpr std::uint32_t magic = 0x64806480U;
        even = subtractPairs<T>((word & 0x00FF00FFU) ^ magic, magic);
        odd = subtractPairs<T>(((word >> 8) & 0x00FF00FFU) ^ magic, magic);
    }
}

// The 16 tokens' keys and values that a warp has on their way, in registers.
template <typename T, typename K, int dim>
class TileLoader {
public:
    static constexpr bool narrow = sizeof(K) == 1;
    static constexpr int keySize = 16 / int(sizeof(K)); // elements of a piece
    static constexpr int keyPieces = dim / (4 * keySize); // of a token in each of four lanes
    // Eight lanes share a token's values: narrow rows of 64 are pieces of 8 bytes.
    static constexpr int valueSize = least(keySize, dim / 8);
    static constexpr int valueWords = valueSize * int(sizeof(K)) / 4;
    static constexpr int valuePieces = dim / (8 * valueSize);
    // Keys and values of the next tile are on their way while this one is used. Wide rows would not fit in
    // registers: of those, halves take turns.
    static constexpr bool inTurn = dim * sizeof(K) > 256;
    static constexpr int turns = inTurn ? 2 : 1;
    static constexpr int keyHeld = keyPieces / turns;
    static constexpr int valueHeld = valuePieces / turns;

    // [0]: of token g, [1]: of token g + 8; piece i holds columns 4 keySize i + keySize t and following.
    uint4 keys[2][keyHeld];
    float keyScale[2] = {1, 1};
    // Of tokens 2t, 2t + 1, 2t + 8, 2t + 9; piece i holds columns valueSize (g + 8 i) and following.
    std::uint32_t values[4][valueHeld * valueWords];
    float valueScale[2] = {1, 1}; // of tokens g, g + 8

    __device__ TileLoader(const DecodeArguments<T, K>& a, int sequence, int head)
        : m_a(a), m_sequence(sequence), m_head(head), m_lane(int(threadIdx.x) % 32)
    {}

    // Looks up the rows of a tile: lane i that of token i % 16. Done a tile ahead, so that the table is not
    // waited for; the sequence may end before, but not the table.
    __device__ void find(int firstToken)
    {
        const int last = m_a.pages.pagesPerSequence * m_a.pages.pageTokens - 1;
        m_row = cacheRow(m_a.pages, m_sequence, m_head, least(firstToken + m_lane % tileTokens, last));
    }
    // Of the tile whose rows were found `tokens` are there, one at least. The others are the last one again,
    // which will weigh nothing.
    __device__ void endAfter(int tokens)
    {
        m_row = __shfl_sync(0xFFFFFFFFU, m_row, least(m_lane % tileTokens, tokens - 1));
    }

    __device__ void startKeys(int turn = 0)
    {
        const int lane = laneNow();
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const int row = __shfl_sync(0xFFFFFFFFU, m_row, lane / 4 + 8 * half);
            const K* const from = m_a.keys + std::int64_t(row) * m_a.headDim;
#pragma unroll
            for (int i = 0; i < keyHeld; ++i)
                keys[half][i]
                    = streamed16(from + within((4 * (i + turn * keyHeld) + lane % 4) * keySize));
            if constexpr (narrow)
                keyScale[half] = m_a.keyScales[row];
        }
    }

    __device__ void startValues(int turn = 0)
    {
        const int lane = laneNow();
#pragma unroll
        for (int token = 0; token < 4; ++token) {
            const int row
                = __shfl_sync(0xFFFFFFFFU, m_row, lane % 4 * 2 + token % 2 + token / 2 * 8);
            const K* const from = m_a.values + std::int64_t(row) * m_a.headDim;
#pragma unroll
            for (int i = 0; i < valueHeld; ++i) {
                const K* const piece = from + within((8 * (i + turn * valueHeld) + lane / 4) * valueSize);
                if constexpr (valueWords == 4) {
                    const uint4 raw = streamed16(piece);
                    values[token][4 * i] = raw.x;
                    values[token][4 * i + 1] = raw.y;
                    values[token][4 * i + 2] = raw.z;
                    values[token][4 * i + 3] = raw.w;
                } else {
                    const uint2 raw = streamed8(piece);
                    values[token][2 * i] = raw.x;
                    values[token][2 * i + 1] = raw.y;
                }
            }
        }
        if constexpr (narrow)
#pragma unroll
            for (int half = 0; half < 2; ++half)
                valueScale[half]
                    = m_a.valueScales[__shfl_sync(0xFFFFFFFFU, m_row, lane / 4 + 8 * half)];
    }

private:
    // Wide rows leave no registers for what could be kept from tile to tile.
    __device__ int laneNow() const { return dim > 128 ? anew(m_lane) : m_lane; }
    // Columns that a row does not have are those of its first piece again: queries have zeros there, and
    // results are left out.
    __device__ int within(int column) const { return column < m_a.headDim ? column : 0; }

    const DecodeArguments<T, K>& m_a;
    int m_sequence;
    int m_head;
    int m_lane;
    int m_row = 0;
};

// Query heads as right operands of the scores: words 4 c to 4 c + 3 of a lane are those of two steps of 16
// columns, in the order in which keys lie in its pieces.
template <typename T, typename K, int dim>
__device__ inline uint4 queryChunk(const T* head, int c, int headDim)
{
    constexpr bool narrow = sizeof(K) == 1;
    const int t = int(threadIdx.x) % 4;
    const int column = narrow ? 64 * (c / 2) + 16 * t + 8 * (c % 2) : 32 * c + 8 * t;
    if (head == nullptr || column >= headDim)
        return make_uint4(0, 0, 0, 0);
    const uint4 raw = *reinterpret_cast<const uint4*>(head + column);
    if constexpr (!narrow)
        return raw;
    uint4 out = make_uint4(__byte_perm(raw.x, raw.y, 0x5410U), __byte_perm(raw.x, raw.y, 0x7632U),
                           __byte_perm(raw.z, raw.w, 0x5410U), __byte_perm(raw.z, raw.w, 0x7632U));
    if constexpr (liftOf<T, K> != 1.0F) {
        const std::uint32_t lift = packed<T>(liftOf<T, K>, liftOf<T, K>);
        out = make_uint4(multiplyPairs<T>(out.x, lift), multiplyPairs<T>(out.y, lift),
                         multiplyPairs<T>(out.z, lift), multiplyPairs<T>(out.w, lift));
    }
    return out;
}

// The left operands of the scores' steps 2 c and 2 c + 1.
template <typename T, typename K, int dim>
__device__ inline void keyOperands(const TileLoader<T, K, dim>& tile, int c, std::uint32_t (&first)[4],
                                   std::uint32_t (&second)[4])
{
    if constexpr (sizeof(K) == 2) {
        const uint4& low = tile.keys[0][c];
        const uint4& high = tile.keys[1][c];
        first[0] = low.x, first[1] = high.x, first[2] = low.y, first[3] = high.y;
        second[0] = low.z, second[1] = high.z, second[2] = low.w, second[3] = high.w;
    } else {
        const uint4& low = tile.keys[0][c / 2];
        const uint4& high = tile.keys[1][c / 2];
        spread<T, K>(c % 2 == 0 ? low.x : low.z, first[0], first[2]);
        spread<T, K>(c % 2 == 0 ? high.x : high.z, first[1], first[3]);
        spread<T, K>(c % 2 == 0 ? low.y : low.w, second[0], second[2]);
        spread<T, K>(c % 2 == 0 ? high.y : high.w, second[1], second[3]);
    }
}

// The left operand of the weighted sums whose rows g and g + 8 are the columns valueColumn() and the next.
template <typename T, typename K, int dim>
__device__ inline void valueOperand(const TileLoader<T, K, dim>& tile, int m, std::uint32_t (&out)[4])
{
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        if constexpr (sizeof(K) == 2) {
            out[2 * half] = __byte_perm(tile.values[2 * half][m], tile.values[2 * half + 1][m], 0x5410U);
            out[2 * half + 1] = __byte_perm(tile.values[2 * half][m], tile.values[2 * half + 1][m], 0x7632U);
        } else {
            const std::uint32_t both = __byte_perm(tile.values[2 * half][m / 2],
                                                   tile.values[2 * half + 1][m / 2],
                                                   m % 2 == 0 ? 0x5410U : 0x7632U);
            spread<T, K>(both, out[2 * half], out[2 * half + 1]);
        }
    }
}
template <typename T, typename K, int dim>
__device__ inline int valueColumn(int m)
{
    constexpr int size = TileLoader<T, K, dim>::valueSize;
    return size * (int(threadIdx.x) % 32 / 4 + 8 * (m / (size / 2))) + 2 * (m % (size / 2));
}

// Softmax of the heads 2t and 2t + 1 of a right operand, in base two. Scores count from a base that moves
// only when some are more than `slack` above it: weights stay far from overflow, and most tiles need no
// exchange between lanes.
struct LazySoftmax {
    float base[2] = {-INFINITY, -INFINITY};
    float sum[2] = {0, 0}; // of this lane's tokens; over the warp at the end

    static constexpr float slack = 6;
    __device__ bool rises(const float (&scores)[4]) const
    {
        return fmaxf(scores[0], scores[2]) > base[0] + slack || fmaxf(scores[1], scores[3]) > base[1] + slack;
    }
    // By how much earlier results shrink. Every tile holds a token, so the base is finite then.
    __device__ void raise(const float (&scores)[4], float (&shrink)[2])
    {
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            float high = fmaxf(scores[h], scores[2 + h]);
#pragma unroll
            for (int offset = 4; offset < 32; offset *= 2)
                high = fmaxf(high, __shfl_xor_sync(0xFFFFFFFFU, high, offset));
            high = fmaxf(base[h], high);
            shrink[h] = powerOfTwo(base[h] - high);
            base[h] = high;
            sum[h] *= shrink[h];
        }
    }
    // Scores become weights.
    __device__ void weigh(float (&scores)[4])
    {
#pragma unroll
        for (int e = 0; e < 4; ++e) {
            scores[e] = powerOfTwo(scores[e] - base[e % 2]);
            sum[e % 2] += scores[e];
        }
    }
    __device__ void addOverWarp()
    {
#pragma unroll
        for (int h = 0; h < 2; ++h)
#pragma unroll
            for (int offset = 4; offset < 32; offset *= 2)
                sum[h] += __shfl_xor_sync(0xFFFFFFFFU, sum[h], offset);
    }
};

// True in the block that finished last of `blocks`; the counter is zero again for the next launch. Call it by
// all threads after what they wrote.
__device__ inline bool lastOfBlocks(int* counter, int blocks)
{
    __shared__ bool last;
    __syncthreads();
    if (threadIdx.x == 0) { // what the barrier ordered before it is visible with its fence
        __threadfence();
        last = atomicAdd(counter, 1) == blocks - 1;
        if (last)
            *counter = 0;
        __threadfence();
    }
    __syncthreads();
    return last;
}

} // namespace
} // namespace headroom::kernels
