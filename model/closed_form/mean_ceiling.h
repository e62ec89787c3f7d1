#pragma once

#include "model/base/rounding.h"

namespace headroom {

// Of numbers that lie anywhere between two, each rounded up: their mean. Internal to model/closed_form.
[[nodiscard]] inline double meanCeiling(double low, double high)
{
    // Integral of ceil(x) from 0 to x.
    const auto integral = [](double x) {
        const double whole = roundedDown(x);
        return whole * (whole + 1) / 2 + (whole + 1) * (x - whole);
    };
    return (integral(high) - integral(low)) / (high - low);
}

} // namespace headroom
