#include "model/serve/day_curve.h"

#include "model/base/units.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

namespace headroom::serve {

namespace {
constexpr double day = 24 * secondsPerHour;

double shapeAt(double sharpness, double phase)
{
    return std::exp(sharpness * std::cos(2 * std::numbers::pi * phase));
}

// Mean of the shape over a day; the trapezoid rule is exact to rounding for a smooth periodic curve.
double meanShape(double sharpness)
{
    constexpr int points = 256;
    double sum = 0;
    for (int i = 0; i < points; ++i)
        sum += shapeAt(sharpness, static_cast<double>(i) / points);
    return sum / points;
}
} // namespace

DayCurve::DayCurve(double peak, double peakHour) : m_peakSeconds(peakHour * secondsPerHour)
{
    double low = 0;
    double high = 1;
    const auto peakOf = [](double k) { return std::exp(k) / meanShape(k); };
    while (peakOf(high) < peak && high < 600)
        high *= 2;
    for (int i = 0; i < 60; ++i) {
        m_sharpness = (low + high) / 2;
        (peakOf(m_sharpness) < peak ? low : high) = m_sharpness;
    }
    m_scale = 1 / meanShape(m_sharpness);
    const double minute = day / parts;
    for (int i = 0; i < parts; ++i)
        m_integral[i + 1] = m_integral[i] + minute * (rateAt(i * minute) + rateAt((i + 1) * minute)) / 2;
    for (double& part : m_integral) // a day's arrivals are a day's worth, whatever the rule left over
        part *= day / m_integral[parts];
}

double DayCurve::rateAt(double seconds) const
{
    return m_scale * shapeAt(m_sharpness, (seconds - m_peakSeconds) / day);
}

double DayCurve::timeOf(double amount) const
{
    const double days = std::floor(amount / day);
    const double today = amount - days * day;
    const auto* const above = std::upper_bound(std::begin(m_integral) + 1, std::end(m_integral) - 1, today);
    const auto* const below = above - 1;
    const double part = *above > *below ? (today - *below) / (*above - *below) : 0;
    return days * day + (static_cast<double>(below - std::begin(m_integral)) + part) * (day / parts);
}

} // namespace headroom::serve
