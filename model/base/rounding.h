#pragma once

#include <bit>
#include <cstdint>

// Rounding without a branch, which nobody could foretell, and without a call: std::ceil and std::floor take
// three times as long on processors that have no instruction for them, and those are what a release is
// compiled for. Beside 2^52 a double has no place behind the point: what is added there and taken away again
// is rounded to the nearest whole number, in half the time that it takes to and from an integer.
namespace headroom {

[[nodiscard]] constexpr double roundedToNearest(double count)
{
    constexpr double wholeOnly = 4503599627370496.0; // 2^52
    return (count + wholeOnly) - wholeOnly;
}

// Counts from 0 to 2^51.
[[nodiscard]] constexpr double roundedUp(double count)
{
    const double nearest = roundedToNearest(count);
    return nearest + (nearest < count ? 1.0 : 0.0);
}
[[nodiscard]] constexpr double roundedDown(double count)
{
    const double nearest = roundedToNearest(count);
    return nearest - (nearest > count ? 1.0 : 0.0);
}

// A whole count over a size, rounded up: a little less than one size is added before everything behind the
// point is dropped, half of it so that rounding to the nearest drops the right way.
[[nodiscard]] constexpr double dividedUp(double count, double perSize)
{
    return roundedToNearest(count * perSize + (0.5 - 0.5 * perSize));
}

// Of a positive number, the least power of two that is no less: a fraction that is not zero carries into the
// exponent.
[[nodiscard]] constexpr double powerOfTwoFrom(double number)
{
    constexpr std::uint64_t fraction = (std::uint64_t{1} << 52U) - 1;
    return std::bit_cast<double>((std::bit_cast<std::uint64_t>(number) + fraction) & ~fraction);
}
// 1 / 2^e is 2^-e: a division takes four times as long.
[[nodiscard]] constexpr double inverseOfPowerOfTwo(double power)
{
    return std::bit_cast<double>((std::uint64_t{2046} << 52U) - std::bit_cast<std::uint64_t>(power));
}

} // namespace headroom
