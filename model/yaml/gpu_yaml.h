#pragma once

#include "model/base/result.h"
#include "model/catalogue/gpu.h"

#include <string>

namespace headroom {

// Reads an accelerator and checks what must hold for any: peaks agree with SMs x clock x rate within 12 % (a
// sparse figure is twice that and refused as such), narrower types are not slower than wider ones unless the
// file says so, usable memory is not above what was sold, a link's two directions are twice one.
[[nodiscard]] Result<Gpu> readGpu(const std::string& text, const std::string& file);
[[nodiscard]] std::string writeGpu(const Gpu& gpu);

} // namespace headroom
