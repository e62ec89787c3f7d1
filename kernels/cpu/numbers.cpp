#include "kernels/cpu/numbers.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace headroom::kernels {

namespace {

constexpr float largestFp8 = 448;

std::size_t bytesPerRow(DType type, std::size_t columns)
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

bool hasScales(DType type) { return type == DType::Fp8 || type == DType::Int8 || type == DType::Int4; }

float largestOf(DType type)
{
    if (type == DType::Fp8)
        return largestFp8;
    return type == DType::Int8 ? 127.0F : 7.0F;
}

template <typename T>
T readAs(const std::byte* from)
{
    T value{};
    std::memcpy(&value, from, sizeof value);
    return value;
}

template <typename T>
void writeAs(std::byte* to, T value)
{
    std::memcpy(to, &value, sizeof value);
}

float rawAt(DType type, const std::byte* row, std::size_t column)
{
    switch (type) {
    case DType::Fp32:
        return readAs<float>(row + column * 4);
    case DType::Bf16:
        return bf16ToFloat(readAs<std::uint16_t>(row + column * 2));
    case DType::Fp16:
        return fp16ToFloat(readAs<std::uint16_t>(row + column * 2));
    case DType::Fp8:
        return fp8ToFloat(readAs<std::uint8_t>(row + column));
    case DType::Int8:
        return readAs<std::int8_t>(row + column);
    default: {
        const auto pair = readAs<std::uint8_t>(row + column / 2);
        return float(int(column % 2 == 0 ? pair & 0xF : pair >> 4) - 8);
    }
    }
}

void rawSet(DType type, std::byte* row, std::size_t column, float value)
{
    switch (type) {
    case DType::Fp32:
        return writeAs(row + column * 4, value);
    case DType::Bf16:
        return writeAs(row + column * 2, floatToBf16(value));
    case DType::Fp16:
        return writeAs(row + column * 2, floatToFp16(value));
    case DType::Fp8:
        return writeAs(row + column, floatToFp8(value));
    case DType::Int8:
        return writeAs(row + column, std::int8_t(std::clamp(std::lround(value), -127L, 127L)));
    default: {
        const auto nibble = unsigned(std::clamp(std::lround(value), -8L, 7L) + 8);
        const auto old = readAs<std::uint8_t>(row + column / 2);
        const unsigned packed = column % 2 == 0 ? (old & 0xF0U) | nibble : (old & 0x0FU) | (nibble << 4);
        writeAs(row + column / 2, std::uint8_t(packed));
    }
    }
}

std::size_t groupsPerRow(const Tensor& tensor)
{
    const auto size = std::size_t(tensor.groupSize);
    return (tensor.columns + size - 1) / size;
}

} // namespace

float bf16ToFloat(std::uint16_t bits) { return std::bit_cast<float>(std::uint32_t(bits) << 16); }

std::uint16_t floatToBf16(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if (std::isnan(value))
        return std::uint16_t(bits >> 16 | 0x40);
    return std::uint16_t((bits + 0x7FFF + (bits >> 16 & 1)) >> 16);
}

float fp16ToFloat(std::uint16_t bits)
{
    const float sign = (bits & 0x8000) != 0 ? -1.0F : 1.0F;
    const int exponent = bits >> 10 & 0x1F;
    const auto fraction = float(bits & 0x3FF);
    if (exponent == 31)
        return fraction == 0 ? sign * INFINITY : NAN;
    if (exponent == 0)
        return sign * std::ldexp(fraction, -24);
    return sign * std::ldexp(1024 + fraction, exponent - 25);
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
        for (std::size_t i = 0; i < values.size(); ++i)
            rawSet(tensor.type, to, i, values[i]);
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
        for (std::size_t i = first; i < end; ++i)
            rawSet(tensor.type, to, i, values[i] / scale);
    }
}

void load(const Tensor& tensor, std::size_t row, std::size_t firstColumn, std::span<float> out)
{
    const std::byte* const from = tensor.bytes.data() + row * bytesPerRow(tensor.type, tensor.columns);
    switch (tensor.type) {
    case DType::Fp32:
        std::memcpy(out.data(), from + firstColumn * 4, out.size() * 4);
        return;
    case DType::Bf16:
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = bf16ToFloat(readAs<std::uint16_t>(from + (firstColumn + i) * 2));
        return;
    case DType::Int8: {
        const auto group = std::size_t(tensor.groupSize);
        const float* const scales = tensor.scales.data() + row * groupsPerRow(tensor);
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = float(readAs<std::int8_t>(from + firstColumn + i)) * scales[(firstColumn + i) / group];
        return;
    }
    case DType::Fp8: {
        // 256 values: a table is faster than taking each apart.
        static const auto table = [] {
            std::array<float, 256> values{};
            for (unsigned i = 0; i < 256; ++i)
                values[i] = fp8ToFloat(std::uint8_t(i));
            return values;
        }();
        const auto group = std::size_t(tensor.groupSize);
        const float* const scales = tensor.scales.data() + row * groupsPerRow(tensor);
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = table[readAs<std::uint8_t>(from + firstColumn + i)] * scales[(firstColumn + i) / group];
        return;
    }
    default:
        break;
    }
    const bool scaled = hasScales(tensor.type);
    for (std::size_t i = 0; i < out.size(); ++i) {
        const std::size_t column = firstColumn + i;
        const float scale = scaled
            ? tensor.scales[row * groupsPerRow(tensor) + column / std::size_t(tensor.groupSize)]
            : 1.0F;
        out[i] = rawAt(tensor.type, from, column) * scale;
    }
}

std::vector<float> loadAll(const Tensor& tensor)
{
    std::vector<float> out(tensor.size());
    for (std::size_t row = 0; row < tensor.rows; ++row)
        load(tensor, row, 0, std::span(out).subspan(row * tensor.columns, tensor.columns));
    return out;
}

} // namespace headroom::kernels
