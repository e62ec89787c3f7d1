#pragma once

#include "kernels/cpu/numbers.h"

struct __nv_fp8_e4m3 {
    std::uint8_t bits;
    __nv_fp8_e4m3() = default;
    explicit __nv_fp8_e4m3(float x) : bits(headroom::kernels::floatToFp8(x)) {}
    explicit operator float() const { return headroom::kernels::fp8ToFloat(bits); }
};
