#include "kernels/cpu/numbers.h"

#include "kernels/cpu/load_row.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace headroom::kernels {

namespace {

constexpr float largestFp8 = 448;

bool hasScales(DType type) { return type == DType::Fp8 || type == DType::Int8 || type == DType::Int4; }

float largestOf(DType type)
{
    if (type == DType::Fp8)
        return largestFp8;
    return type == DType::Int8 ? 127.0F : 7.0F;
}

template <typename T>
void writeAs(std::byte* to, T value)
{
    std::memcpy(to, &value, sizeof value);
}

// Nearest, ties away from zero.
int rounded(float value, int limit)
{
    return std::clamp(static_cast<int>(value + (value < 0 ? -0.5F : 0.5F)), -limit, limit);
}

// Consecutive elements under one scale; a loop for each type, because whole matrices pass here.
void storeGroup(DType type, std::byte* row, std::size_t column, float scale, std::span<const float> values)
{
    switch (type) {
    case DType::Fp32:
        std::memcpy(row + column * 4, values.data(), values.size() * 4);
        return;
    case DType::Bf16:
        for (std::size_t i = 0; i < values.size(); ++i)
            writeAs(row + (column + i) * 2, floatToBf16(values[i]));
        return;
    case DType::Fp16:
        for (std::size_t i = 0; i < values.size(); ++i)
            writeAs(row + (column + i) * 2, floatToFp16(values[i]));
        return;
    case DType::Fp8:
        for (std::size_t i = 0; i < values.size(); ++i)
            writeAs(row + column + i, floatToFp8(values[i] / scale));
        return;
    case DType::Int8:
        for (std::size_t i = 0; i < values.size(); ++i)
            writeAs(row + column + i, std::int8_t(rounded(values[i] / scale, 127)));
        return;
    default:
        for (std::size_t i = 0; i < values.size(); ++i) {
            const auto nibble = unsigned(rounded(values[i] / scale, 7) + 8);
            std::byte* const to = row + (column + i) / 2;
            const auto old = readAs<std::uint8_t>(to);
            const unsigned packed
                = (column + i) % 2 == 0 ? (old & 0xF0U) | nibble : (old & 0x0FU) | (nibble << 4);
            writeAs(to, std::uint8_t(packed));
        }
    }
}

} // namespace

float bf16ToFloat(std::uint16_t bits) { return fromBf16(bits); }
float fp16ToFloat(std::uint16_t bits) { return fromFp16(bits); }

std::uint16_t floatToBf16(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if (std::isnan(value))
        return std::uint16_t(bits >> 16 | 0x40);
    return std::uint16_t((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

std::uint16_t floatToFp16(float value)
{
    const unsigned sign = std::signbit(value) ? 0x8000U : 0;
    const float size = std::abs(value);
    if (std::isnan(value))
        return 0x7E00;
    if (size == 0)
        return std::uint16_t(sign);
    if (size >= 65520)
        return std::uint16_t(sign | 0x7C00U);
    int exponent = 0;
    (void)std::frexp(size, &exponent); // size = f * 2^exponent, f in [0.5, 1)
    const int scale = std::max(exponent - 11, -24);
    const auto rounded = unsigned(std::nearbyint(std::ldexp(size, -scale)));
    // `rounded` carries into the exponent by itself: 1024 of one binade is 0 of the next.
    return std::uint16_t(sign | (rounded + (scale > -24 ? unsigned(scale + 24) * 1024U : 0)));
}

float fp8ToFloat(std::uint8_t bits)
{
    const float sign = (bits & 0x80) != 0 ? -1.0F : 1.0F;
    const int exponent = bits >> 3 & 0xF;
    const auto fraction = float(bits & 7);
    if (exponent == 15 && fraction == 7)
        return NAN;
    return exponent == 0 ? sign * std::ldexp(fraction, -9) : sign * std::ldexp(8 + fraction, exponent - 10);
}

std::uint8_t floatToFp8(float value)
{
    const unsigned sign = std::signbit(value) ? 0x80U : 0;
    if (std::isnan(value))
        return std::uint8_t(sign | 0x7FU);
    const float size = std::min(std::abs(value), largestFp8);
    if (size == 0)
        return std::uint8_t(sign);
    int exponent = 0;
    (void)std::frexp(size, &exponent);
    const int scale = std::max(exponent - 4, -9);
    const auto rounded = unsigned(std::nearbyint(std::ldexp(size, -scale)));
    return std::uint8_t(sign | std::min(rounded + (scale > -9 ? unsigned(scale + 9) * 8U : 0), 0x7EU));
}

bool canStore(DType type)
{
    switch (type) {
    case DType::Fp32:
    case DType::Bf16:
    case DType::Fp16:
    case DType::Fp8:
    case DType::Int8:
    case DType::Int4:
        return true;
    default:
        return false;
    }
}

Tensor store(std::span<const float> values, std::size_t rows, std::size_t columns, DType type, int groupSize)
{
    Tensor out{.type = type, .rows = rows, .columns = columns};
    out.bytes.resize(rows * bytesPerRow(type, columns));
    if (hasScales(type)) {
        out.groupSize = groupSize > 0 ? groupSize : int(columns);
        out.scales.resize(rows * groupsPerRow(out), 1.0F);
    }
    for (std::size_t row = 0; row < rows; ++row)
        storeRow(out, row, values.subspan(row * columns, columns));
    return out;
}

void storeRow(Tensor& tensor, std::size_t row, std::span<const float> values)
{
    std::byte* const to = tensor.bytes.data() + row * bytesPerRow(tensor.type, tensor.columns);
    if (!hasScales(tensor.type)) {
        storeGroup(tensor.type, to, 0, 1, values);
        return;
    }
    const auto group = std::size_t(tensor.groupSize);
    for (std::size_t first = 0; first < values.size(); first += group) {
        const std::size_t end = std::min(first + group, values.size());
        float largest = 0;
        for (std::size_t i = first; i < end; ++i)
            largest = std::max(largest, std::abs(values[i]));
        const float scale = largest > 0 ? largest / largestOf(tensor.type) : 1.0F;
        tensor.scales[row * groupsPerRow(tensor) + first / group] = scale;
        storeGroup(tensor.type, to, first, scale, values.subspan(first, end - first));
    }
}

void load(const Tensor& tensor, std::size_t row, std::size_t firstColumn, std::span<float> out)
{
    loadRow(tensor, row, firstColumn, out);
}

std::vector<float> loadAll(const Tensor& tensor)
{
    std::vector<float> out(tensor.size());
    for (std::size_t row = 0; row < tensor.rows; ++row)
        load(tensor, row, 0, std::span(out).subspan(row * tensor.columns, tensor.columns));
    return out;
}

} // namespace headroom::kernels
