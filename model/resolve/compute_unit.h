#pragma once

#include "model/base/dtype.h"
#include "model/catalogue/engine.h"
#include "model/catalogue/gpu.h"

namespace headroom {

// Which unit multiplies weights of this type on this accelerator: the type's own where the hardware has it,
// else 16 bit.
[[nodiscard]] MathUnit computeUnitFor(DType weights, const Gpu& gpu);
// And with this engine, which may have no kernels for that unit.
[[nodiscard]] MathUnit computeUnitFor(DType weights, const Gpu& gpu, const Engine& engine);

} // namespace headroom
