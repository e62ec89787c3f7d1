#pragma once

#include <array>
#include <cstddef>
#include <random>

namespace headroom::tests {

// Draws one of a few values at a time, the same ones for the same seed.
class SeededChoice {
public:
    explicit SeededChoice(unsigned seed) : m_random(seed) {}

protected:
    template <typename T, std::size_t n>
    T one(const std::array<T, n>& of)
    {
        return of[m_random() % n];
    }
    bool oneIn(unsigned many) { return m_random() % many == 0; }

private:
    std::mt19937 m_random;
};

} // namespace headroom::tests
