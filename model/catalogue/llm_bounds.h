#pragma once

#include <cstdint>

namespace headroom {

// Bounds that keep every product of sizes inside 64 bits: 2^10 layers x 2^13 experts x 2 x 2^20 columns x
// 2^17.
namespace most {
constexpr std::int64_t hidden = 1 << 17;
constexpr std::int64_t width = 1 << 20;
constexpr std::int64_t vocab = 1 << 27;
constexpr std::int64_t heads = 1 << 13;
constexpr std::int64_t headDim = 1 << 14;
constexpr std::int64_t experts = 1 << 13;
constexpr std::int64_t tokens = std::int64_t{1} << 40;
constexpr std::int64_t norms = 16;
constexpr std::int64_t taps = 64;
constexpr std::int64_t block = 1 << 16; // values that share a scale, along a row or a column
constexpr std::int64_t layers = 1000;   // eight times the deepest model known
constexpr std::int64_t kinds = 64;
constexpr std::int64_t modules = 64; // of prediction
} // namespace most

} // namespace headroom
