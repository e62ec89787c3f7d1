#pragma once

#include <cstdint>

namespace headroom::serve {

// The finaliser of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA
// 2014): every input bit flips about half of the output bits, and no two inputs share an output.
constexpr std::uint64_t mixBits(std::uint64_t x)
{
    x += 0x9E3779B97F4A7C15U;
    x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
    x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
    return x ^ (x >> 31U);
}

// In (0, 1), never either end: 52 bits and a half are what a double holds exactly.
constexpr double unitInterval(std::uint64_t bits)
{
    return (static_cast<double>(bits >> 12U) + 0.5) * 0x1p-52;
}

} // namespace headroom::serve
