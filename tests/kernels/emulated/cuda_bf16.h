#pragma once

#include "kernels/cpu/numbers.h"

struct __nv_bfloat16 {
    std::uint16_t bits;
};
inline float __bfloat162float(__nv_bfloat16 x) { return headroom::kernels::bf16ToFloat(x.bits); }
inline __nv_bfloat16 __float2bfloat16(float x) { return {headroom::kernels::floatToBf16(x)}; }
