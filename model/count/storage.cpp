#include "model/count/storage.h"

#include <cassert>

namespace headroom {

namespace {

double ceilDivide(std::int64_t a, std::int64_t b) { return static_cast<double>((a + b - 1) / b); }

// llama.cpp's block types, bits per value (ggml-common.h: bytes of a block over its values).
namespace block {
constexpr double f32 = 32;
constexpr double f16 = 16;
constexpr double q8_0 = 8.5;
constexpr double q6_K = 6.5625;
constexpr double q5_K = 5.5;
constexpr double q4_K = 4.5;
constexpr double q3_K = 3.4375;
constexpr double q2_K = 2.625;
constexpr double q5_1 = 6;
constexpr double q5_0 = 5.5;
constexpr double q4_0 = 4.5;
constexpr double iq4_nl = 4.5;
} // namespace block

bool isGguf(DType type) { return type >= DType::Q8_0 && type <= DType::Q2_K; }

// K types come in blocks of 256 values along a row; other row lengths fall back (llama-quant.cpp).
double fallback(double bits, std::int64_t cols)
{
    if (cols % 256 == 0 || bits == block::q8_0 || bits == block::q4_0)
        return bits;
    if (bits == block::q2_K || bits == block::q3_K)
        return block::iq4_nl;
    if (bits == block::q4_K)
        return block::q5_0;
    return bits == block::q5_K ? block::q5_1 : block::q8_0;
}

double ggufBase(DType type)
{
    switch (type) {
    case DType::Q8_0:
        return block::q8_0;
    case DType::Q6_K:
        return block::q6_K;
    case DType::Q5_K_M:
        return block::q5_K;
    case DType::Q4_K_M:
        return block::q4_K;
    case DType::Q4_0:
        return block::q4_0;
    case DType::Q3_K_M:
        return block::q3_K;
    case DType::Q2_K:
        return block::q2_K;
    default:
        break;
    }
    assert(false);
    return block::f16;
}

// llama.cpp sizes the models it knows; only its "70B" (80 layers, 64 heads over 8) changes a rule.
bool isLlama70b(const Llm& llm)
{
    const Mixer& mixer = llm.kinds.front().mixer;
    return llm.family == "llama" && llm.layerCount() == 80 && mixer.queryHeads == 64 && mixer.kvHeads == 8;
}

double ggufValue(const StorageRules& rules, double base)
{
    const Mixer& mixer = rules.llm->kinds.front().mixer;
    double bits = base;
    if (rules.type == DType::Q2_K)
        bits = mixer.kvHeads > 0 && mixer.queryHeads / mixer.kvHeads >= 4 ? block::q4_K : block::q3_K;
    else if (rules.type == DType::Q3_K_M)
        bits = rules.betterValue ? block::q5_K : block::q4_K;
    else if (mixesByLayer(rules.type) && rules.betterValue)
        bits = block::q6_K;
    if (isLlama70b(*rules.llm) && (bits == block::q3_K || bits == block::q4_K))
        bits = block::q5_K;
    return bits;
}

double ggufDown(const StorageRules& rules, double base)
{
    if (rules.type == DType::Q2_K)
        return block::q3_K;
    if (rules.type == DType::Q3_K_M)
        return rules.earlyLayer ? block::q5_K : block::q4_K;
    return mixesByLayer(rules.type) && rules.betterDown ? block::q6_K : base;
}

double ggufAttentionOut(const StorageRules& rules, double base, bool eightExperts)
{
    const bool upToQ4 = base == block::q2_K || base == block::q3_K || base == block::q4_K;
    if (eightExperts)
        return upToQ4 ? block::q5_K : base;
    if (rules.type == DType::Q2_K)
        return block::q3_K;
    return rules.type == DType::Q3_K_M ? block::q4_K : base;
}

// llama_tensor_get_type of llama.cpp (src/llama-quant.cpp, 2024 to 2025), for models with q, k and v apart.
double ggufBits(const Tensor& tensor, const StorageRules& rules)
{
    const double base = ggufBase(rules.type);
    const bool eightExperts = rules.llm->kinds.front().mlp.experts == 8;
    const double output = base == block::q8_0 ? block::q8_0 : block::q6_K;
    switch (tensor.role) {
    case TensorRole::Vector:
    case TensorRole::Router:
    case TensorRole::KeptLinear:
    case TensorRole::Positions:
        return block::f32;
    case TensorRole::Head:
        return fallback(output, tensor.cols);
    case TensorRole::Table:
        return fallback(rules.llm->tiedHead ? output : base, tensor.cols);
    case TensorRole::Value:
        return fallback(eightExperts && base != block::q8_0 ? block::q8_0 : ggufValue(rules, base),
                        tensor.cols);
    case TensorRole::Key:
        return fallback(eightExperts ? block::q8_0 : base, tensor.cols);
    case TensorRole::AttentionOut:
        return fallback(ggufAttentionOut(rules, base, eightExperts), tensor.cols);
    case TensorRole::Down:
        return fallback(ggufDown(rules, base), tensor.cols);
    case TensorRole::Linear:
        break;
    }
    return fallback(base, tensor.cols);
}

// Which tensors a safetensors checkpoint quantises.
bool quantised(const Tensor& tensor, const StorageRules& rules)
{
    switch (tensor.role) {
    case TensorRole::Vector:
    case TensorRole::Router:
    case TensorRole::KeptLinear:
    case TensorRole::Table:
    case TensorRole::Positions:
    case TensorRole::Head:
        return false;
    default:
        break;
    }
    const auto& native = rules.llm->nativeQuantization;
    const bool expertsOnly = native && native->expertsOnly && native->type == rules.type;
    return !expertsOnly || tensor.part == Part::Experts;
}

// Scales and zero points beside `tensor`, bytes.
double scaleBytes(const Tensor& tensor, const StorageRules& rules)
{
    const auto& native = rules.llm->nativeQuantization;
    const bool isNative = native && (native->type == rules.type || native->outside == rules.type);
    const auto copies = static_cast<double>(tensor.copies);
    const auto rows = static_cast<double>(tensor.rows);
    switch (rules.type) {
    case DType::Fp8:
        if (isNative && native->blockRows > 0 && native->blockColumns > 0)
            return 4 * copies * ceilDivide(tensor.rows, native->blockRows)
                * ceilDivide(tensor.cols, native->blockColumns);
        return 4 * copies; // one fp32 per matrix
    case DType::Int8:
        return 4 * copies * rows; // fp32 per output channel (SmoothQuant, LLM Compressor)
    case DType::Fp6:
        return 2 * copies * rows; // fp16 per output channel (FP6-LLM, arXiv 2401.14112)
    case DType::Int4: {           // AWQ and GPTQ: a 16-bit scale and a 4-bit zero point per group
        const int group = isNative && native->groupSize > 0 ? native->groupSize : 128;
        return 2.5 * copies * rows * ceilDivide(tensor.cols, group);
    }
    case DType::Mxfp4:
        return copies * rows * ceilDivide(tensor.cols, 32); // OCP microscaling: 8 bits per 32
    case DType::Nvfp4:
        return copies * (rows * ceilDivide(tensor.cols, 16) + 4); // fp8 per 16, fp32 per matrix
    default:
        return 0;
    }
}

// The MXFP4 kernels lay values out along padded inputs: gpt-oss's 2,880 columns take 3,072 places. Derived
// from the 64.38 GiB that vLLM 0.11 reports for gpt-oss-120b on an H100 (docs/counting: worked memory table).
constexpr std::int64_t mxfp4ColumnTile = 256;

} // namespace

double storedBytes(const Tensor& tensor, const StorageRules& rules)
{
    const auto& native = rules.llm->nativeQuantization;
    if (native && native->expertsOnly && native->outside && native->type == rules.type
        && tensor.part != Part::Experts) {
        StorageRules outside = rules;
        outside.type = *native->outside;
        return storedBytes(tensor, outside);
    }
    const auto elements = static_cast<double>(tensor.elements());
    if (isGguf(rules.type))
        return elements * ggufBits(tensor, rules) / 8;
    if (rules.type == DType::Fp32 || rules.type == DType::Bf16 || rules.type == DType::Fp16)
        return elements * bytesPerElement(rules.type);
    if (!quantised(tensor, rules))
        return elements * block::f16 / 8;
    double values = elements;
    if (rules.asLoaded && rules.type == DType::Mxfp4)
        values = static_cast<double>(tensor.rows * tensor.copies) * ceilDivide(tensor.cols, mxfp4ColumnTile)
            * static_cast<double>(mxfp4ColumnTile);
    return values * bytesPerElement(rules.type) + scaleBytes(tensor, rules);
}

} // namespace headroom
