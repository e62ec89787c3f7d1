#pragma once

namespace headroom::serve {

// The rate of arrivals over a day, relative to its mean: exp(k cos(2 pi (t - peak) / 24 h)), scaled to mean
// 1: smooth, one peak, periodic (the von Mises curve), with k chosen to give the wanted peak.
class DayCurve {
public:
    // `peak` at least 1: the busiest moment over the mean.
    DayCurve(double peak, double peakHour);

    [[nodiscard]] double rateAt(double seconds) const;
    // The time by which arrivals of mean rate 1 add up to `amount` seconds' worth. Inverse of the curve's
    // integral.
    [[nodiscard]] double timeOf(double amount) const;

private:
    static constexpr int parts = 1440; // minutes, linear between them

    double m_sharpness = 0; // k
    double m_scale = 1;
    double m_peakSeconds = 0;
    double m_integral[parts + 1]{}; // up to the start of each minute
};

} // namespace headroom::serve
