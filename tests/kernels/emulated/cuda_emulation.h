#pragma once

// The functions of kernels/cuda/primitives.cuh for a processor, from the descriptions of the instructions in
// the PTX ISA, not from the kernels that use them.

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

#include <array>
#include <cstdlib>
#include <cstring>
#include <type_traits>

namespace emulated {
void copyLater(void* to, const void* from, bool valid, std::size_t size = 16);
void commit();
void wait(int pending);
unsigned char* dynamicShared();
float* warpSlot(); // where the warp's next exchange is read, 2 KiB: each lane puts what the others are to see
} // namespace emulated

namespace headroom::kernels {

inline uint4 streamed16(const void* from)
{
    if (reinterpret_cast<std::uintptr_t>(from) % 16 != 0)
        std::abort(); // a misaligned access
    uint4 out;
    std::memcpy(&out, from, 16);
    return out;
}
inline void awaitPrevious() {} // launches run one after another
inline void letNextStart() {}
template <std::uint32_t mask>
inline std::uint32_t maskedBeside(std::uint32_t word, std::uint32_t other)
{
    return (word & mask) | other;
}
inline int anew(int value) { return value; }
inline float powerOfTwo(float x) { return x < -126 ? 0 : std::exp2(x); }
inline void copyAsync(void* shared, const void* from, bool valid)
{
    emulated::copyLater(shared, from, valid);
}
inline void copyAsyncOfLine(void* shared, const void* from, bool valid) { copyAsync(shared, from, valid); }
inline void copyAsync4(void* shared, const void* from) { emulated::copyLater(shared, from, true, 4); }
inline void commitCopies() { emulated::commit(); }
template <int pending>
inline void waitCopies()
{
    emulated::wait(pending);
}
inline unsigned char* dynamicShared() { return emulated::dynamicShared(); }

inline void matrices4(std::uint32_t (&out)[4], const void* row)
{
    if (reinterpret_cast<std::uintptr_t>(row) % 16 != 0)
        std::abort();
    const unsigned char* const all = emulated::exchange(row, 16);
    const int lane = emulated::lane();
    for (int matrix = 0; matrix < 4; ++matrix)
        std::memcpy(&out[matrix], all + 64 * (8 * matrix + lane / 4) + 4 * (lane % 4), 4);
}
inline void matrices4Transposed(std::uint32_t (&out)[4], const void* row)
{
    if (reinterpret_cast<std::uintptr_t>(row) % 16 != 0)
        std::abort();
    const unsigned char* const all = emulated::exchange(row, 16);
    const int lane = emulated::lane();
    for (int matrix = 0; matrix < 4; ++matrix) {
        std::array<std::uint16_t, 2> pair;
        for (int i = 0; i < 2; ++i)
            std::memcpy(&pair[std::size_t(i)], all + 64 * (8 * matrix + lane % 4 * 2 + i) + 2 * (lane / 4),
                        2);
        std::memcpy(&out[matrix], pair.data(), 4);
    }
}

inline std::uint32_t transposed8x8(std::uint32_t pair)
{
    const unsigned char* const all = emulated::exchange(&pair, 4);
    const int lane = emulated::lane();
    std::array<std::uint16_t, 2> out;
    for (int i = 0; i < 2; ++i) {
        const int row = lane % 4 * 2 + i;
        const int column = lane / 4;
        std::memcpy(&out[std::size_t(i)], all + 64 * (4 * row + column / 2) + 2 * (column % 2), 2);
    }
    std::uint32_t bits = 0;
    std::memcpy(&bits, out.data(), 4);
    return bits;
}

template <typename T>
float emulatedFloat(std::uint16_t bits)
{
    if constexpr (std::is_same_v<T, __half>)
        return fp16ToFloat(bits);
    else
        return bf16ToFloat(bits);
}
template <typename T>
std::uint16_t emulatedBits(float value)
{
    if constexpr (std::is_same_v<T, __half>)
        return floatToFp16(value);
    else
        return floatToBf16(value);
}

template <typename T>
void multiplyTile(float (&c)[4], const std::uint32_t (&a)[4], std::uint32_t b0, std::uint32_t b1)
{
    // The warp's tile as floats, row by row and column by column: each number is widened once, not in every
    // lane that multiplies it. Row r, column k of a is in register (r >= 8) + 2 (k >= 8) of lane
    // 4 (r % 8) + k % 8 / 2, row k, column c of b in b0 or b1 of lane 4 c + k % 8 / 2.
    constexpr int depth = 16;
    constexpr int rows = 16;
    const int group = emulated::lane() / 4;
    const int inGroup = emulated::lane() % 4;
    float* const mine = emulated::warpSlot();
    const auto put = [&](float* line, int half, std::uint32_t word) {
        line[8 * half + 2 * inGroup] = emulatedFloat<T>(std::uint16_t(word));
        line[8 * half + 2 * inGroup + 1] = emulatedFloat<T>(std::uint16_t(word >> 16));
    };
    for (int r = 0; r < 4; ++r)
        put(mine + depth * (group + 8 * (r % 2)), r / 2, a[r]);
    put(mine + depth * (rows + group), 0, b0);
    put(mine + depth * (rows + group), 1, b1);
    const auto* const all = reinterpret_cast<const float*>(emulated::exchange(nullptr, 0));
    for (int i = 0; i < 4; ++i) {
        const float* const left = all + depth * (group + (i < 2 ? 0 : 8));
        const float* const right = all + depth * (rows + 2 * inGroup + i % 2);
        float sum = c[i];
        for (int k = 0; k < depth; ++k)
            sum += left[k] * right[k];
        c[i] = sum;
    }
}

template <typename T>
std::uint32_t packed(float low, float high)
{
    return emulatedBits<T>(low) | std::uint32_t(emulatedBits<T>(high)) << 16;
}
template <typename T>
std::uint32_t subtractPairs(std::uint32_t a, std::uint32_t b)
{
    return packed<T>(emulatedFloat<T>(std::uint16_t(a)) - emulatedFloat<T>(std::uint16_t(b)),
                     emulatedFloat<T>(std::uint16_t(a >> 16)) - emulatedFloat<T>(std::uint16_t(b >> 16)));
}
template <typename T>
std::uint32_t multiplyPairs(std::uint32_t a, std::uint32_t b)
{
    return packed<T>(emulatedFloat<T>(std::uint16_t(a)) * emulatedFloat<T>(std::uint16_t(b)),
                     emulatedFloat<T>(std::uint16_t(a >> 16)) * emulatedFloat<T>(std::uint16_t(b >> 16)));
}

} // namespace headroom::kernels
