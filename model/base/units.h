#pragma once

#include <compare>

namespace headroom {

// Exponents of the base dimensions a quantity is made of.
struct Dim {
    int byte = 0;
    int flop = 0;
    int second = 0;
    int token = 0;
    int joule = 0;
    int dollar = 0;
    int request = 0;

    friend constexpr bool operator==(Dim, Dim) = default;
    friend constexpr Dim operator+(Dim a, Dim b)
    {
        return {a.byte + b.byte,   a.flop + b.flop,     a.second + b.second,  a.token + b.token,
                a.joule + b.joule, a.dollar + b.dollar, a.request + b.request};
    }
    friend constexpr Dim operator-(Dim a, Dim b)
    {
        return {a.byte - b.byte,   a.flop - b.flop,     a.second - b.second,  a.token - b.token,
                a.joule - b.joule, a.dollar - b.dollar, a.request - b.request};
    }
};

// A double in base units (bytes, flops, seconds, tokens, joules, dollars) that knows its dimension.
template <Dim D>
class Quantity {
public:
    constexpr Quantity() = default;
    constexpr explicit Quantity(double base) : m_base(base) {}

    [[nodiscard]] constexpr double base() const { return m_base; }

    friend constexpr auto operator<=>(Quantity, Quantity) = default;
    // Said besides: the greater of two is one instruction then, and a branch by way of their order.
    friend constexpr bool operator<(Quantity a, Quantity b) { return a.m_base < b.m_base; }
    friend constexpr bool operator>(Quantity a, Quantity b) { return a.m_base > b.m_base; }
    friend constexpr bool operator<=(Quantity a, Quantity b) { return a.m_base <= b.m_base; }
    friend constexpr bool operator>=(Quantity a, Quantity b) { return a.m_base >= b.m_base; }
    friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.m_base + b.m_base); }
    friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.m_base - b.m_base); }
    friend constexpr Quantity operator*(Quantity a, double k) { return Quantity(a.m_base * k); }
    friend constexpr Quantity operator*(double k, Quantity a) { return Quantity(k * a.m_base); }
    friend constexpr Quantity operator/(Quantity a, double k) { return Quantity(a.m_base / k); }
    constexpr Quantity& operator+=(Quantity b) { return *this = *this + b; }
    constexpr Quantity& operator-=(Quantity b) { return *this = *this - b; }

private:
    double m_base = 0;
};

template <Dim A, Dim B>
constexpr auto operator*(Quantity<A> a, Quantity<B> b)
{
    if constexpr (A + B == Dim{})
        return a.base() * b.base();
    else
        return Quantity<A + B>(a.base() * b.base());
}

template <Dim A, Dim B>
constexpr auto operator/(Quantity<A> a, Quantity<B> b)
{
    if constexpr (A == B)
        return a.base() / b.base();
    else
        return Quantity<A - B>(a.base() / b.base());
}

using Bytes = Quantity<Dim{.byte = 1}>;
using Flops = Quantity<Dim{.flop = 1}>;
using Seconds = Quantity<Dim{.second = 1}>;
using Tokens = Quantity<Dim{.token = 1}>;
using Joules = Quantity<Dim{.joule = 1}>;
using Dollars = Quantity<Dim{.dollar = 1}>;
using Requests = Quantity<Dim{.request = 1}>;
using BytesPerSecond = decltype(Bytes{} / Seconds{});
using FlopsPerSecond = decltype(Flops{} / Seconds{});
using TokensPerSecond = decltype(Tokens{} / Seconds{});
using RequestsPerSecond = decltype(Requests{} / Seconds{});
using Watts = decltype(Joules{} / Seconds{});
using DollarsPerSecond = decltype(Dollars{} / Seconds{});

constexpr double secondsPerHour = 3600;
constexpr DollarsPerSecond dollarsPerHour(double usd) { return DollarsPerSecond(usd / secondsPerHour); }
constexpr double perHour(DollarsPerSecond rate) { return rate.base() * secondsPerHour; }

namespace literals {
constexpr Bytes operator""_GB(long double v) { return Bytes(static_cast<double>(v) * 1e9); }
constexpr Bytes operator""_GiB(long double v) { return Bytes(static_cast<double>(v) * 1073741824.0); }
constexpr Bytes operator""_MiB(long double v) { return Bytes(static_cast<double>(v) * 1048576.0); }
constexpr BytesPerSecond operator""_GB_per_s(long double v)
{
    return BytesPerSecond(static_cast<double>(v) * 1e9);
}
constexpr BytesPerSecond operator""_TB_per_s(long double v)
{
    return BytesPerSecond(static_cast<double>(v) * 1e12);
}
constexpr FlopsPerSecond operator""_TFLOP_per_s(long double v)
{
    return FlopsPerSecond(static_cast<double>(v) * 1e12);
}
constexpr Flops operator""_GFLOP(long double v) { return Flops(static_cast<double>(v) * 1e9); }
constexpr Seconds operator""_us(long double v) { return Seconds(static_cast<double>(v) * 1e-6); }
constexpr Seconds operator""_ms(long double v) { return Seconds(static_cast<double>(v) * 1e-3); }
} // namespace literals

} // namespace headroom
