#include "calib/measure/clock_check.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace headroom {

namespace {

constexpr int longer = 4;  // times as many launches in a long stretch
constexpr int repeats = 5; // of each length

// A launch may seem this much longer in one length than in the other before the clock is blamed: far above
// noise, far below what a clock that stands still or counts something else shows.
constexpr double allowedRatio = 1.35;
// The device's part of the host's time: launching may cost as much again, the two clocks differ by little.
constexpr double leastOfHost = 0.4;
constexpr double mostOfHost = 1.1;

struct Half {
    double launches = 0;
    double device = 0; // shortest of the whole stretches: what else runs only ever adds time
    double host = 0;
};

Half halfOf(const std::vector<ClockReading>& readings, int launches)
{
    Half half{.launches = double(launches),
              .device = std::numeric_limits<double>::infinity(),
              .host = std::numeric_limits<double>::infinity()};
    for (const ClockReading& reading : readings)
        if (reading.launches == launches) {
            half.device = std::min(half.device, reading.device.base());
            half.host = std::min(half.host, reading.host.base());
        }
    return half;
}

} // namespace

HostClock steadyClock()
{
    return [] {
        const std::chrono::duration<double> now = std::chrono::steady_clock::now().time_since_epoch();
        return Seconds(now.count());
    };
}

Message clockObjection(const std::vector<ClockReading>& readings)
{
    if (readings.empty())
        return {};
    for (const ClockReading& reading : readings)
        if (!std::isfinite(reading.device.base()) || reading.device.base() <= 0)
            return say("the device's clock gave {} s for {} launches", reading.device.base(),
                       reading.launches);
    const auto [least, most] = std::minmax_element(
        readings.begin(), readings.end(),
        [](const ClockReading& a, const ClockReading& b) { return a.launches < b.launches; });
    const Half few = halfOf(readings, least->launches);
    const Half many = halfOf(readings, most->launches);
    const double ratio = (many.device / many.launches) / (few.device / few.launches);
    if (ratio > allowedRatio || ratio < 1 / allowedRatio)
        return say("the device's clock is inconsistent: {:.0f} launches take {:.4g} s, {:.0f} take {:.4g} s",
                   few.launches, few.device, many.launches, many.device);
    const double device = many.device - few.device;
    const double host = many.host - few.host;
    if (host > 0 && (device > host * mostOfHost || device < host * leastOfHost))
        return say("the device's clock disagrees with this machine's: {:.4g} s against {:.4g} s", device,
                   host);
    return {};
}

std::vector<ClockReading> readClocks(kernels::Device& device, kernels::Prepared& prepared, int launches,
                                     const HostClock& host)
{
    std::vector<ClockReading> out;
    for (int i = 0; i < repeats; ++i)
        for (const int count : {launches, longer * launches}) {
            const Seconds before = host();
            const kernels::Stretch stretch = device.time(prepared, count);
            out.push_back({.launches = count,
                           .device = stretch.perLaunch * double(stretch.launches),
                           .host = host() - before});
        }
    return out;
}

} // namespace headroom
