#pragma once

#include "kernels/cpu/numbers.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

// Stored elements to floats, in loops that compilers turn into vector code: each file that includes this has
// them for the instructions it is compiled for.
namespace headroom::kernels {
namespace {

inline std::size_t bytesPerRow(DType type, std::size_t columns)
{
    switch (type) {
    case DType::Fp32:
        return columns * 4;
    case DType::Bf16:
    case DType::Fp16:
        return columns * 2;
    case DType::Int4:
        return (columns + 1) / 2;
    default:
        return columns;
    }
}

template <typename T>
T readAs(const std::byte* from)
{
    T value{};
    std::memcpy(&value, from, sizeof value);
    return value;
}

inline std::size_t groupsPerRow(const Tensor& tensor)
{
    const auto size = std::size_t(tensor.groupSize);
    return (tensor.columns + size - 1) / size;
}

inline float fromBf16(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t(bits) << 16); }

inline float fromFp16(std::uint16_t bits)
{
    // Exponent and fraction moved to their places are the value times 2^-112, exactly, subnormal ones too;
    // the largest exponent stands for infinity and what is no number.
    const std::uint32_t moved = (bits & 0x7FFFU) << 13;
    const std::uint32_t size = std::bit_cast<std::uint32_t>(std::bit_cast<float>(moved) * 0x1p112F)
        | ((bits & 0x7C00U) == 0x7C00U ? 0x7F800000U : 0U);
    return std::bit_cast<float>(size | (bits & 0x8000U) << 16);
}

inline float nibbleAt(const std::byte* row, std::size_t column)
{
    const auto pair = readAs<std::uint8_t>(row + column / 2);
    return float(int(column % 2 == 0 ? pair & 0xF : pair >> 4) - 8);
}

// Consecutive elements under one scale, in loops that compilers turn into vector code.
inline void loadGroup(DType type, const std::byte* row, std::size_t column, float scale, std::span<float> out)
{
    if (type == DType::Int8) {
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = float(readAs<std::int8_t>(row + column + i)) * scale;
        return;
    }
    if (type == DType::Fp8) {
        // 256 values: a table is faster than taking each apart.
        static const auto table = [] {
            std::array<float, 256> values{};
            for (unsigned i = 0; i < 256; ++i)
                values[i] = fp8ToFloat(std::uint8_t(i));
            return values;
        }();
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = table[readAs<std::uint8_t>(row + column + i)] * scale;
        return;
    }
    // 4 bits, two to a byte: an odd one at either end, pairs between.
    std::size_t done = 0;
    if (column % 2 == 1)
        out[done++] = nibbleAt(row, column) * scale;
    const std::size_t pairs = (out.size() - done) / 2;
    const std::byte* const bytes = row + (column + done) / 2;
    float* const to = out.data() + done;
    for (std::size_t i = 0; i < pairs; ++i) {
        const int pair = readAs<std::uint8_t>(bytes + i);
        to[2 * i] = float((pair & 0xF) - 8) * scale;
        to[2 * i + 1] = float((pair >> 4) - 8) * scale;
    }
    done += 2 * pairs;
    if (done < out.size())
        out[done] = nibbleAt(row, column + done) * scale;
}

inline void loadRow(const Tensor& tensor, std::size_t row, std::size_t firstColumn, std::span<float> out)
{
    const std::byte* const from = tensor.bytes.data() + row * bytesPerRow(tensor.type, tensor.columns);
    switch (tensor.type) {
    case DType::Fp32:
        std::memcpy(out.data(), from + firstColumn * 4, out.size() * 4);
        return;
    case DType::Bf16:
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = fromBf16(readAs<std::uint16_t>(from + (firstColumn + i) * 2));
        return;
    case DType::Fp16:
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = fromFp16(readAs<std::uint16_t>(from + (firstColumn + i) * 2));
        return;
    default:
        break;
    }
    // A scale at a time: a division for every element would take longer than the rest.
    const auto group = std::size_t(tensor.groupSize);
    const float* const scales = tensor.scales.data() + row * groupsPerRow(tensor);
    for (std::size_t i = 0; i < out.size();) {
        const std::size_t column = firstColumn + i;
        const std::size_t size = std::min(out.size() - i, group - column % group);
        loadGroup(tensor.type, from, column, scales[column / group], out.subspan(i, size));
        i += size;
    }
}

} // namespace
} // namespace headroom::kernels
