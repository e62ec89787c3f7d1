#pragma once

#include "kernels/cuda/tile.cuh"

#include <cmath>
#include <cstdint>

// What one warp of a decode attention does with a tile of 16 cached tokens: bring it as it is stored, widen
// it, attend to it. A lane reads 16 bytes of a row as its part of an mma operand: the order of a sum is free.
// Keys, and values transposed, are the left operands (16 tokens, 16 columns), up to 8 query heads the right
// one, so that few heads leave little of a product empty. g = lane / 4, t = lane % 4, as in primitives.cuh.
namespace headroom::kernels {
namespace {

constexpr int tileTokens = 16;
constexpr int tileHeads = 8; // of a right operand
template <int dim>
constexpr int warpsOf = dim <= 128 ? 4 : 2; // 64 KB of tiles at most, for cards with little shared memory
template <typename K>
constexpr int stagesOf = sizeof(K) == 2 ? 2 : 3;

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
    int pieceTokens;  // of a part: a multiple of 16
    int rowTiles;     // of query heads for each KV head
    float scoreScale; // log2 e / sqrt(headDim)
};

// Narrow floats are widened without their exponent's offset: 2^-8 of the value in fp16, 2^-120 in bf16, where
// queries and weights are larger by 2^80 in return. What is left is made up for where fp32 is scaled anyway.
template <typename K>
constexpr bool offsetLeft = std::is_same_v<K, __nv_fp8_e4m3>;
template <typename T, typename K>
constexpr float liftOf = offsetLeft<K>&& std::is_same_v<T, __nv_bfloat16> ? 0x1p80F : 1.0F;
template <typename T, typename K>
constexpr float restOf = !offsetLeft<K> ? 1.0F
    : std::is_same_v<T, __nv_bfloat16>  ? 0x1p40F
                                        : 0x1p8F;

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

// The tiles that a warp has on their way or uses, in its part of shared memory: rows as they are stored,
// their 16-byte chunks swizzled so that what lanes read together lies in different banks; then the scales of
// a narrow cache, of keys and of values.
template <typename T, typename K, int dim>
class Tiles {
public:
    static constexpr bool narrow = sizeof(K) == 1;
    static constexpr int rowBytes = dim * int(sizeof(K));
    static constexpr int matrixBytes = tileTokens * rowBytes;
    static constexpr int stageBytes = 2 * matrixBytes + (narrow ? 2 * tileTokens * 4 : 0);
    static constexpr int size = 16 / int(sizeof(K)); // elements of a chunk
    static constexpr int chunks = dim / size;        // of a row
    static constexpr int keyPieces = chunks / 4;     // of a token in each of four lanes
    // Eight lanes share a token's values: narrow rows of 64 are pieces of 8 bytes.
    static constexpr int valueSize = least(size, dim / 8);
    static constexpr int valueWords = valueSize * int(sizeof(K)) / 4;

    __device__ Tiles(const DecodeArguments<T, K>& a, unsigned char* shared, int sequence, int head)
        : m_a(a), m_shared(shared), m_sequence(sequence), m_head(head), m_lane(int(threadIdx.x) % 32)
    {}

    // The row of a tile's token i % 16 for lane i. Done before it is needed, so that the table is not waited
    // for; the sequence may end before, but not the table.
    __device__ int find(int firstToken) const
    {
        const int last = m_a.pages.pagesPerSequence * m_a.pages.pageTokens - 1;
        return cacheRow(m_a.pages, m_sequence, m_head, least(firstToken + m_lane % tileTokens, last));
    }

    // Starts bringing the tile whose rows were found; `tokens` of them are there, the others are the last one
    // again, which will weigh nothing. Without any, nothing is brought.
    __device__ void start(int stage, int found, int tokens) const
    {
        if (tokens > 0) {
            unsigned char* const keys = m_shared + stage * stageBytes;
            const int lane = laneNow();
            const int row = __shfl_sync(0xFFFFFFFFU, found, least(m_lane % tileTokens, tokens - 1));
#pragma unroll
            for (int i = 0; i < tileTokens * chunks / 32; ++i) {
                const int at = i * 32 + lane;
                const int token = at / chunks;
                const int chunk = at % chunks;
                const bool valid = chunk * size < m_a.headDim;
                const std::int64_t from
                    = std::int64_t(__shfl_sync(0xFFFFFFFFU, row, token)) * m_a.headDim + chunk * size;
                copyAsync(keys + keyPlace(token, chunk), m_a.keys + (valid ? from : 0), valid);
                copyAsync(keys + matrixBytes + valuePlace(token, chunk), m_a.values + (valid ? from : 0),
                          valid);
            }
            if constexpr (narrow)
                copyAsync4(keys + 2 * matrixBytes + 4 * m_lane,
                           (m_lane < tileTokens ? m_a.keyScales : m_a.valueScales) + row);
        }
        commitCopies();
    }

    // Piece i of token g (half 0) or g + 8: columns size (4 i + t) and following.
    __device__ uint4 keys(int stage, int half, int i) const
    {
        return *reinterpret_cast<const uint4*>(m_shared + stage * stageBytes
                                               + keyPlace(m_lane / 4 + 8 * half, 4 * i + m_lane % 4));
    }
    // Piece i of token 2t, 2t + 1, 2t + 8 or 2t + 9: columns valueSize (g + 8 i) and following.
    __device__ void values(int stage, int token, int i, std::uint32_t (&out)[valueWords]) const
    {
        const int row = m_lane % 4 * 2 + token % 2 + token / 2 * 8;
        const unsigned char* const matrix = m_shared + stage * stageBytes + matrixBytes;
        const int piece = 8 * i + m_lane / 4;
        if constexpr (valueWords == 4) {
            const uint4 raw = *reinterpret_cast<const uint4*>(matrix + valuePlace(row, piece));
            out[0] = raw.x, out[1] = raw.y, out[2] = raw.z, out[3] = raw.w;
        } else {
            const uint2 raw
                = *reinterpret_cast<const uint2*>(matrix + valuePlace(row, piece / 2) + piece % 2 * 8);
            out[0] = raw.x, out[1] = raw.y;
        }
    }
    // Of tokens g and g + 8.
    __device__ float keyScale(int stage, int half) const { return scale(stage, m_lane / 4 + 8 * half); }
    __device__ float valueScale(int stage, int half) const
    {
        return scale(stage, tileTokens + m_lane / 4 + 8 * half);
    }

private:
    // Where rows have many chunks, what is known of them anew is cheaper than the registers to keep it.
    __device__ int laneNow() const { return chunks > 8 ? anew(m_lane) : m_lane; }
    static __device__ int keyPlace(int row, int chunk)
    {
        return row * rowBytes + (chunks < 8 ? chunk : chunk ^ row % 2 * 4) * 16;
    }
    static __device__ int valuePlace(int row, int chunk)
    {
        return row * rowBytes + (chunk ^ (row / 2 % 4 * 2) % chunks) * 16;
    }
    __device__ float scale(int stage, int at) const
    {
        if constexpr (narrow)
            return reinterpret_cast<const float*>(m_shared + stage * stageBytes + 2 * matrixBytes)[at];
        else
            return 1.0F;
    }

    const DecodeArguments<T, K>& m_a;
    unsigned char* m_shared;
    int m_sequence;
    int m_head;
    int m_lane;
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

// The left operands of a piece's steps of 16 columns: two of 16-bit keys, four of narrow ones.
template <typename T, typename K>
__device__ inline void keyOperands(const uint4& low, const uint4& high,
                                   std::uint32_t (&out)[4 / sizeof(K)][4])
{
    const std::uint32_t first[4] = {low.x, low.y, low.z, low.w};
    const std::uint32_t second[4] = {high.x, high.y, high.z, high.w};
#pragma unroll
    for (int w = 0; w < 4; ++w)
        if constexpr (sizeof(K) == 2) {
            out[w / 2][w % 2 * 2] = first[w];
            out[w / 2][w % 2 * 2 + 1] = second[w];
        } else {
            spread<T, K>(first[w], out[w][0], out[w][2]);
            spread<T, K>(second[w], out[w][1], out[w][3]);
        }
}

// The left operands of the weighted sums, of a piece of the four tokens' values: rows g and g + 8 of operand
// m are the columns valueColumn() and the next.
template <typename T, typename K, int words>
__device__ inline void valueOperand(const std::uint32_t (&values)[4][words], int m, std::uint32_t (&out)[4])
{
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        const std::uint32_t* const first = values[2 * half];
        const std::uint32_t* const second = values[2 * half + 1];
        if constexpr (sizeof(K) == 2) {
            out[2 * half] = __byte_perm(first[m], second[m], 0x5410U);
            out[2 * half + 1] = __byte_perm(first[m], second[m], 0x7632U);
        } else {
            spread<T, K>(__byte_perm(first[m / 2], second[m / 2], m % 2 == 0 ? 0x5410U : 0x7632U),
                         out[2 * half], out[2 * half + 1]);
        }
    }
}
template <typename T, typename K, int dim>
__device__ inline int valueColumn(int m)
{
    constexpr int size = Tiles<T, K, dim>::valueSize;
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

// Scores of a tile with the block's query heads, without their scale: (token g, heads 2t and 2t + 1), then
// token g + 8. Even and odd steps add up apart, so that fewer wait for each other.
template <typename T, typename K, int dim, int headTiles>
__device__ inline void scoreTile(const Tiles<T, K, dim>& tiles, int stage,
                                 const uint4 (&query)[headTiles][dim / 32], float (&scores)[headTiles][4])
{
    float odd[headTiles][4] = {};
#pragma unroll
    for (int n = 0; n < headTiles; ++n)
#pragma unroll
        for (int e = 0; e < 4; ++e)
            scores[n][e] = 0;
#pragma unroll
    for (int i = 0; i < Tiles<T, K, dim>::keyPieces; ++i) {
        constexpr int steps = 4 / int(sizeof(K));
        std::uint32_t left[steps][4];
        keyOperands<T, K>(tiles.keys(stage, 0, i), tiles.keys(stage, 1, i), left);
#pragma unroll
        for (int step = 0; step < steps; ++step)
#pragma unroll
            for (int n = 0; n < headTiles; ++n) {
                const uint4& right = query[n][(i * steps + step) / 2];
                if (step % 2 == 0)
                    multiplyTile<T>(scores[n], left[step], right.x, right.y);
                else
                    multiplyTile<T>(odd[n], left[step], right.z, right.w);
            }
    }
#pragma unroll
    for (int n = 0; n < headTiles; ++n)
#pragma unroll
        for (int e = 0; e < 4; ++e)
            scores[n][e] += odd[n][e];
}

// Scores of a tile, of which `tokens` are there, become weights; what was added up before shrinks where a new
// largest score asks for it. `right`: the weights, each times its value's scale, as right operands.
template <typename T, typename K, int dim, int headTiles>
__device__ inline void weighTile(const Tiles<T, K, dim>& tiles, int stage, int tokens, float scoreScale,
                                 float (&scores)[headTiles][4], LazySoftmax (&softmax)[headTiles],
                                 float (&result)[headTiles][dim / 16][4],
                                 std::uint32_t (&right)[headTiles][2])
{
    const int token = int(threadIdx.x) % 32 / 4;
    const float scale[2] = {scoreScale * tiles.keyScale(stage, 0), scoreScale * tiles.keyScale(stage, 1)};
    bool rises = false;
#pragma unroll
    for (int n = 0; n < headTiles; ++n) {
#pragma unroll
        for (int e = 0; e < 4; ++e)
            scores[n][e] = token + e / 2 * 8 < tokens ? scores[n][e] * scale[e / 2] : -INFINITY;
        rises = rises || softmax[n].rises(scores[n]);
    }
    if (__any_sync(0xFFFFFFFFU, rises))
#pragma unroll
        for (int n = 0; n < headTiles; ++n) {
            float shrink[2];
            softmax[n].raise(scores[n], shrink);
#pragma unroll
            for (int m = 0; m < dim / 16; ++m)
#pragma unroll
                for (int e = 0; e < 4; ++e)
                    result[n][m][e] *= shrink[e % 2];
        }
    const float lift[2]
        = {liftOf<T, K> * tiles.valueScale(stage, 0), liftOf<T, K> * tiles.valueScale(stage, 1)};
#pragma unroll
    for (int n = 0; n < headTiles; ++n) {
        softmax[n].weigh(scores[n]);
#pragma unroll
        for (int h = 0; h < 2; ++h)
            right[n][h]
                = transposed8x8(packed<T>(scores[n][2 * h] * lift[h], scores[n][2 * h + 1] * lift[h]));
    }
}

// Weighted values of a tile.
template <typename T, typename K, int dim, int headTiles>
__device__ inline void addTile(const Tiles<T, K, dim>& tiles, int stage,
                               const std::uint32_t (&right)[headTiles][2],
                               float (&result)[headTiles][dim / 16][4])
{
    constexpr int words = Tiles<T, K, dim>::valueWords;
    constexpr int each = Tiles<T, K, dim>::valueSize / 2; // operands of a piece
#pragma unroll
    for (int i = 0; i < dim / 16 / each; ++i) {
        std::uint32_t values[4][words];
#pragma unroll
        for (int token = 0; token < 4; ++token)
            tiles.values(stage, token, i, values[token]);
#pragma unroll
        for (int m = 0; m < each; ++m) {
            std::uint32_t left[4];
            valueOperand<T, K, words>(values, m, left);
#pragma unroll
            for (int n = 0; n < headTiles; ++n)
                multiplyTile<T>(result[n][i * each + m], left, right[n][0], right[n][1]);
        }
    }
}

} // namespace
} // namespace headroom::kernels
