#include "model/serve/random_stream.h"

#include <cmath>
#include <numbers>

namespace headroom::serve {

double RandomStream::exponential() { return -std::log(uniform()); }

// Box and Muller (1958), one of the two.
double RandomStream::normal()
{
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
}

// Marsaglia and Tsang: A Simple Method for Generating Gamma Variables, ACM TOMS 26 (2000).
double RandomStream::gamma(double shape)
{
    if (shape < 1)
        return gamma(shape + 1) * std::pow(uniform(), 1 / shape);
    const double d = shape - 1.0 / 3;
    const double c = 1 / std::sqrt(9 * d);
    while (true) {
        const double x = normal();
        const double v = std::pow(1 + c * x, 3);
        if (v > 0 && std::log(uniform()) < 0.5 * x * x + d - d * v + d * std::log(v))
            return d * v;
    }
}

double RandomStream::weibull(double shape) { return std::pow(exponential(), 1 / shape); }

} // namespace headroom::serve
