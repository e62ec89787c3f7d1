#pragma once

#include "model/base/dtype.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace headroom::kernels {

// Values as a device stores them: rows of `columns` elements, narrow types with their scales.
struct Tensor {
    DType type = DType::Fp32;
    std::size_t rows = 0;
    std::size_t columns = 0;
    int groupSize = 0;            // elements of a row that share a scale; 0: the type has none
    std::vector<std::byte> bytes; // rows one after another; int4 packs two to a byte, low half first
    std::vector<float> scales;    // rows x ceil(columns / groupSize)

    [[nodiscard]] std::size_t size() const { return rows * columns; }
};

// Types that can be stored here: fp32, bf16, fp16, fp8 (e4m3), int8 and int4 with a scale per group (per row
// when `groupSize` is 0).
[[nodiscard]] bool canStore(DType type);

// Rounds `values` (rows x columns) to the type, nearest even, scales by the largest of each group.
[[nodiscard]] Tensor store(std::span<const float> values, std::size_t rows, std::size_t columns, DType type,
                           int groupSize);

// What the stored elements mean, exactly.
void load(const Tensor& tensor, std::size_t row, std::size_t firstColumn, std::span<float> out);
[[nodiscard]] std::vector<float> loadAll(const Tensor& tensor);

// Writes one row of a 16- or 32-bit tensor, or an 8-bit one with its scale.
void storeRow(Tensor& tensor, std::size_t row, std::span<const float> values);

[[nodiscard]] float bf16ToFloat(std::uint16_t bits);
[[nodiscard]] std::uint16_t floatToBf16(float value);
[[nodiscard]] float fp16ToFloat(std::uint16_t bits);
[[nodiscard]] std::uint16_t floatToFp16(float value);
[[nodiscard]] float fp8ToFloat(std::uint8_t bits); // e4m3, no infinities, largest 448
[[nodiscard]] std::uint8_t floatToFp8(float value);

} // namespace headroom::kernels
