#include "kernels/cuda/families.h"

#include "kernels/cuda/attention.h"
#include "kernels/cuda/experts.h"
#include "kernels/cuda/stream_kernels.h"
#include "kernels/cuda/weight_only.h"

#include <fmt/format.h>

namespace headroom::kernels {

namespace {

// Both operands in a type that the library multiplies directly.
bool librarysTypes(const Task& task)
{
    return task.weights == task.activations && task.weights != DType::Int4;
}

bool usesLibrary(const Task& task)
{
    if (task.kernel != Kernel::Gemm || !librarysTypes(task))
        return false;
    return task.variant ? task.variant->library : !gemvTakes(task);
}

} // namespace

Message Families::gemmObstacle(const Task& task) const
{
    if (!librarysTypes(task))
        return weightOnlyObstacle(task, m_capability);
    if (task.weights == DType::Fp8 && m_capability < 89)
        return "fp8 products need compute capability 8.9";
    if ((task.weights == DType::Fp8 || task.weights == DType::Int8) && (task.n % 16 != 0 || task.k % 16 != 0))
        return "8-bit products need n and k to be multiples of 16";
    return !usesLibrary(task) || m_library.loaded() ? Message() : m_library.problem();
}

Message attentionObstacle(const Task& task, int largestHead)
{
    if (task.activations != DType::Bf16 && task.activations != DType::Fp16)
        return "attention computes in bf16 or fp16";
    const bool narrow = task.kv == DType::Fp8 || task.kv == DType::Int8;
    if (!narrow && task.kv != task.activations)
        return "the cache is stored as the activations, in fp8 or in int8";
    if (task.kernel != Kernel::DecodeLatent) {
        if (task.headDim % (narrow ? 16 : 8) != 0 || task.headDim > largestHead)
            return say("head dimensions are multiples of 16 bytes, at most {}", largestHead);
        if (task.kvHeads < 1 || task.queryHeads % task.kvHeads != 0)
            return "query heads are a multiple of KV heads";
    }
    return {};
}

Message Families::obstacle(const Task& task) const
{
    if (task.kernel == Kernel::Empty)
        return {};
    const bool brain16
        = task.activations == DType::Bf16 || task.weights == DType::Bf16 || task.kv == DType::Bf16;
    if (brain16 && m_capability < 80)
        return "bf16 needs compute capability 8.0";
    switch (task.kernel) {
    case Kernel::Gemm:
        return gemmObstacle(task);
    case Kernel::DecodeAttention:
        return decodeObstacle(task, m_capability);
    case Kernel::PrefillAttention:
        return prefillObstacle(task, m_capability);
    case Kernel::DecodeLatent:
        return latentObstacle(task, m_capability);
    case Kernel::Experts:
        return expertsObstacle(task, m_capability);
    case Kernel::Read:
    case Kernel::Copy:
        return task.bytes % 16 == 0 ? Message() : Message("a multiple of 16 bytes is read at a time");
    default:
        return {};
    }
}

Variant Families::variantOf(const Task& task) const
{
    if (task.variant)
        return *task.variant;
    switch (task.kernel) {
    case Kernel::Gemm:
        return usesLibrary(task) ? Variant{.library = true} : weightOnlyVariant(task, m_multiprocessors);
    case Kernel::DecodeAttention:
        return decodeVariant(task, m_multiprocessors);
    case Kernel::PrefillAttention:
        return prefillVariant(task, m_multiprocessors);
    case Kernel::DecodeLatent:
        return latentVariant(task, m_multiprocessors);
    case Kernel::Experts:
        return expertsVariant(task);
    case Kernel::RopeAppend:
        return ropeVariant(task);
    case Kernel::NormResidual:
    case Kernel::GatedActivation:
        return streamVariant(task);
    default:
        return {};
    }
}

std::size_t Families::workspaceBytes(const Task& task) const
{
    switch (task.kernel) {
    case Kernel::Gemm:
        if (!usesLibrary(task))
            return weightOnlyWorkspace(task, m_multiprocessors);
        return task.activations == DType::Int8 ? std::size_t(task.m * task.n) * 4 : 0; // int32 sums
    case Kernel::DecodeAttention:
        return decodeWorkspace(task, m_multiprocessors);
    case Kernel::PrefillAttention:
        return prefillWorkspace(task, m_multiprocessors);
    case Kernel::DecodeLatent:
        return latentWorkspace(task, m_multiprocessors);
    case Kernel::Experts:
        return expertsWorkspace(task);
    case Kernel::Sampling:
        return samplingWorkspace(task);
    case Kernel::Read:
        return readWorkspace(task);
    default:
        return 0;
    }
}

void Families::choose(const Task& task, std::vector<DeviceOperands>& sets, const CacheEmptier& emptied,
                      cudaStream_t stream)
{
    if (usesLibrary(task) && !m_library.choose(task, sets, emptied, stream))
        throw CudaFailure(fmt::format("cublasLt has no algorithm for {}", describe(task)));
}

void Families::launch(const Task& task, DeviceOperands& o, cudaStream_t stream)
{
    switch (task.kernel) {
    case Kernel::Gemm:
        if (!usesLibrary(task))
            return launchWeightOnly(task, o, m_multiprocessors, stream);
        m_library.launch(task, o, stream);
        if (task.activations == DType::Int8)
            launchScale(task, o, stream); // engines do it in the epilogue; it is small beside the product
        return;
    case Kernel::DecodeAttention:
        return launchDecode(task, o, m_multiprocessors, stream);
    case Kernel::PrefillAttention:
        return launchPrefill(task, o, m_multiprocessors, stream);
    case Kernel::DecodeLatent:
        return launchLatent(task, o, m_multiprocessors, stream);
    case Kernel::NormResidual:
        return launchNorm(task, o, stream);
    case Kernel::RopeAppend:
        return launchRope(task, o, stream);
    case Kernel::GatedActivation:
        return launchActivation(task, o, stream);
    case Kernel::Experts:
        return launchExperts(task, o, m_multiprocessors, stream);
    case Kernel::Sampling:
        return launchSampling(task, o, stream);
    case Kernel::Read:
        return launchRead(task, o, stream);
    case Kernel::Copy:
        return launchCopy(task, o, stream);
    case Kernel::Empty:
        return launchEmpty(stream);
    default:
        return; // refused by obstacle()
    }
}

} // namespace headroom::kernels
