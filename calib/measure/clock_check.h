#pragma once

#include "kernels/device.h"

#include <functional>
#include <string>

namespace headroom {

// The host's own clock, for deadlines and to hold a device's clock against; tests bring their own.
using HostClock = std::function<Seconds()>;
[[nodiscard]] HostClock steadyClock();

// One device stretch beside the host's time around it.
struct ClockReading {
    int launches = 0;
    Seconds device; // of the whole stretch
    Seconds host;
};

// Why the device's clock cannot be believed, empty when it can. The readings are of the same task, half of
// them short stretches and half long ones: a true clock finds a launch equally long in both, and what the
// long ones take more is seen by the host too.
[[nodiscard]] Message clockObjection(const std::vector<ClockReading>& readings);

// Takes such readings.
[[nodiscard]] std::vector<ClockReading> readClocks(kernels::Device& device, kernels::Prepared& prepared,
                                                   int launches, const HostClock& host);

} // namespace headroom
