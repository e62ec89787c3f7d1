#pragma once

#include "model/base/mix_bits.h"

#include <cstdint>
#include <random>

namespace headroom::serve {

// A seeded stream of random numbers. The engine is the standard's, whose output is fixed to the bit; the
// distributions are our own, because the standard leaves its own to the library.
class RandomStream {
public:
    RandomStream(std::uint64_t seed, std::uint64_t stream) : m_engine(mixBits(mixBits(seed) + stream)) {}

    [[nodiscard]] std::mt19937_64& engine() { return m_engine; }
    [[nodiscard]] double uniform() { return unitInterval(m_engine()); } // in (0, 1)
    [[nodiscard]] double exponential();                                 // mean 1
    [[nodiscard]] double normal();                                      // mean 0, deviation 1
    [[nodiscard]] double gamma(double shape);                           // mean `shape`
    [[nodiscard]] double weibull(double shape);                         // scale 1

private:
    std::mt19937_64 m_engine;
};

} // namespace headroom::serve
