#pragma once

#include "model/base/kernel_class.h"

namespace headroom {

// Stored bytes of a weight that kernels of this class multiply, with the scales of the type's usual block:
// for work that no checkpoint stands behind.
[[nodiscard]] constexpr double usualWeightBytes(GemmClass type)
{
    switch (type) {
    case GemmClass::Fp32:
        return 4;
    case GemmClass::Half:
        return 2;
    case GemmClass::Fp8:
    case GemmClass::Fp8Block:
    case GemmClass::Int8:
    case GemmClass::WeightOnly8:
        return 1;
    case GemmClass::WeightOnly4:
    case GemmClass::Mxfp4:
        return 0.53125; // 4 bits and a 16-bit scale for 128, or an 8-bit one for 32
    case GemmClass::Fp4:
        return 0.5625; // 4 bits and an 8-bit scale for 16
    }
    return 2;
}

} // namespace headroom
