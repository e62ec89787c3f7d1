#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>

namespace headroom {

struct CurvePoint {
    double value = 0;
    double slope = 0;
};

// A function of one exponent over 0 to 1, kept as cubic pieces through its exact values and slopes: a general
// power costs a logarithm and an exponential, and planning is made of little else. `Law` gives both at(x,
// exponent); it must be smooth in x.
template <typename Law>
class Curve {
public:
    constexpr Curve() = default; // of no exponent yet

    void become(double exponent)
    {
        m_exponent = exponent;
        for (Piece& piece : m_pieces)
            piece[0] = notYet;
    }
    [[nodiscard]] double exponent() const { return m_exponent; }

    // x from 0 to 1.
    [[nodiscard]] double operator()(double x) const
    {
        const double place = x * pieces;
        const auto at = std::min(static_cast<std::size_t>(static_cast<std::int64_t>(place)), pieces - 1);
        if (std::isnan(m_pieces[at][0]))
            make(at);
        const auto& [a, b, c, d] = m_pieces[at];
        const double t = place - static_cast<double>(at);
        return (a + t * b) + t * t * (c + t * d);
    }

private:
    using Piece = std::array<double, 4>;
    static constexpr std::size_t pieces = 128;
    static constexpr double notYet = std::numeric_limits<double>::quiet_NaN();

    // A piece is made when something first falls into it: a fit asks each of many exponents for a few. Kept
    // out of the way of those who find it made.
    [[gnu::noinline]] void make(std::size_t at) const
    {
        constexpr double width = 1.0 / pieces;
        const CurvePoint begin = Law::at(static_cast<double>(at) * width, m_exponent);
        const CurvePoint end = Law::at(static_cast<double>(at + 1) * width, m_exponent);
        const double from = begin.slope * width;
        const double to = end.slope * width;
        const double rise = end.value - begin.value;
        m_pieces[at] = {begin.value, from, 3 * rise - 2 * from - to, from + to - 2 * rise};
    }

    double m_exponent = 0;
    mutable std::array<Piece, pieces> m_pieces{};
};

// The pieces that numbers from 1 to 256 fall into: 32 between two powers of two. A double's exponent and the
// first five bits of its fraction tell which.
struct LossPiece {
    static constexpr unsigned shift = 52 - 5;
    static constexpr auto bitsOfOne = std::bit_cast<std::uint64_t>(1.0);
    static constexpr std::size_t count = std::size_t{8} * 32 + 1; // and 256 itself
    static constexpr double middle(std::size_t piece)
    {
        return std::bit_cast<double>(bitsOfOne + (std::uint64_t{piece} << shift)
                                     + (std::uint64_t{1} << (shift - 1)));
    }
};
inline constexpr auto inversesOfMiddles = [] {
    std::array<double, LossPiece::count> out{};
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = 1 / LossPiece::middle(i);
    return out;
}();

// x^p of an exponent from 0 to 1 over x from 1 to 256, to the last digits but one: x is c (1 + t), where c is
// the middle of one of 32 pieces between two powers of two; the powers of c are kept, and that of 1 + t is
// its binomial series.
class RootOfLoss {
public:
    constexpr RootOfLoss() = default; // of no exponent yet

    void become(double exponent)
    {
        m_exponent = exponent;
        m_powers.fill(std::numeric_limits<double>::quiet_NaN()); // taken when they are first asked for
        double factor = 1;
        for (std::size_t k = 0; k < m_series.size(); ++k) {
            factor *= (exponent - double(k)) / double(k + 1);
            m_series[k] = factor;
        }
    }
    [[nodiscard]] double exponent() const { return m_exponent; }

    [[nodiscard]] double operator()(double x) const
    {
        const std::size_t piece
            = (std::bit_cast<std::uint64_t>(x) - LossPiece::bitsOfOne) >> LossPiece::shift;
        if (std::isnan(m_powers[piece]))
            m_powers[piece] = std::pow(LossPiece::middle(piece), m_exponent);
        const double t = (x - LossPiece::middle(piece)) * inversesOfMiddles[piece];
        const double t2 = t * t;
        const auto& [s1, s2, s3, s4, s5, s6] = m_series;
        return m_powers[piece] * (1 + t * ((s1 + t * s2) + t2 * ((s3 + t * s4) + t2 * (s5 + t * s6))));
    }

private:
    static constexpr std::size_t pieces = LossPiece::count;

    double m_exponent = 0;
    mutable std::array<double, pieces> m_powers{};
    std::array<double, 6> m_series{}; // of (1 + t)^p, from t on
};

// The curves that somebody has asked for, each in one of a few places that its exponent tells, made when it
// is first asked for. More are kept than the whole catalogue has exponents.
template <typename Kind>
class KeptCurves {
public:
    KeptCurves() { m_exponents.fill(std::numeric_limits<double>::quiet_NaN()); } // equal to none

    [[nodiscard]] const Kind& at(double exponent)
    {
        const std::size_t home = (std::bit_cast<std::uint64_t>(exponent) * golden) >> 56U;
        return m_exponents[home] == exponent ? *m_curves[home] : besides(home, exponent);
    }

private:
    const Kind& besides(std::size_t home, double exponent)
    {
        for (std::size_t i = 1; i < neighbours; ++i)
            if (const std::size_t place = (home + i) % kept; m_exponents[place] == exponent)
                return *m_curves[place];
        std::size_t free = 0;
        while (free + 1 < neighbours && m_curves[(home + free) % kept])
            ++free; // the last neighbour is always taken
        const std::size_t place = (home + free) % kept;
        if (!m_curves[place])
            m_curves[place] = std::make_unique<Kind>();
        m_curves[place]->become(exponent);
        m_exponents[place] = exponent;
        return *m_curves[place];
    }

    static constexpr std::size_t kept = 256;
    static constexpr std::size_t neighbours = 4;
    static constexpr std::uint64_t golden = 0x9E3779B97F4A7C15;
    static_assert(kept == 1U << (64U - 56U));
    std::array<double, kept> m_exponents{};
    std::array<std::unique_ptr<Kind>, kept> m_curves;
};

// The curve of an exponent, made when a thread first asks for it. A thread that never asks pays for a
// pointer: what it keeps is no part of its stack.
template <typename Kind>
const Kind& curveOf(double exponent)
{
    constinit thread_local KeptCurves<Kind>* curves = nullptr;
    if (curves == nullptr) {
        thread_local const auto owner = std::make_unique<KeptCurves<Kind>>();
        curves = owner.get();
    }
    return curves->at(exponent);
}

// r^p over the square root of r.
struct PowerLaw {
    static CurvePoint at(double root, double p)
    {
        const double value = std::pow(root, 2 * p);
        return {value, 2 * p * (root > 0 ? value / root : std::pow(root, 2 * p - 1))};
    }
};

// (1 + r^p)^(1/p) over the square root of r, in which it is smooth for every p above 1. A fit makes such a
// curve for every exponent that it tries, so powers are taken once for the value and its slope.
struct JoinedLaw {
    static CurvePoint at(double root, double p)
    {
        const CurvePoint power = PowerLaw::at(root, p);
        const double value = std::pow(1 + power.value, 1 / p);
        return {value, value / (1 + power.value) * power.slope / p};
    }
};

} // namespace headroom
