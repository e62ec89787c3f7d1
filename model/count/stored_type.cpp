#include "model/count/stored_type.h"

#include "model/count/experts_alone.h"
#include "model/count/weights.h"

#include <algorithm>
#include <string_view>

namespace headroom {

namespace {

bool isLlamaCpp(DType type) { return type >= DType::Q8_0; }
bool isPlain(DType type) { return type == DType::Fp32 || type == DType::Bf16 || type == DType::Fp16; }

GemmClass weightOnly(DType type)
{
    return facts(type).bits > 5 ? GemmClass::WeightOnly8 : GemmClass::WeightOnly4;
}

bool keptWide(const Llm& llm, WeightPart part)
{
    return (part == WeightPart::Mixer && llm.keptWide.attention)
        || (part == WeightPart::DenseMlp && llm.keptWide.denseMlp)
        || (part == WeightPart::SharedExpert && llm.keptWide.sharedExperts);
}

} // namespace

bool mixersStayWide(const Llm& llm, DType type)
{
    if (type != DType::Nvfp4 || llm.keptWide.nothing)
        return false;
    constexpr std::string_view since = "2025-07";
    return llm.released >= since || llm.attendsLatently();
}

DType storedType(const Llm& llm, DType type, WeightPart part)
{
    if (isPlain(type))
        return type;
    const DType sixteen = llm.nativeType == DType::Fp16 ? DType::Fp16 : DType::Bf16;
    if (part == WeightPart::Norm || part == WeightPart::Router)
        return isLlamaCpp(type) ? DType::Fp32 : sixteen;
    if (isLlamaCpp(type)) {
        // llama.cpp quantize: the head is kept in q6_k unless the file is q8_0 or wider.
        if (part == WeightPart::Head)
            return type == DType::Q8_0 ? type : DType::Q6_K;
        return type;
    }
    if (keptWide(llm, part))
        return sixteen;
    const auto& native = llm.nativeQuantization;
    const bool expertsOnly = expertsAloneNarrow(llm, type);
    const bool inGguf = expertsOnly && native->outside && isLlamaCpp(*native->outside);
    if ((part == WeightPart::Embedding || part == WeightPart::Head) && !inGguf)
        return sixteen;
    if (part == WeightPart::Mixer && mixersStayWide(llm, type))
        return sixteen;
    return expertsOnly && part != WeightPart::Expert ? native->outside.value_or(sixteen) : type;
}

namespace {

double bytesPerElementOf(DType stored) { return (facts(stored).bits + facts(stored).scaleBits) / 8; }

GemmClass gemmClassOf(const Deployment& deployment, DType type)
{
    const MathUnit unit = deployment.compute;
    switch (type) {
    case DType::Fp32:
        return unit == MathUnit::Fp32 || unit == MathUnit::Tf32 ? GemmClass::Fp32 : GemmClass::Half;
    case DType::Bf16:
    case DType::Fp16:
        return GemmClass::Half;
    case DType::Fp8: {
        const auto& native = deployment.llm->nativeQuantization;
        const bool besideExperts = native && native->outside == DType::Fp8
            && deployment.gpu->has(MathUnit::Fp8) && deployment.weights != DType::Fp8;
        if (unit != MathUnit::Fp8 && !besideExperts)
            return GemmClass::WeightOnly8;
        return fp8ScalesOf(deployment) == ScaleSpan::Block ? GemmClass::Fp8Block : GemmClass::Fp8;
    }
    case DType::Int8:
        return unit == MathUnit::Int8 ? GemmClass::Int8 : GemmClass::WeightOnly8;
    case DType::Mxfp4:
        return unit == MathUnit::Fp4 ? GemmClass::Fp4 : GemmClass::Mxfp4;
    case DType::Nvfp4:
        return unit == MathUnit::Fp4 ? GemmClass::Fp4 : GemmClass::WeightOnly4;
    default:
        return weightOnly(type);
    }
}

} // namespace

// A checkpoint that is narrow from the start is the one that is served; of others the engine's documents may
// name another than their makers'. What llm-compressor writes has a scale for each row (its FP8_DYNAMIC).
std::optional<ScaleSpan> fp8ScalesOf(const Deployment& deployment)
{
    const Llm& llm = *deployment.llm;
    const auto& native = llm.nativeQuantization;
    if (native && native->blockRows > 0) // of all that is narrow, or of what is beside the experts
        return ScaleSpan::Block;
    if (native && native->type == DType::Fp8)
        return native->method == "compressed-tensors" ? ScaleSpan::Channel : ScaleSpan::Tensor;
    const bool another = deployment.engine && deployment.engine->fp8Scales;
    return another ? deployment.engine->fp8Scales : llm.fp8Scales;
}

double storedBytesPerElement(const Llm& llm, DType type, WeightPart part)
{
    return bytesPerElementOf(storedType(llm, type, part));
}

GemmClass gemmClassOf(const Deployment& deployment, WeightPart part)
{
    return gemmClassOf(deployment, storedType(*deployment.llm, deployment.weights, part));
}

MathUnit unitOf(const Deployment& deployment, GemmClass gemm)
{
    const Gpu& gpu = *deployment.gpu;
    const MathUnit half = gpu.has(MathUnit::Bf16) && deployment.compute != MathUnit::Fp16 ? MathUnit::Bf16
        : gpu.has(MathUnit::Fp16)                                                         ? MathUnit::Fp16
                                                                                          : MathUnit::Fp32;
    switch (gemm) {
    case GemmClass::Fp32:
        return deployment.compute == MathUnit::Tf32 ? MathUnit::Tf32 : MathUnit::Fp32;
    case GemmClass::Fp8:
    case GemmClass::Fp8Block:
        return MathUnit::Fp8;
    case GemmClass::Int8:
        return MathUnit::Int8;
    case GemmClass::Fp4:
        return MathUnit::Fp4;
    default:
        return half;
    }
}

MatrixKinds::MatrixKinds(const Deployment& deployment) : half(unitOf(deployment, GemmClass::Half))
{
    for (std::size_t i = 0; i < weightPartCount; ++i) {
        const DType stored = storedType(*deployment.llm, deployment.weights, static_cast<WeightPart>(i));
        const GemmClass cls = gemmClassOf(deployment, stored);
        of[i] = {cls, unitOf(deployment, cls), bytesPerElementOf(stored)};
    }
    if (isPlain(deployment.weights))
        return;
    const MixedBytes mixed = mixedBytesPerElement(*deployment.llm, deployment.weights);
    const auto set = [&](WeightPart part, double bytes) {
        if (bytes > 0)
            of[static_cast<std::size_t>(part)].storedBytes = bytes;
    };
    set(WeightPart::Mixer, mixed.mixer);
    set(WeightPart::DenseMlp, mixed.dense);
    set(WeightPart::SharedExpert, mixed.sharedExpert);
    set(WeightPart::Expert, mixed.expert);
    set(WeightPart::Head, mixed.head);
}

} // namespace headroom
