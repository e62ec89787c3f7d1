#include "calib/validate/students_t.h"

#include <cmath>
#include <numbers>

namespace headroom {
namespace {

// The chance that |t| is no larger, by the finite series of whole degrees of freedom (Abramowitz and Stegun,
// Handbook of Mathematical Functions, 26.7.3 and 26.7.4).
double chanceWithin(double t, int degrees)
{
    const double angle = std::atan(t / std::sqrt(double(degrees)));
    const double sine = std::sin(angle);
    const double squared = std::cos(angle) * std::cos(angle);
    const bool odd = degrees % 2 == 1;
    double term = odd ? std::cos(angle) : 1;
    double sum = 0;
    for (int power = odd ? 1 : 0; power <= degrees - 2; power += 2) {
        sum += term;
        term *= squared * (power + 1) / (power + 2);
    }
    return odd ? 2 / std::numbers::pi * (angle + sine * sum) : sine * sum;
}

} // namespace

double ninetiethOfStudentsT(int degreesOfFreedom)
{
    constexpr double within = 0.8; // a tenth lies beyond on either side
    double low = 0;
    double high = 4; // 3.08 at one degree of freedom, and less at more
    constexpr int halvings = 50;
    for (int i = 0; i < halvings; ++i) {
        const double middle = (low + high) / 2;
        (chanceWithin(middle, degreesOfFreedom) < within ? low : high) = middle;
    }
    return (low + high) / 2;
}

} // namespace headroom
