#pragma once

#include "kernels/cuda/shared_library.h"
#include "kernels/device.h"

#include <string>

namespace headroom::kernels {

// Clocks, power, temperature and throttling as the driver's management library tells them. The library is
// declared here by hand (its header is not part of the toolkit) and missing on some machines: then every
// figure is zero.
class Nvml {
public:
    Nvml();
    ~Nvml();
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;

    // Of the card at this place of the PCI bus ("0000:1B:00.0"): the library counts cards that the runtime
    // does not show, and in another order.
    [[nodiscard]] DeviceState state(const std::string& busId) const;
    [[nodiscard]] std::string driverVersion() const;

private:
    SharedLibrary m_library;
    bool m_ready = false;
};

} // namespace headroom::kernels
