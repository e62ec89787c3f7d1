#pragma once

#include "kernels/cuda/tile.cuh"

#include <cmath>
#include <cstdint>

// What one warp of a decode attention does with a tile of 16 cached tokens: bring it, widen it, attend to it.
namespace headroom::kernels {
namespace {

constexpr int tileTokens = 16;
constexpr int rowsOfTile = 16; // query heads, padded

template <int dim>
constexpr int warpsOf = dim <= 128 ? 4 : 2; // 64 KB of tiles at most, for cards with little shared memory
template <typename K>
constexpr int stagesOf
    = sizeof(K) == 2 ? 2 : 1; // narrow caches are prefetched in registers and widened on the way

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
    int rowTiles;     // of 16 query heads for each KV head
    float scoreScale; // log2 e / sqrt(headDim)
};

// 16 tokens of keys and values on their way into a warp's shared memory.
template <typename T, typename K, int dim>
class TileLoader {
public:
    static constexpr int tile = tileTokens * dim;

    __device__ TileLoader(const DecodeArguments<T, K>& a, int sequence, int head, TokenRange range)
        : m_a(a), m_sequence(sequence), m_head(head), m_range(range), m_lane(int(threadIdx.x) % 32)
    {}

    // Looks up the rows of a tile: lane i < 16 those of token i. Done a tile ahead, so that the table is not
    // waited for.
    __device__ void find(int firstToken)
    {
        const int token = firstToken + m_lane % tileTokens;
        m_row = token < m_range.end ? cacheRow(m_a.pages, m_sequence, m_head, token) : -1;
    }

    // Starts loading the tile whose rows were found.
    __device__ void start(T* keys, T* values)
    {
        if constexpr (sizeof(K) == 2) {
            [[maybe_unused]] constexpr int together
                = dim <= 128 ? tile / 8 / 32 : 2; // addresses take registers too
#pragma unroll together
            for (int i = 0; i < tile / 8 / 32; ++i) {
                const int at = i * 32 + m_lane;
                const int row = at / (dim / 8);
                const int chunk = at % (dim / 8);
                const int cached = __shfl_sync(0xFFFFFFFFU, m_row, row);
                const bool valid = cached >= 0 && chunk * 8 < m_a.headDim;
                const std::int64_t from = valid ? std::int64_t(cached) * m_a.headDim + chunk * 8 : 0;
                const int to = 8 * swizzled(row, chunk, dim / 8);
                copyAsync(keys + to, m_a.keys + from, valid);
                copyAsync(values + to, m_a.values + from, valid);
            }
            commitCopies();
        } else {
            m_due = m_row;
            if constexpr (held) {
                bringScales();
#pragma unroll
                for (int i = 0; i < packs; ++i)
                    bring(i, i);
            }
        }
    }

    // Narrow caches: what start() brought, or would have, widened into shared memory. Scales are not
    // multiplied in: they count for whole rows, in scores and weights.
    __device__ void put(T* keys, T* values)
    {
        if constexpr (sizeof(K) == 1) {
            if constexpr (!held)
                bringScales();
            keyScale = m_keyScale;
            valueScale = m_valueScale;
            [[maybe_unused]] constexpr int together = held ? packs : 1;
#pragma unroll together
            for (int i = 0; i < packs; ++i) {
                const int slot = held ? i : 0;
                if constexpr (!held)
                    bring(i, 0);
                const int at = i * 32 + m_lane;
                const int row = at / (dim / 16);
                const int chunk = at % (dim / 16) * 2;
                putWidened<T, K, dim>(keys, row, chunk, m_key[slot]);
                putWidened<T, K, dim>(values, row, chunk, m_value[slot]);
            }
        }
    }

    // Of the tile that was put last: lane i has those of token i % 16.
    float keyScale = 0;
    float valueScale = 0;

private:
    __device__ void bringScales()
    {
        m_keyScale = m_due >= 0 ? m_a.keyScales[m_due] : 0.0F;
        m_valueScale = m_due >= 0 ? m_a.valueScales[m_due] : 0.0F;
    }
    // Piece i of the tile whose rows the lanes hold in m_due, into registers.
    __device__ void bring(int i, int slot)
    {
        const int at = i * 32 + m_lane;
        const int chunk = at % (dim / 16);
        const int cached = __shfl_sync(0xFFFFFFFFU, m_due, at / (dim / 16));
        const bool valid = cached >= 0 && chunk * 16 < m_a.headDim;
        const std::int64_t from = valid ? std::int64_t(cached) * m_a.headDim + chunk * 16 : 0;
        m_key[slot] = valid ? streamed16(m_a.keys + from) : make_uint4(0, 0, 0, 0);
        m_value[slot] = valid ? streamed16(m_a.values + from) : make_uint4(0, 0, 0, 0);
    }

    // Whether a narrow tile waits in registers while the one before is used: not where results take half of
    // them.
    static constexpr bool held = dim <= 128;
    static constexpr int packs = sizeof(K) == 1 ? tile / 16 / 32 : 1;
    const DecodeArguments<T, K>& m_a;
    int m_sequence;
    int m_head;
    TokenRange m_range;
    int m_lane;
    int m_row = -1;
    int m_due = -1;
    uint4 m_key[held ? packs : 1];
    uint4 m_value[held ? packs : 1];
    float m_keyScale = 0;
    float m_valueScale = 0;
};

// Steps of a tile's scores whose operands are read at once: all of them, but for the architectures on which
// wide heads then run out of registers.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
constexpr int scoreStepsTogether = 2;
#else
constexpr int scoreStepsTogether = 16;
#endif

// Scores, softmax and weighted values of one tile. Lane i has the scales of token i of a narrow cache.
template <typename T, int dim, bool narrow>
__device__ inline void attendTile(const T* query, const T* keys, const T* values, int tokens,
                                  float scoreScale, float keyScale, float valueScale, RunningSoftmax& softmax,
                                  float (&result)[dim / 8][4])
{
    float scores[2][4] = {};
#pragma unroll scoreStepsTogether
    for (int step = 0; step < dim / 16; ++step) {
        std::uint32_t left[4];
        std::uint32_t right[4];
        leftOperand<T, dim>(left, query, 0, step);
        rightOperands<T, dim>(right, keys, 0, step);
        multiplyTile<T>(scores[0], left, right[0], right[1]);
        multiplyTile<T>(scores[1], left, right[2], right[3]);
    }
    const int column = int(threadIdx.x) % 4 * 2;
#pragma unroll
    for (int j = 0; j < 2; ++j)
#pragma unroll
        for (int e = 0; e < 4; ++e) {
            const int token = 8 * j + column + e % 2;
            if constexpr (narrow)
                scores[j][e] *= __shfl_sync(0xFFFFFFFFU, keyScale, token);
            scores[j][e] = token < tokens ? scores[j][e] : -INFINITY;
        }
    float shrink[2];
    softmax.take(scores, scoreScale, shrink);
    if constexpr (narrow)
#pragma unroll
        for (int j = 0; j < 2; ++j)
#pragma unroll
            for (int e = 0; e < 4; ++e)
                scores[j][e] *= __shfl_sync(0xFFFFFFFFU, valueScale, 8 * j + column + e % 2);
    if (__any_sync(0xFFFFFFFFU, shrink[0] != 1.0F || shrink[1] != 1.0F))
#pragma unroll
        for (int j = 0; j < dim / 8; ++j)
#pragma unroll
            for (int e = 0; e < 4; ++e)
                result[j][e] *= shrink[e / 2];
    std::uint32_t left[4];
    asLeftOperand<T>(left, scores[0], scores[1]);
#pragma unroll
    for (int pair = 0; pair < dim / 16; ++pair) {
        std::uint32_t right[4];
        rightOperandsAcross<T, dim>(right, values, 0, pair);
        multiplyTile<T>(result[2 * pair], left, right[0], right[1]);
        multiplyTile<T>(result[2 * pair + 1], left, right[2], right[3]);
    }
}

} // namespace
} // namespace headroom::kernels
