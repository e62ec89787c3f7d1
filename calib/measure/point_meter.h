#pragma once

#include "calib/measure/sample.h"
#include "calib/measure/timed_point.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace headroom {

// What came of a point: its sample, or that it was left out because it takes longer than there is time.
struct Measured {
    std::optional<Sample> sample;
    Seconds needed;      // of a point that was left out: at least so long
    bool failed = false; // the device could not do it, which the sample's `refused` says
};

// Measures one point at a time on a device. A time counts only when the kernel that is timed agreed with the
// reference on small shapes first, and when it is a time at all. What the device cannot do is refused with
// its own words.
class PointMeter {
public:
    PointMeter(kernels::Device& device, const TimingPolicy& policy, std::uint64_t seed)
        : m_device(device), m_policy(policy), m_seed(seed)
    {}

    [[nodiscard]] Measured measure(const SweepPoint& point, std::size_t index, const TimeLeft& left);

private:
    [[nodiscard]] std::string objection(const kernels::Task& task);
    [[nodiscard]] TimedPoint timeOf(const SweepPoint& point, const TimeLeft& left);

    kernels::Device& m_device;
    TimingPolicy m_policy;
    std::uint64_t m_seed;
    std::map<std::string, std::string> m_checked; // kernel variant -> why it is refused, empty: it is right
};

// The small shapes on which a kernel is checked, each by that very kernel: a plain one, one with odd lengths,
// one with a single row.
[[nodiscard]] std::vector<kernels::Task> checkShapes(const kernels::Task& task,
                                                     const kernels::Variant& variant);

} // namespace headroom
