#pragma once

#include "kernels/device.h"
#include "model/base/result.h"

#include <memory>
#include <string>

namespace headroom {

// "cpu", "cuda" or "cuda:N". Refuses other words; throws CalibrationBroken when the machine has no such
// device.
[[nodiscard]] Result<std::unique_ptr<kernels::Device>> openDevice(const std::string& text);

} // namespace headroom
