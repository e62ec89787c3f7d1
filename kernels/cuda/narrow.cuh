#pragma once

#include "kernels/cuda/streamed.cuh"
#include "kernels/cuda/weight_groups.cuh"

#include <cstdint>

#ifdef HEADROOM_WEIGHT_GROUPS
namespace headroom::kernels {

// Products of 128 rows of narrow weights with 32 or 64 rows of activations by warpgroups whose weights go
// from registers: a warp copies, widens and scales its own sixteen rows, 64 bytes of each at a time.
// Activations are put into shared memory in the order in which a lane holds weights: of 32 neighbours, lane t
// of four has eight, and pair i of theirs stands at place t of chunk i.

template <typename T, typename W, int tokens>
class ArrangedRows {
public:
    static constexpr int deep = stepOf<W>;
    static constexpr int bytes = tokens * deep * 2;
    template <typename RowOf>
    __device__ ArrangedRows(const T* array, int depth, const RowOf& rowOf) : m_left(depth - pieceOf() * 8)
    {
#pragma unroll
        for (int i = 0; i < each; ++i) {
            const std::int64_t row = rowOf(tokenOf(i));
            m_from[i] = array + (row < 0 ? 0 : row * depth + pieceOf() * 8);
            m_some |= row < 0 ? 0 : 1 << i;
        }
    }
    // Pieces as they lie, to where this thread alone reads them again.
    __device__ void copy(unsigned char* natural, int first) const
    {
#pragma unroll
        for (int i = 0; i < each; ++i) {
            const bool valid = (m_some >> i & 1) != 0 && first < m_left;
            copyAsync(natural + 16 * (i * streamedThreads + int(threadIdx.x)),
                      m_from[i] + (valid ? first : 0), valid);
        }
    }
    __device__ void put(unsigned char* tiles, const unsigned char* natural) const
    {
        const int piece = pieceOf();
#pragma unroll
        for (int i = 0; i < each; ++i) {
            std::uint32_t pairs[4];
            ordered<W>(
                *reinterpret_cast<const uint4*>(natural + 16 * (i * streamedThreads + int(threadIdx.x))),
                pairs);
            unsigned char* const tile = tiles + piece / 8 * (tokens * 128) + 4 * (piece % 4);
#pragma unroll
            for (int p = 0; p < 4; ++p)
                *reinterpret_cast<std::uint32_t*>(tile + 16 * swizzled(tokenOf(i), piece / 4 % 2 * 4 + p, 8))
                    = pairs[p];
        }
    }

private:
    static constexpr int pieces = deep / 8; // of a row
    static constexpr int each = tokens * pieces / streamedThreads;
    __device__ static int pieceOf() { return int(threadIdx.x) % pieces; }
    __device__ static int tokenOf(int i) { return (int(threadIdx.x) + i * streamedThreads) / pieces; }
    const T* m_from[each];
    int m_left;     // elements from this thread's piece on
    int m_some = 0; // bit i: that row is one
};

// As stagedProduct (staged.cuh), with as many stages of `memory` as are given.
template <typename T, typename W, int tokens, int stages, typename InputRow, typename WeightRow>
__device__ inline void narrowProduct(float (&total)[tokens / 8][4], const T* input,
                                     const WeightView<W>& weights, const InputRow& inputRow,
                                     const WeightRow& weightRow, int firstElement, int lastElement,
                                     unsigned char* memory)
{
    using Inputs = ArrangedRows<T, W, tokens>;
    constexpr int step = stepOf<W>;
    constexpr int pieces = step / 32;
    constexpr int warpBytes = 16 * streamedStepBytes;
    const int lane = int(threadIdx.x) % 32;
    const int warp = int(threadIdx.x) / 32;
    const int inQuad = lane % 4;
    unsigned char* const natural = memory + 2 * Inputs::bytes;
    unsigned char* const ring = natural + stages * Inputs::bytes + warp * stages * warpBytes;
    const int rowBytes = int(weights.rowBytes());
    const int first = firstElement / step;
    const int last = ceilDiv(lastElement, step);
    const std::uint8_t* from[2];
    int scales[2]; // where those of its rows begin
#pragma unroll
    for (int q = 0; q < 2; ++q) {
        const std::int64_t row = weightRow(16 * warp + 8 * q + lane / 4); // of none, any
        from[q] = weights.bytes + (row < 0 ? 0 : row) * rowBytes + 16 * inQuad;
        scales[q] = int(row < 0 ? 0 : row) * weights.groups;
    }
    const int to = 16 * streamedUnit(lane / 4, inQuad);
    const Inputs inputs(input, weights.depth, inputRow);
    // A group of copies: weights of a step and activations of the next.
    int slot = 0;     // of the weights
    int nextSlot = 0; // of the activations
    const auto copyInputs = [&](int s) {
        if (s < last)
            inputs.copy(natural + nextSlot * Inputs::bytes, s * step);
        nextSlot = nextSlot + 1 < stages ? nextSlot + 1 : 0;
    };
    const auto copy = [&](int s) {
        const int at = s * streamedStepBytes;
        const bool valid = s < last && at + 16 * inQuad < rowBytes;
#pragma unroll
        for (int q = 0; q < 2; ++q)
            copyAsyncOfLine(ring + slot * warpBytes + q * 8 * streamedStepBytes + to,
                            from[q] + (valid ? at : 0), valid);
        slot = slot + 1 < stages ? slot + 1 : 0;
        copyInputs(s + 1);
        commitCopies();
    };
    float scale[2];
    const int stepsOfGroup = ceilDiv(weights.group, step);
    int endOfGroup = 0;
    const auto askScales = [&](int s) {
        if (s < endOfGroup || s >= last)
            return;
        const int group = stepsOfGroup == 1 ? s : s / stepsOfGroup;
        endOfGroup = (group + 1) * stepsOfGroup;
        scale[0] = weights.scales[scales[0] + group];
        scale[1] = weights.scales[scales[1] + group];
    };
    __syncthreads(); // the last product of this block may still be read
    copyInputs(first);
    commitCopies();
    for (int i = 0; i < stages - 1; ++i)
        copy(first + i);
    askScales(first);
    waitCopies<stages - 1>();
    inputs.put(memory + first % 2 * Inputs::bytes, natural);
    int used = 0;     // slot of the weights
    int usedNext = 1; // slot of the activations
    for (int s = first; s < last; ++s) {
        waitCopies<stages - 2>();
        fenceShared();
        // Activations of this step are there, and those of the last used; so are this warp's copies, and what
        // the next ones overwrite.
        __syncthreads();
        if (s + 1 < last)
            inputs.put(memory + (s + 1) % 2 * Inputs::bytes, natural + usedNext * Inputs::bytes);
        usedNext = usedNext + 1 < stages ? usedNext + 1 : 0;
        copy(s + stages - 1);
        const unsigned char* const stage = ring + used * warpBytes;
        used = used + 1 < stages ? used + 1 : 0;
        std::uint32_t left[2 * pieces][4];
        {
            const StreamedRows<T, W> upper(stage);
            const StreamedRows<T, W> lower(stage + 8 * streamedStepBytes);
            const std::uint32_t factors[2] = {packed<T>(scale[0], scale[0]), packed<T>(scale[1], scale[1])};
#pragma unroll
            for (int p = 0; p < pieces; ++p) {
                std::uint32_t pairs[2][4];
                upper.widen(p, pairs[0]);
                lower.widen(p, pairs[1]);
#pragma unroll
                for (int i = 0; i < 4; ++i)
#pragma unroll
                    for (int q = 0; q < 2; ++q) {
                        if constexpr (std::is_same_v<W, Nibble>)
                            pairs[q][i] = subtractPairs<T>(pairs[q][i], nibbleOffset<T>);
                        left[2 * p + i / 2][q + i % 2 * 2] = multiplyPairs<T>(pairs[q][i], factors[q]);
                    }
            }
        }
        askScales(s + 1);
        const std::uint64_t right = operandAt(sharedAddress(memory + s % 2 * Inputs::bytes));
        groupBegin();
#pragma unroll
        for (int k = 0; k < 2 * pieces; ++k) // 32 bytes on, in units of 16; 128 bytes are a tile
            multiplyHeld<T>(total, left[k], right + std::uint64_t(k / 4 * (tokens * 8) + k % 4 * 2));
        groupCommit();
        groupWait<0>();
    }
    waitCopies<0>();
}

} // namespace headroom::kernels
#endif
