#pragma once

#include "model/base/rounding.h"
#include "model/base/units.h"
#include "model/cost/curve.h"
#include "model/cost/forms.h"
#include "model/efficiency/efficiency_set.h"

#include <algorithm>
#include <cmath>

// What the forms of all operators are put together from.
namespace headroom {

// A sharper corner than the curve's pieces can follow is worked out, where its part counts.
[[gnu::noinline]] inline double sharpMax(double high, double low, double p)
{
    return high * std::exp(std::log1p(std::pow(low / high, p)) / p);
}

// (a^p + b^p)^(1/p).
inline double softMax(double a, double b, double p)
{
    const double high = std::max(a, b);
    const double low = std::min(a, b);
    if (low <= 0)
        return high;
    if (p == 2)
        return std::sqrt(a * a + b * b);
    constexpr double sharpestCurve = 8;
    if (p <= sharpestCurve)
        return high * curveOf<JoinedCurve>(p)(low / high);
    return sharpMax(high, low, p);
}

// Two parts of the same work of which the longer hides most of the shorter.
inline double overlap(double a, double b) { return std::sqrt(a * a + b * b); }

inline Seconds over(Flops work, FlopsPerSecond rate) { return rate.base() > 0 ? work / rate : Seconds{}; }

// As far as the last-level cache holds activations they come from there.
inline Seconds moving(Bytes activations, const Gpu& gpu, double fromMemory, double fromCache,
                      double cacheShare = 1)
{
    if (fromCache <= 0)
        return activations / (gpu.memoryBandwidth * fromMemory);
    const Bytes room = gpu.l2Cache * cacheShare;
    if (activations <= room) // a division takes as long as all the rest
        return activations / (gpu.memoryBandwidth * fromCache);
    return room / (gpu.memoryBandwidth * fromCache)
        + (activations - room) / (gpu.memoryBandwidth * fromMemory);
}

inline void finish(OpTime& time, double seconds, const Uncertainty& uncertainty)
{
    time.total = Seconds(uncertainty.lnBias == 0 ? seconds : seconds * std::exp(uncertainty.lnBias));
    time.lnSpread = uncertainty.lnSpread;
    time.source = uncertainty.source;
    time.trusted = uncertainty.trusted;
}

} // namespace headroom
