#include "model/resolve/reference_ops.h"

#include "model/count/op_work.h"
#include "model/count/usual_weight_bytes.h"
#include "model/resolve/machine_rates.h"

#include <array>

namespace headroom {

namespace {

constexpr double width = 4096; // of Llama 3.1 8B, Mistral 7B and others
constexpr double slice = 14336;
constexpr double queryHeads = 32;
constexpr double kvHeads = 8;
constexpr double headDim = 128;
constexpr std::array rowCounts{1.0, 16.0, 256.0, 4096.0};

std::vector<Op> products(const FormSlot& slot)
{
    std::vector<Op> out;
    for (const double rows : rowCounts)
        out.push_back(
            gemmOp(OpName::GateUp,
                   {.m = rows, .n = slice, .k = width, .weightBytesPerElement = usualWeightBytes(slot.gemm)},
                   slot.gemm, unitOfForm(slot)));
    return out;
}

std::vector<Op> expertLayers(const FormSlot& slot)
{
    constexpr double experts = 128; // of Qwen3 30B-A3B
    constexpr double chosen = 8;
    constexpr double inner = 2048;
    constexpr double expertSlice = 768;
    std::vector<Op> out;
    for (const double tokens : rowCounts)
        out.push_back(expertOp({.rows = tokens * chosen,
                                .experts = distinctExperts(experts, chosen, tokens),
                                .held = experts,
                                .tokens = tokens,
                                .inner = inner,
                                .slice = expertSlice,
                                .weightBytesPerElement = usualWeightBytes(slot.gemm)},
                               slot.gemm, unitOfForm(slot)));
    return out;
}

std::vector<Op> attention(bool prompt, bool narrow)
{
    std::vector<Op> out;
    for (const double sequences : {1.0, 16.0, 64.0})
        for (const double keys : {1024.0, 8192.0}) {
            const AttentionShape shape{.batch = prompt ? 1 : sequences,
                                       .queryTokens = prompt ? keys : 1,
                                       .past = prompt ? 0 : keys,
                                       .queryHeads = queryHeads,
                                       .kvHeads = kvHeads,
                                       .headDim = headDim,
                                       .kvBytesPerElement = narrow ? 1.0 : 2.0};
            Op op = prompt ? prefillAttentionOp(shape, MathUnit::Bf16)
                           : decodeAttentionOp(shape, MathUnit::Bf16);
            op.narrowKv = narrow && !prompt;
            out.push_back(op);
        }
    return out;
}

std::vector<Op> latentAttention(bool prompt, bool narrow)
{
    std::vector<Op> out;
    for (const double sequences : {1.0, 16.0, 64.0})
        for (const double keys : {1024.0, 8192.0}) {
            const LatentShape shape{.batch = prompt ? 1 : sequences,
                                    .queryTokens = prompt ? keys : 1,
                                    .past = prompt ? 0 : keys,
                                    .heads = 128, // as DeepSeek-V3's all
                                    .latent = 512,
                                    .rope = 64,
                                    .nope = 128,
                                    .value = 128,
                                    .kvBytesPerElement = narrow ? 1.0 : 2.0};
            Op op = prompt ? prefillLatentOp(shape, MathUnit::Bf16) : decodeLatentOp(shape, MathUnit::Bf16);
            op.narrowKv = narrow && !prompt;
            out.push_back(op);
        }
    return out;
}

std::vector<Op> streams(OpClass cls)
{
    std::vector<Op> out;
    for (const double rows : rowCounts) {
        Op op = streamOp(OpName::Norm, rows, normBytesPerRow(width, 2));
        op.cls = cls;
        op.name = cls == OpClass::Scan ? OpName::Scan : OpName::Norm;
        out.push_back(op);
    }
    return out;
}

} // namespace

std::vector<Op> referenceOps(const FormSlot& slot)
{
    switch (slot.cls) {
    case OpClass::Gemm:
        return products(slot);
    case OpClass::GroupedGemm:
        return expertLayers(slot);
    case OpClass::PrefillAttention:
        return attention(true, false);
    case OpClass::DecodeAttention:
        return attention(false, slot.narrowKv);
    case OpClass::PrefillMla:
        return latentAttention(true, false);
    case OpClass::DecodeMla:
        return latentAttention(false, slot.narrowKv);
    case OpClass::Stream:
    case OpClass::Scan:
        return streams(slot.cls);
    case OpClass::Collective:
        break;
    }
    return {};
}

} // namespace headroom
