#pragma once

#include "kernels/cpu/numbers.h"

struct __half {
    std::uint16_t bits;
};
inline float __half2float(__half x) { return headroom::kernels::fp16ToFloat(x.bits); }
inline __half __float2half(float x) { return {headroom::kernels::floatToFp16(x)}; }
