#include "model/resolve/compute_unit.h"

namespace headroom {

MathUnit computeUnitFor(DType weights, const Gpu& gpu)
{
    const MathUnit half = gpu.has(MathUnit::Bf16) ? MathUnit::Bf16
        : gpu.has(MathUnit::Fp16)                 ? MathUnit::Fp16
                                                  : MathUnit::Fp32;
    const auto orHalf = [&](MathUnit unit) { return gpu.has(unit) ? unit : half; };
    switch (weights) {
    case DType::Fp32:
        return MathUnit::Fp32;
    case DType::Fp16:
        return gpu.has(MathUnit::Fp16) ? MathUnit::Fp16 : half;
    case DType::Fp8:
        return orHalf(MathUnit::Fp8);
    case DType::Int8:
        return orHalf(MathUnit::Int8);
    case DType::Mxfp4:
    case DType::Nvfp4:
        return orHalf(MathUnit::Fp4);
    default:
        return half; // weight-only types are widened on the way into a 16-bit product
    }
}

MathUnit computeUnitFor(DType weights, const Gpu& gpu, const Engine& engine)
{
    // As other types are that are widened on the way.
    return computeUnitFor(engine.unpacks(weights, gpu.family) ? DType::Int4 : weights, gpu);
}

} // namespace headroom
