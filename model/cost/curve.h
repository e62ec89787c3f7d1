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

// Where a number stands between two powers of two: in one of 32 pieces, which the exponent of a double and
// the first five bits of its fraction tell.
struct BinaryPieces {
    static constexpr unsigned fractionBits = 5;
    static constexpr std::size_t perOctave = std::size_t{1} << fractionBits;
    static constexpr unsigned shift = 52 - fractionBits;

    // Counted from that of `least`, a power of two.
    static constexpr std::size_t of(double x, double least)
    {
        return (std::bit_cast<std::uint64_t>(x) - std::bit_cast<std::uint64_t>(least)) >> shift;
    }
    static constexpr double begin(double x)
    {
        return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) >> shift << shift);
    }
    // Of the piece, or of the one behind it: also that of its end.
    static constexpr double begin(std::size_t piece, double least)
    {
        return std::bit_cast<double>(std::bit_cast<std::uint64_t>(least) + (std::uint64_t{piece} << shift));
    }
    static constexpr double middle(std::size_t piece, double least)
    {
        return (begin(piece, least) + begin(piece + 1, least)) / 2;
    }
};

// (1 + r^p)^(1/p) over r from 0 to 1, kept as cubic pieces through its exact values and slopes: a general
// power costs a logarithm and an exponential, and planning is made of little else. Pieces are as fine as r is
// small, since the curve bends most at 0 where p is below 2.
class JoinedCurve {
public:
    constexpr JoinedCurve() = default; // of no exponent yet

    void become(double exponent)
    {
        m_exponent = exponent;
        for (Piece& piece : m_pieces)
            piece[0] = notYet;
    }
    [[nodiscard]] double exponent() const { return m_exponent; }

    // r from 0 to 1. Below the first piece what it adds is less than a millionth.
    [[nodiscard]] double operator()(double r) const
    {
        r = std::max(least, r); // what is no number, too
        const std::size_t at = BinaryPieces::of(r, least);
        if (std::isnan(m_pieces[at][0]))
            make(at);
        const auto& [a, b, c, d] = m_pieces[at];
        const double t = r - BinaryPieces::begin(r);
        return (a + t * b) + t * t * (c + t * d);
    }

private:
    using Piece = std::array<double, 4>;
    static constexpr unsigned octaves = 20;
    static constexpr double least = 1.0 / (1U << octaves);
    static constexpr std::size_t pieces = octaves * BinaryPieces::perOctave + 1; // and 1 itself
    static constexpr double notYet = std::numeric_limits<double>::quiet_NaN();

    struct Point {
        double value = 0;
        double slope = 0;
    };
    [[nodiscard]] Point exact(double r) const
    {
        const double below = std::pow(r, m_exponent - 1);
        const double sum = 1 + below * r;
        const double value = std::pow(sum, 1 / m_exponent);
        return {value, value / sum * below};
    }

    // A piece is made when something first falls into it: a fit asks each of many exponents for a few. Kept
    // out of the way of those who find it made.
    [[gnu::noinline]] void make(std::size_t at) const
    {
        const double from = BinaryPieces::begin(at, least);
        const double width = BinaryPieces::begin(at + 1, least) - from;
        const Point begin = exact(from);
        const Point end = exact(from + width);
        const double rise = (end.value - begin.value) / width;
        m_pieces[at] = {begin.value, begin.slope, (3 * rise - 2 * begin.slope - end.slope) / width,
                        (begin.slope + end.slope - 2 * rise) / (width * width)};
    }

    double m_exponent = 0;
    mutable std::array<Piece, pieces> m_pieces{};
};

// x^p over x from 1 to 256, to the last digits but one: x is c (1 + t), where c is the middle of one of 32
// pieces between two powers of two; the powers of c are kept, and that of 1 + t is its binomial series.
class PowerOfLoss {
public:
    static constexpr double most = 256;

    constexpr PowerOfLoss() = default; // of no exponent yet

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
        const std::size_t piece = BinaryPieces::of(x, 1);
        const auto& [middle, inverse] = middles[piece];
        if (std::isnan(m_powers[piece]))
            m_powers[piece] = std::pow(middle, m_exponent);
        const double t = (x - middle) * inverse;
        const double t2 = t * t;
        const auto& [s1, s2, s3, s4, s5, s6] = m_series;
        return m_powers[piece] * (1 + t * ((s1 + t * s2) + t2 * ((s3 + t * s4) + t2 * (s5 + t * s6))));
    }

private:
    static constexpr std::size_t pieces = 8 * BinaryPieces::perOctave + 1; // and 256 itself
    struct Middle {
        double value;
        double inverse;
    };
    static constexpr auto middles = [] {
        std::array<Middle, pieces> out{};
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = {BinaryPieces::middle(i, 1), 1 / BinaryPieces::middle(i, 1)};
        return out;
    }();

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

} // namespace headroom
