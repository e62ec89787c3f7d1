#pragma once

#include <stdexcept>

namespace headroom::kernels {

// What a device could not do, in one sentence. It may well do the next thing: Device::lost() tells.
class DeviceFailure : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

} // namespace headroom::kernels
