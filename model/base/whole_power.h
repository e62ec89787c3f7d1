#pragma once

namespace headroom {

// A power whose exponent is a whole number, not negative: some products instead of a logarithm and an
// exponential.
[[nodiscard]] constexpr double wholePower(double base, int exponent)
{
    double out = 1;
    for (; exponent > 0; exponent /= 2, base *= base)
        out *= exponent % 2 == 1 ? base : 1;
    return out;
}

} // namespace headroom
