#include "model/resolve/kernel_owner.h"

namespace headroom {

namespace {

// Engines leave products of 16 and 32 bits to the maker's library (vLLM and SGLang through PyTorch's linear).
// In 8 bits they multiply by kernels of their own: CUTLASS in vLLM (csrc/quantization/w8a8/cutlass) and
// SGLang (sgl-kernel); TensorRT-LLM's fp8 is cublasLt's (cublas_scaled_mm of its torch modules), its int8 a
// plugin's.
bool leftToLibrary(GemmClass type, std::string_view implementation)
{
    switch (type) {
    case GemmClass::Fp32:
    case GemmClass::Half:
        return true;
    case GemmClass::Fp8:
        return implementation == "trtllm";
    case GemmClass::Int8:
    case GemmClass::Fp8Block:
    case GemmClass::WeightOnly8:
    case GemmClass::WeightOnly4:
    case GemmClass::Fp4:
    case GemmClass::Mxfp4:
        return false;
    }
    return false;
}

} // namespace

KernelOwner ownerOf(const FormSlot& slot, const EfficiencySet& measured, std::string_view implementation)
{
    if (slot.cls == OpClass::Collective)
        return KernelOwner::Library;
    const bool cuda = measured.calibration ? measured.calibration->machine.kind == "cuda" : false;
    return cuda && slot.cls == OpClass::Gemm && leftToLibrary(slot.gemm, implementation)
        ? KernelOwner::Library
        : KernelOwner::Own;
}

} // namespace headroom
