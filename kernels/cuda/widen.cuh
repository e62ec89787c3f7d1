#pragma once

#include "kernels/cuda/primitives.cuh"

#include <cstdint>
#include <type_traits>

namespace headroom::kernels {

// Narrow numbers become 16-bit ones by moving bits, without a conversion for each.

struct Nibble {}; // two to a byte, low half first, offset by 8

// 0x4300 | q is the bf16 128 + q, 0x6400 | q the fp16 1024 + q, for q of 4 bits that stand for q - 8.
template <typename T>
constexpr std::uint32_t nibbleMagic = std::is_same_v<T, __nv_bfloat16> ? 0x43004300U : 0x64006400U;
template <typename T>
constexpr std::uint32_t nibbleOffset
    = std::is_same_v<T, __nv_bfloat16> ? 0x43084308U : 0x64086408U; // 136; 1032

// Eight 4-bit weights as pairs 0 4, 1 5, 2 6, 3 7 of T, each too large by nibbleOffset: exact.
template <typename T>
__device__ inline void offsetNibbles(std::uint32_t word, std::uint32_t (&pairs)[4])
{
#pragma unroll
    for (int i = 0; i < 4; ++i)
        pairs[i] = maskedBeside<0x000F000FU>(word >> (4 * i), nibbleMagic<T>);
}

// Eight consecutive weights (chunk `c` of a lane's load) as four pairs of T without their scale. 4-bit
// weights come in the order 0 4, 1 5, 2 6, 3 7: masks then do without shifts between halves.
template <typename T, typename W>
__device__ inline void widened(const uint4& raw, int c, std::uint32_t (&pairs)[4])
{
    const std::uint32_t* const words = reinterpret_cast<const std::uint32_t*>(&raw);
    constexpr bool brain = std::is_same_v<T, __nv_bfloat16>;
    if constexpr (std::is_same_v<W, Nibble>) {
        offsetNibbles<T>(words[c], pairs);
#pragma unroll
        for (int i = 0; i < 4; ++i)
            pairs[i] = subtractPairs<T>(pairs[i], nibbleOffset<T>); // exact
    } else if constexpr (std::is_same_v<W, std::int8_t>) {
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const std::uint32_t word = words[2 * c + i / 2];
            const unsigned pick
                = i % 2 == 0 ? 0x5140U : 0x7362U; // bytes 0, 1 or 2, 3, each below a byte of magic
            if constexpr (brain) {
                // Low seven bits on 128, less 128 or, for a set sign bit, 256 (0x4380).
                const std::uint32_t x = __byte_perm(word, 0x43434343U, pick);
                pairs[i] = subtractPairs<T>(x & 0xFF7FFF7FU, x & 0xFF80FF80U);
            } else { // two's complement with the sign flipped is offset by 128: 1024 + 128 = 0x6480
                const std::uint32_t x = __byte_perm(word ^ 0x80808080U, 0x64646464U, pick);
                pairs[i] = subtractPairs<T>(x, 0x64806480U);
            }
        }
    } else if constexpr (std::is_same_v<W, __nv_fp8_e4m3>) {
        // Sign, exponent and fraction moved to their places: the value times 2^(7 - bias), 2^-8 for fp16 and
        // 2^-120 for bf16; multiplied back exactly. (The NaN pattern 0x7F becomes 480: weights hold none.)
        constexpr std::uint32_t back = brain ? 0x7B807B80U : 0x5C005C00U;
        constexpr int shift = brain ? 4 : 1;
        constexpr std::uint32_t mask = brain ? 0x07F007F0U : 0x3F803F80U;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const std::uint32_t word = words[2 * c + i / 2];
            const std::uint32_t x
                = __byte_perm(word, 0U, i % 2 == 0 ? 0x1404U : 0x3424U); // bytes in the high halves
            pairs[i] = multiplyPairs<T>((x & 0x80008000U) | ((x >> shift) & mask), back);
        }
    } else {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            pairs[i] = words[i];
    }
}

} // namespace headroom::kernels
