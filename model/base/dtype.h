#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace headroom {

// How numbers are stored. The q… types are llama.cpp files, whose tensors mix block formats.
enum class DType : std::uint8_t {
    Fp32,
    Bf16,
    Fp16,
    Fp8,
    Int8,
    Fp6,
    Int4,
    Mxfp4,
    Nvfp4,
    Q8_0,
    Q6_K,
    Q5_K_M,
    Q4_K_M,
    Q4_0,
    Q3_K_M,
    Q2_K
};
constexpr std::size_t dtypeCount = static_cast<std::size_t>(DType::Q2_K) + 1;

// The arithmetic unit that multiplies: what a peak rate is quoted for.
enum class MathUnit : std::uint8_t { Fp32, Tf32, Fp16, Bf16, Fp8, Int8, Fp4, Int4 };
constexpr std::size_t mathUnitCount = 8;

struct DTypeFacts {
    DType type;
    std::string_view name; // as typed and printed: "bf16", "q4_k_m"
    double bits;           // per element of a linear layer's weight, without scales of `int4`, `fp8`, `int8`
    double scaleBits;      // added per element by scales and zero points at the usual group size
    std::string_view note; // where the scale overhead comes from
};

[[nodiscard]] std::span<const DTypeFacts> allDTypes();
[[nodiscard]] const DTypeFacts& facts(DType type);
[[nodiscard]] std::string_view name(DType type);
[[nodiscard]] std::optional<DType> dtypeFromName(std::string_view text); // tolerant: "FP8", "w4a16", "e4m3"
[[nodiscard]] std::string_view name(MathUnit unit);
[[nodiscard]] std::optional<MathUnit> mathUnitFromName(std::string_view text);

// Storage of one element without scales, in bytes.
[[nodiscard]] double bytesPerElement(DType type);

} // namespace headroom
