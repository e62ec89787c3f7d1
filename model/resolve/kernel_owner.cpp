#include "model/resolve/kernel_owner.h"

namespace headroom {

namespace {

// Matrix products that the CUDA device leaves to cublasLt (kernels/cuda/library_gemm.h); weights that are
// narrower than what is multiplied have kernels of our own.
bool productOfLibrary(GemmClass type)
{
    switch (type) {
    case GemmClass::Fp32:
    case GemmClass::Half:
    case GemmClass::Fp8:
    case GemmClass::Int8:
        return true;
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

KernelOwner ownerOf(const FormSlot& slot, const EfficiencySet& measured)
{
    if (slot.cls == OpClass::Collective)
        return KernelOwner::Library;
    const bool cuda = measured.calibration ? measured.calibration->machine.kind == "cuda" : false;
    return cuda && slot.cls == OpClass::Gemm && productOfLibrary(slot.gemm) ? KernelOwner::Library
                                                                            : KernelOwner::Own;
}

} // namespace headroom
