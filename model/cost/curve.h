#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace headroom {

// A function of one exponent over 0 to 1, kept as cubic pieces through its exact values and slopes: a general
// power costs a logarithm and an exponential, and planning is made of little else. `Law` gives value(x,
// exponent) and slope(x, exponent); it must be smooth in x.
template <typename Law>
class Curve {
public:
    constexpr Curve() = default; // of no exponent yet

    void become(double exponent)
    {
        m_exponent = exponent;
        constexpr double width = 1.0 / pieces;
        double value = Law::value(0, exponent);
        double slope = Law::slope(0, exponent) * width;
        for (std::size_t i = 0; i < pieces; ++i) {
            const double x = static_cast<double>(i + 1) * width;
            const double nextValue = Law::value(x, exponent);
            const double nextSlope = Law::slope(x, exponent) * width;
            const double rise = nextValue - value;
            m_pieces[i] = {value, slope, 3 * rise - 2 * slope - nextSlope, slope + nextSlope - 2 * rise};
            value = nextValue;
            slope = nextSlope;
        }
    }
    [[nodiscard]] double exponent() const { return m_exponent; }

    // x from 0 to 1.
    [[nodiscard]] double operator()(double x) const
    {
        const double place = x * pieces;
        const auto at = static_cast<std::size_t>(place);
        const auto& [a, b, c, d] = m_pieces[at < pieces ? at : pieces - 1];
        const double t = place - static_cast<double>(at < pieces ? at : pieces - 1);
        return a + t * (b + t * (c + t * d));
    }

private:
    static constexpr std::size_t pieces = 128;
    double m_exponent = 0;
    std::array<std::array<double, 4>, pieces> m_pieces{};
};

// The curve of an exponent, made when a thread first asks for it. More are kept than the whole catalogue has
// exponents.
template <typename Law>
const Curve<Law>& curveOf(double exponent)
{
    constexpr std::size_t kept = 256;
    constexpr std::size_t neighbours = 4;
    constexpr std::uint64_t golden = 0x9E3779B97F4A7C15;
    constinit thread_local std::array<Curve<Law>, kept> curves{};
    const std::size_t home = (std::bit_cast<std::uint64_t>(exponent) * golden) >> 56U;
    static_assert(kept == 1U << (64U - 56U));
    for (std::size_t i = 0; i < neighbours; ++i)
        if (const Curve<Law>& curve = curves[(home + i) % kept]; curve.exponent() == exponent)
            return curve;
    for (std::size_t i = 0; i < neighbours; ++i)
        if (Curve<Law>& curve = curves[(home + i) % kept]; curve.exponent() == 0 || i + 1 == neighbours) {
            curve.become(exponent);
            return curve;
        }
    return curves[home]; // not reached: the last neighbour is always taken
}

// (1 + r^p)^(1/p) over the square root of r, in which it is smooth for every p above 1.
struct JoinedLaw {
    static double value(double root, double p) { return std::pow(1 + std::pow(root, 2 * p), 1 / p); }
    static double slope(double root, double p)
    {
        return std::pow(1 + std::pow(root, 2 * p), 1 / p - 1) * 2 * std::pow(root, 2 * p - 1);
    }
};

// r^p over the square root of r.
struct PowerLaw {
    static double value(double root, double p) { return std::pow(root, 2 * p); }
    static double slope(double root, double p) { return 2 * p * std::pow(root, 2 * p - 1); }
};

} // namespace headroom
