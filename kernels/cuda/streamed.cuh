#pragma once

#include "kernels/cuda/product.cuh"
#include "kernels/cuda/shared_class.cuh"

#include <cstdint>
#include <type_traits>

namespace headroom::kernels {

// Products of a few 16-bit rows with weights of 4, 8 or 16 bits, at the pace of memory. Each warp of a block
// has a share of the depth for itself: it copies 64 bytes of each of its weight rows at a time into a ring of
// its own in shared memory, several such steps ahead, and needs no barrier of the block until the sums are
// added. Weights are the left operand of the tensor cores, widened in registers; a lane reads the eight
// activations that belong to its eight weights, because the order of a sum over the depth is free.

// Beyond so many rows a block's warps share a tile of both operands instead (staged.cuh): where weights are
// narrow, activations of more than eight rows are soon as many bytes.
template <typename W>
constexpr int streamedRows = isScaled<W> ? 8 : 16;

constexpr int streamedThreads = 256;
constexpr int streamedWarps = streamedThreads / 32;
// Blocks a multiprocessor shall hold: their rings are what is on its way.
constexpr int streamedBlocks = sharedHere == SharedClass::Large ? 2 : 1;
constexpr int streamedStepBytes = 64; // of a weight row
// Bytes of one step of a ring, with so many rows of activations.
template <typename W, int rowTiles>
HEADROOM_BOTH constexpr int streamedStageBytes(int rows)
{
    return rowTiles * 16 * streamedStepBytes + rows * stepOf<W> * 2;
}
// Steps of a ring, of those that fit with the most rows; and bytes of a block's rings.
template <typename W, int rowTiles>
HEADROOM_BOTH constexpr int streamedStages(SharedClass size)
{
    return most(
        2,
        least((std::is_same_v<W, Nibble> ? 6 : 8) / rowTiles,
              sharedBudget(size) / (streamedWarps * streamedStageBytes<W, rowTiles>(streamedRows<W>))));
}
template <typename W, int rowTiles>
HEADROOM_BOTH constexpr int streamedShared(int rows, SharedClass size)
{
    return streamedWarps * streamedStages<W, rowTiles>(size) * streamedStageBytes<W, rowTiles>(rows);
}
static_assert(streamedShared<Nibble, 2>(8, SharedClass::Small) <= 64 * 1024); // what Turing has
static_assert(streamedShared<__half, 2>(16, SharedClass::Small) <= 64 * 1024);

// Eight weights of row lane / 4 of a step's eight rows, from element 32 piece + 8 (lane % 4), as four pairs.
// Offset numbers of 4 bits keep their offset and what makes them 16 bits: nibbleOffset() in all.
template <typename T, typename W>
class StreamedRows {
public:
    __device__ explicit StreamedRows(const unsigned char* rows) : m_rows(rows) {}
    __device__ void widen(int piece, std::uint32_t (&pairs)[4]) const
    {
        const int row = int(threadIdx.x) % 32 / 4;
        const int inQuad = int(threadIdx.x) % 4;
        if constexpr (std::is_same_v<W, Nibble>) {
            offsetNibbles<T>(
                *reinterpret_cast<const std::uint32_t*>(m_rows + 16 * streamedUnit(row, piece) + 4 * inQuad),
                pairs);
        } else if constexpr (sizeof(W) == 1) {
            const int eight = 4 * piece + inQuad;
            const auto* const from = reinterpret_cast<const uint2*>(m_rows + 16 * streamedUnit(row, eight / 2)
                                                                    + 8 * (eight % 2));
            widened<T, W>(make_uint4(from->x, from->y, 0, 0), 0, pairs);
        } else {
            widened<T, W>(*reinterpret_cast<const uint4*>(m_rows + 16 * streamedUnit(row, inQuad)), 0, pairs);
        }
    }

private:
    const unsigned char* m_rows;
};

// This warp's share of the depth, of rowTiles x 16 weight rows and up to tokenTiles x 8 activation rows.
// `total[r][c]`: weight rows 16 r + lane / 4 and 8 more, activation rows 8 c + 2 (lane % 4) and the next.
// `weightRow(i)`: which row of the weights stands at i; beyond the last, any: nobody takes its results.
// `inputRow(i)`: the same of the first `held` activation rows. `ring`: this warp's.
template <typename T, typename W, int rowTiles, int tokenTiles, int together, typename InputRow,
          typename WeightRow>
__device__ inline void streamedProduct(float (&total)[rowTiles][tokenTiles][4], const T* input,
                                       const WeightView<W>& weights, const InputRow& inputRow, int held,
                                       const WeightRow& weightRow, unsigned char* ring, int warp)
{
    constexpr bool nibbles = std::is_same_v<W, Nibble>;
    constexpr int stages = streamedStages<W, rowTiles>(sharedHere);
    constexpr int step = stepOf<W>;
    constexpr int pieces = step / 32;
    constexpr int weightBytes = rowTiles * 16 * streamedStepBytes;
    constexpr int chunks = step / 8;                          // of a row of activations
    constexpr int inputCopies = tokenTiles * 8 * chunks / 32; // of a lane
    const int lane = int(threadIdx.x) % 32;
    const int inQuad = lane % 4;
    const int rowBytes = int(weights.rowBytes());
    const int steps = ceilDiv(weights.depth, step);
    const int stageBytes = streamedStageBytes<W, rowTiles>(held);
    const std::int64_t firstRow = weightRow(0);
    const std::uint8_t* const bytes = weights.bytes + firstRow * rowBytes;
    [[maybe_unused]] const float* const firstScale = weights.scales + firstRow * weights.groups;
    int from[2 * rowTiles];                                      // a block's rows lie within one matrix
    [[maybe_unused]] int scales[isScaled<W> ? 2 * rowTiles : 1]; // where those of a row begin
#pragma unroll
    for (int q = 0; q < 2 * rowTiles; ++q) {
        const std::int64_t row = weightRow(8 * q + lane / 4);
        from[q] = int(row - firstRow) * rowBytes + 16 * inQuad;
        if constexpr (isScaled<W>)
            scales[q] = int(row - firstRow) * weights.groups;
    }
    int inputs[inputCopies]; // few rows are few elements
#pragma unroll
    for (int u = 0; u < inputCopies; ++u)
        inputs[u]
            = int(inputRow(least((lane + 32 * u) / chunks, held - 1))) * weights.depth + lane % chunks * 8;
    // A warp's steps come in neighbouring pairs: 128 bytes of a row.
    const auto stepOfWarp
        = [&](unsigned i) { return int((i / 2 * streamedWarps + unsigned(warp)) * 2 + i % 2); };
    // Zeros beyond the depth: whatever the weights' zero bits mean there is multiplied by them.
    unsigned char* next = ring; // stage that is copied next
    unsigned char* const end = ring + stages * stageBytes;
    const auto copy = [&](unsigned i) {
        const int at = stepOfWarp(i) * streamedStepBytes;
        const bool valid = at + 16 * inQuad < rowBytes;
        unsigned char* const to = next + 16 * streamedUnit(lane / 4, inQuad);
#pragma unroll
        for (int q = 0; q < 2 * rowTiles; ++q)
            copyAsync(to + q * 8 * streamedStepBytes, bytes + from[q] + (valid ? at : 0), valid);
        const int element = stepOfWarp(i) * step;
        const bool inDepth = element + lane % chunks * 8 < weights.depth;
#pragma unroll
        for (int u = 0; u < inputCopies; ++u) {
            const int row = (lane + 32 * u) / chunks;
            if (row < held)
                copyAsync(next + weightBytes + 16 * streamedChunk(row, lane % chunks, chunks),
                          input + inputs[u] + (inDepth ? element : 0), inDepth);
        }
        commitCopies();
        next = next + stageBytes < end ? next + stageBytes : ring;
    };
    for (unsigned i = 0; i < stages - 1; ++i)
        copy(i);
    const unsigned char* stage = ring;
    int inputAt[tokenTiles]; // of this lane's first chunk in a stage
#pragma unroll
    for (int c = 0; c < tokenTiles; ++c)
        inputAt[c] = least(8 * c + lane / 4, held - 1);
    [[maybe_unused]] float part[rowTiles][tokenTiles][4] = {};
    [[maybe_unused]] float offset[tokenTiles][4] = {}; // what nibbles are too large by, times the activations
    [[maybe_unused]] float scale[isScaled<W> ? 2 * rowTiles : 1] = {};
    [[maybe_unused]] const auto flush = [&] {
#pragma unroll
        for (int c = 0; c < tokenTiles; ++c)
#pragma unroll
            for (int e = 0; e < 4; ++e) {
#pragma unroll
                for (int r = 0; r < rowTiles; ++r) {
                    total[r][c][e]
                        += (part[r][c][e] + (nibbles ? offset[c][e] : 0.0F)) * scale[2 * r + e / 2];
                    part[r][c][e] = 0;
                }
                offset[c][e] = 0;
            }
    };
    [[maybe_unused]] constexpr std::uint32_t minusOffset = nibbleOffset<T> | 0x80008000U;
    [[maybe_unused]] const std::uint32_t offsets[4] = {minusOffset, minusOffset, minusOffset, minusOffset};
    [[maybe_unused]] const int stepsOfGroup = ceilDiv(weights.group, step);
    [[maybe_unused]] int endOfGroup = 0; // the step after those whose sums stand in `part`
    for (unsigned i = 0; stepOfWarp(i) < steps; ++i) {
        if constexpr (isScaled<W>)
            if (stepOfWarp(i) >= endOfGroup) { // the same for the whole warp
                if (i > 0)
                    flush();
                const int group = stepsOfGroup == 1 ? stepOfWarp(i) : stepOfWarp(i) / stepsOfGroup;
                endOfGroup = (group + 1) * stepsOfGroup;
#pragma unroll
                for (int q = 0; q < 2 * rowTiles; ++q)
                    scale[q] = firstScale[scales[q] + group];
            }
        waitCopies<stages - 2>();
        __syncwarp(); // all lanes' copies are there, and all have used what the next ones overwrite
        copy(i + stages - 1);
        const auto rowsOf = [&](int q) { return StreamedRows<T, W>(stage + q * 8 * streamedStepBytes); };
#pragma unroll together
        for (int p = 0; p < pieces; ++p) {
            std::uint32_t right[tokenTiles][4];
#pragma unroll
            for (int c = 0; c < tokenTiles; ++c)
                ordered<W>(*reinterpret_cast<const uint4*>(
                               stage + weightBytes + 16 * streamedChunk(inputAt[c], 4 * p + inQuad, chunks)),
                           right[c]);
            if constexpr (nibbles)
#pragma unroll
                for (int half = 0; half < 2; ++half)
#pragma unroll
                    for (int c = 0; c < tokenTiles; ++c)
                        multiplyTile<T>(offset[c], offsets, right[c][2 * half], right[c][2 * half + 1]);
#pragma unroll
            for (int r = 0; r < rowTiles; ++r) {
                std::uint32_t low[4];
                std::uint32_t high[4];
                rowsOf(2 * r).widen(p, low);
                rowsOf(2 * r + 1).widen(p, high);
#pragma unroll
                for (int half = 0; half < 2; ++half) { // pairs 0 and 1, then 2 and 3: 16 deep over the quad
                    const std::uint32_t left[4]
                        = {low[2 * half], high[2 * half], low[2 * half + 1], high[2 * half + 1]};
#pragma unroll
                    for (int c = 0; c < tokenTiles; ++c)
                        multiplyTile<T>(isScaled<W> ? part[r][c] : total[r][c], left, right[c][2 * half],
                                        right[c][2 * half + 1]);
                }
            }
        }
        stage = stage + stageBytes < end ? stage + stageBytes : ring;
    }
    if constexpr (isScaled<W>)
        flush(); // of a warp without a step, zeros
    waitCopies<0>();
}

// Adds the warps' sums and gives the block's threads the results: `store(weight row, activation row, sums)`,
// neighbouring threads neighbouring weight rows. With `two`, the sums of weight rows i and i + rowTiles * 8
// go together. `ring`: the whole block's, which no warp copies into any more.
template <int rowTiles, int tokenTiles, typename Store>
__device__ inline void streamedResults(const float (&total)[rowTiles][tokenTiles][4], unsigned char* ring,
                                       int warp, bool two, const Store& store)
{
    constexpr int height = 16 * rowTiles;
    constexpr int padded = height + 4; // so that a warp's numbers meet no bank twice
    constexpr int size = 8 * tokenTiles * padded;
    static_assert(streamedWarps * size * int(sizeof(float))
                  <= streamedShared<Nibble, rowTiles>(1, SharedClass::Small)); // the least there is
    float* const sums = reinterpret_cast<float*>(ring);
    const int lane = int(threadIdx.x) % 32;
    __syncthreads();
#pragma unroll
    for (int r = 0; r < rowTiles; ++r)
#pragma unroll
        for (int c = 0; c < tokenTiles; ++c)
#pragma unroll
            for (int e = 0; e < 4; ++e)
                sums[warp * size + (8 * c + 2 * (lane % 4) + e % 2) * padded + 16 * r + lane / 4 + e / 2 * 8]
                    = total[r][c][e];
    __syncthreads();
    const auto sumOf = [&](int row, int token) {
        float sum = 0;
#pragma unroll
        for (int w = 0; w < streamedWarps; ++w)
            sum += sums[w * size + token * padded + row];
        return sum;
    };
    const int shown = two ? height / 2 : height;
    for (int at = int(threadIdx.x); at < shown * 8 * tokenTiles; at += streamedThreads) {
        const int row = at % shown;
        const int token = at / shown;
        store(row, token, sumOf(row, token), two ? sumOf(row + height / 2, token) : 0.0F);
    }
    __syncthreads(); // the ring is free again
}

} // namespace headroom::kernels
