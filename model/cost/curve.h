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

// x^p of an exponent from 0 to 1 over x from 1/256 to 1, to the last digits but one: x is c (1 + t), where c
// is the middle of one of 32 pieces between two powers of two; the powers of c are kept, and that of 1 + t is
// its binomial series.
class ShareRoot {
public:
    constexpr ShareRoot() = default; // of no exponent yet

    void become(double exponent)
    {
        m_exponent = exponent;
        for (std::size_t i = 0; i < m_powers.size(); ++i)
            m_powers[i] = std::pow(middle((i << pieceShift) + lowestBits), exponent);
        double factor = 1;
        for (std::size_t k = 0; k < m_series.size(); ++k) {
            factor *= (exponent - double(k)) / double(k + 1);
            m_series[k] = factor;
        }
    }
    [[nodiscard]] double exponent() const { return m_exponent; }

    [[nodiscard]] double operator()(double x) const
    {
        const auto bits = std::bit_cast<std::uint64_t>(x);
        const double c = middle(bits);
        const double t = (x - c) / c;
        const auto& [s1, s2, s3, s4, s5, s6] = m_series;
        return m_powers[(bits - lowestBits) >> pieceShift]
            * (1 + t * ((s1 + t * s2) + t * t * ((s3 + t * s4) + t * t * (s5 + t * s6))));
    }

private:
    // A double's sign, exponent and first five bits of its fraction tell the piece.
    static constexpr unsigned pieceShift = 52 - 5;
    static constexpr auto lowestBits = std::bit_cast<std::uint64_t>(1.0 / 256);
    static constexpr std::size_t pieces = 8 * 32 + 1; // and 1 itself
    static double middle(std::uint64_t bits)
    {
        constexpr std::uint64_t half = std::uint64_t{1} << (pieceShift - 1);
        return std::bit_cast<double>(((bits >> pieceShift) << pieceShift) + half);
    }

    double m_exponent = 0;
    std::array<double, pieces> m_powers{};
    std::array<double, 6> m_series{}; // of (1 + t)^p, from t on
};

// The curve of an exponent, made when a thread first asks for it. More are kept than the whole catalogue has
// exponents.
template <typename Kind>
const Kind& curveOf(double exponent)
{
    constexpr std::size_t kept = 256;
    constexpr std::size_t neighbours = 4;
    constexpr std::uint64_t golden = 0x9E3779B97F4A7C15;
    constinit thread_local std::array<Kind, kept> curves{};
    const std::size_t home = (std::bit_cast<std::uint64_t>(exponent) * golden) >> 56U;
    static_assert(kept == 1U << (64U - 56U));
    for (std::size_t i = 0; i < neighbours; ++i)
        if (const Kind& curve = curves[(home + i) % kept]; curve.exponent() == exponent)
            return curve;
    for (std::size_t i = 0; i < neighbours; ++i)
        if (Kind& curve = curves[(home + i) % kept]; curve.exponent() == 0 || i + 1 == neighbours) {
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
