#pragma once

#include "calib/measure/sample.h"

#include <cstdint>
#include <map>
#include <string>

namespace headroom {

// Measures one point at a time on a device. A time counts only when the kernel variant agreed with the
// reference on small shapes of its own first, and when it is a time at all.
class PointMeter {
public:
    PointMeter(kernels::Device& device, const TimingPolicy& policy, std::uint64_t seed)
        : m_device(device), m_policy(policy), m_seed(seed)
    {}

    [[nodiscard]] Sample measure(const SweepPoint& point, std::size_t index);

private:
    [[nodiscard]] std::string objection(const kernels::Task& task);
    [[nodiscard]] Timing timeOf(const SweepPoint& point);

    kernels::Device& m_device;
    TimingPolicy m_policy;
    std::uint64_t m_seed;
    std::map<std::string, std::string> m_checked; // kernel variant -> why it is refused, empty: it is right
};

// The small shapes on which a variant is checked: a plain one, one with odd lengths, one with a single row.
[[nodiscard]] std::vector<kernels::Task> checkShapes(const kernels::Task& task);

} // namespace headroom
