#pragma once

#include "kernels/cuda/tile.cuh"

#include <cstdint>

// What a prefill attention brings into shared memory: tiles of 32 cached tokens, by the whole block.
namespace headroom::kernels {
namespace {

constexpr int tileTokens = 32;
constexpr int warps = 4;

template <int dim>
constexpr int rowTilesOf = dim <= 128 ? 2 : 1; // of 16 new tokens a warp: what its registers hold
template <int dim>
constexpr int rowsOfBlock = warps * 16 * rowTilesOf<dim>;

template <typename T, typename K>
struct PrefillArguments {
    const T* query;
    const K* keys;
    const K* values;
    const float* keyScales; // one a row, null for 16-bit caches
    const float* valueScales;
    const int* length; // new tokens included
    PageMap pages;
    T* output;
    PartialResults parts;
    int queryTokens;
    int queryHeads;
    int headDim;
    float scoreScale; // log2 e / sqrt(headDim)
};

// A tile of keys and values from pages into shared memory, by the whole block.
template <typename T, typename K, int dim>
class TileLoader {
public:
    static constexpr int tile = tileTokens * dim;

    __device__ TileLoader(const PrefillArguments<T, K>& a, int sequence, int head, int end)
        : m_a(a), m_sequence(sequence), m_head(head), m_end(end), m_thread(int(threadIdx.x))
    {}

    // Every warp looks up all rows of the tile: lane i that of token i.
    __device__ void find(int firstToken)
    {
        const int token = firstToken + m_thread % 32;
        m_row = token < m_end ? cacheRow(m_a.pages, m_sequence, m_head, token) : -1;
    }

    __device__ void start(T* keys, T* values)
    {
        constexpr int size = 16 / int(sizeof(K)); // elements of a 16-byte piece
        // Sums and scores leave few registers, and an address takes two: one piece at a time.
#pragma unroll 1
        for (int i = 0; i < tile / size / (warps * 32); ++i) {
            const int at = i * warps * 32 + m_thread;
            const int row = at / (dim / size);
            const int piece = at % (dim / size);
            const int cached = __shfl_sync(0xFFFFFFFFU, m_row, row);
            const bool valid = cached >= 0 && piece * size < m_a.headDim;
            const std::int64_t from = valid ? std::int64_t(cached) * m_a.headDim + piece * size : 0;
            if constexpr (sizeof(K) == 2) {
                const int to = 8 * swizzled(row, piece, dim / 8);
                copyAsync(keys + to, m_a.keys + from, valid);
                copyAsync(values + to, m_a.values + from, valid);
            } else {
                put(keys, row, piece, valid ? streamed16(m_a.keys + from) : make_uint4(0, 0, 0, 0),
                    valid ? m_a.keyScales[cached] : 0.0F);
                put(values, row, piece, valid ? streamed16(m_a.values + from) : make_uint4(0, 0, 0, 0),
                    valid ? m_a.valueScales[cached] : 0.0F);
            }
        }
        commitCopies();
    }

private:
    __device__ static void put(T* to, int row, int piece, const uint4& raw, float scale)
    {
        if constexpr (sizeof(K)
                      == 1) { // scales kept for scores and weights would take registers that sums need
            uint4 wide[2];
            widenedChunks<T, K>(raw, scale, wide);
            *reinterpret_cast<uint4*>(to + 8 * swizzled(row, 2 * piece, dim / 8)) = wide[0];
            *reinterpret_cast<uint4*>(to + 8 * swizzled(row, 2 * piece + 1, dim / 8)) = wide[1];
        }
    }
    const PrefillArguments<T, K>& m_a;
    int m_sequence;
    int m_head;
    int m_end;
    int m_thread;
    int m_row = -1;
};

} // namespace
} // namespace headroom::kernels
