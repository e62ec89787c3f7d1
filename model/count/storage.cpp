#include "model/count/storage.h"

#include "model/count/experts_alone.h"
#include "model/count/rank_share.h"
#include "model/count/stored_type.h"

#include <cassert>

namespace headroom {

namespace {

double groupsOf(std::int64_t size, std::int64_t values)
{
    return static_cast<double>(ceilDivide(values, size));
}

// llama.cpp's block types; two of them may have equally many bits.
enum class Block { F32, F16, Q8_0, Q6_K, Q5_K, Q4_K, Q3_K, Q2_K, Q5_1, Q5_0, Q4_0, Iq4Nl };

// Bits per value (ggml-common.h: bytes of a block over its values).
double bitsOf(Block block)
{
    switch (block) {
    case Block::F32:
        return 32;
    case Block::F16:
        return 16;
    case Block::Q8_0:
        return 8.5;
    case Block::Q6_K:
        return 6.5625;
    case Block::Q5_1:
        return 6;
    case Block::Q5_K:
    case Block::Q5_0:
        return 5.5;
    case Block::Q4_K:
    case Block::Q4_0:
    case Block::Iq4Nl:
        return 4.5;
    case Block::Q3_K:
        return 3.4375;
    case Block::Q2_K:
        return 2.625;
    }
    return 16;
}

bool isGguf(DType type) { return type >= DType::Q8_0 && type <= DType::Q2_K; }

// K types come in blocks of 256 values along a row; other row lengths fall back (llama-quant.cpp).
Block fallback(Block block, std::int64_t cols)
{
    if (cols % 256 == 0)
        return block;
    switch (block) {
    case Block::Q2_K:
    case Block::Q3_K:
        return Block::Iq4Nl;
    case Block::Q4_K:
        return Block::Q5_0;
    case Block::Q5_K:
        return Block::Q5_1;
    case Block::Q6_K:
        return Block::Q8_0;
    default:
        return block; // no K type
    }
}

Block ggufBase(DType type)
{
    switch (type) {
    case DType::Q8_0:
        return Block::Q8_0;
    case DType::Q6_K:
        return Block::Q6_K;
    case DType::Q5_K_M:
        return Block::Q5_K;
    case DType::Q4_K_M:
        return Block::Q4_K;
    case DType::Q4_0:
        return Block::Q4_0;
    case DType::Q3_K_M:
        return Block::Q3_K;
    case DType::Q2_K:
        return Block::Q2_K;
    default:
        break;
    }
    assert(false);
    return Block::F16;
}

// llama.cpp sizes the models it knows; only its "70B" (80 layers, 64 heads over 8) changes a rule.
bool isLlama70b(const Llm& llm)
{
    const auto* const first = std::get_if<Attention>(&llm.kinds.front().mixer);
    return llm.family == "llama" && llm.layerCount() == 80 && first && first->queryHeads == 64
        && first->kvHeads == 8;
}

Block ggufValue(const StorageRules& rules, Block base)
{
    const auto* const first = std::get_if<Attention>(&rules.llm->kinds.front().mixer);
    const bool grouped = first && first->kvHeads > 0 && first->queryHeads / first->kvHeads >= 4;
    Block block = base;
    if (rules.type == DType::Q2_K)
        block = grouped ? Block::Q4_K : Block::Q3_K;
    else if (rules.type == DType::Q3_K_M)
        block = rules.betterValue ? Block::Q5_K : Block::Q4_K;
    else if (mixesByLayer(rules.type) && rules.betterValue)
        block = Block::Q6_K;
    if (isLlama70b(*rules.llm) && (block == Block::Q3_K || block == Block::Q4_K))
        block = Block::Q5_K;
    return block;
}

Block ggufDown(const StorageRules& rules, Block base)
{
    if (rules.type == DType::Q2_K)
        return Block::Q3_K;
    if (rules.type == DType::Q3_K_M)
        return rules.earlyLayer ? Block::Q5_K : Block::Q4_K;
    return mixesByLayer(rules.type) && rules.betterDown ? Block::Q6_K : base;
}

Block ggufAttentionOut(const StorageRules& rules, Block base, bool eightExperts)
{
    const bool upToQ4 = base == Block::Q2_K || base == Block::Q3_K || base == Block::Q4_K;
    if (eightExperts)
        return upToQ4 ? Block::Q5_K : base;
    if (rules.type == DType::Q2_K)
        return Block::Q3_K;
    return rules.type == DType::Q3_K_M ? Block::Q4_K : base;
}

// llama_tensor_get_type of llama.cpp (src/llama-quant.cpp, 2024 to 2025), for models with q, k and v apart.
Block ggufBlock(const Tensor& tensor, const StorageRules& rules)
{
    const Block base = ggufBase(rules.type);
    const bool eightExperts = rules.llm->kinds.front().mlp.experts == 8;
    const Block output = base == Block::Q8_0 ? Block::Q8_0 : Block::Q6_K;
    switch (tensor.role) {
    case TensorRole::Vector:
    case TensorRole::Router:
    case TensorRole::KeptLinear:
    case TensorRole::Positions:
        return Block::F32;
    case TensorRole::Head:
        return fallback(output, tensor.cols);
    case TensorRole::Table:
        return fallback(rules.llm->tiedHead ? output : base, tensor.cols);
    case TensorRole::Value:
        return fallback(eightExperts && base != Block::Q8_0 ? Block::Q8_0 : ggufValue(rules, base),
                        tensor.cols);
    case TensorRole::Key:
        return fallback(eightExperts ? Block::Q8_0 : base, tensor.cols);
    case TensorRole::AttentionOut:
        return fallback(ggufAttentionOut(rules, base, eightExperts), tensor.cols);
    case TensorRole::Down:
        return fallback(ggufDown(rules, base), tensor.cols);
    case TensorRole::Linear:
        break;
    }
    return fallback(base, tensor.cols);
}

bool keptWide(const Tensor& tensor, const Llm& llm)
{
    return (tensor.part == Part::Mixer && llm.keptWide.attention)
        || (tensor.part == Part::DenseMlp && llm.keptWide.denseMlp)
        || (tensor.part == Part::SharedExperts && llm.keptWide.sharedExperts);
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
    if (keptWide(tensor, *rules.llm))
        return false;
    if (tensor.part == Part::Mixer && mixersStayWide(*rules.llm, rules.type))
        return false;
    return !expertsAloneNarrow(*rules.llm, rules.type) || tensor.part == Part::Experts;
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
            return 4 * copies * groupsOf(native->blockRows, tensor.rows)
                * groupsOf(native->blockColumns, tensor.cols);
        return 4 * copies; // one fp32 per matrix
    case DType::Int8:
        return 4 * copies * rows; // fp32 per output channel (SmoothQuant, LLM Compressor)
    case DType::Fp6:
        return 2 * copies * rows; // fp16 per output channel (FP6-LLM, arXiv 2401.14112)
    case DType::Int4: {           // AWQ and GPTQ: a 16-bit scale and a 4-bit zero point per group
        const int group = isNative && native->groupSize > 0 ? native->groupSize : 128;
        return 2.5 * copies * rows * groupsOf(group, tensor.cols);
    }
    case DType::Mxfp4:
        return copies * rows * groupsOf(32, tensor.cols); // OCP microscaling: 8 bits per 32
    case DType::Nvfp4:
        return copies * (rows * groupsOf(16, tensor.cols) + 4); // fp8 per 16, fp32 per matrix
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
    if (expertsAloneNarrow(*rules.llm, rules.type) && native->outside && tensor.part != Part::Experts
        && !keptWide(tensor, *rules.llm)) {
        StorageRules outside = rules;
        outside.type = *native->outside;
        return storedBytes(tensor, outside);
    }
    const auto elements = static_cast<double>(tensor.elements());
    if (isGguf(rules.type))
        return elements * bitsOf(ggufBlock(tensor, rules)) / 8;
    if (rules.type == DType::Fp32 || rules.type == DType::Bf16 || rules.type == DType::Fp16)
        return elements * bytesPerElement(rules.type);
    if (!quantised(tensor, rules))
        return elements * bitsOf(Block::F16) / 8;
    double values = elements;
    if (rules.asLoaded && rules.type == DType::Mxfp4)
        values = static_cast<double>(tensor.rows * tensor.copies) * groupsOf(mxfp4ColumnTile, tensor.cols)
            * static_cast<double>(mxfp4ColumnTile);
    return values * bytesPerElement(rules.type) + scaleBytes(tensor, rules);
}

} // namespace headroom
