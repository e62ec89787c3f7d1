#include "model/import/gguf_model.h"

#include "model/base/spelling.h"
#include "model/catalogue/llm_check.h"
#include "model/count/parameters.h"
#include "model/import/gguf_families.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>
#include <unordered_map>

namespace headroom {

namespace {

// llama_ftype of llama.cpp: the recipe a file was quantised by.
struct Recipe {
    std::uint64_t code;
    DType type;
};
constexpr std::array recipes{
    Recipe{2, DType::Q4_0},    Recipe{7, DType::Q8_0},    Recipe{10, DType::Q2_K}, Recipe{12, DType::Q3_K_M},
    Recipe{15, DType::Q4_K_M}, Recipe{17, DType::Q5_K_M}, Recipe{18, DType::Q6_K}, Recipe{38, DType::Mxfp4},
};

// "blk.12.attn_q.weight" → 12
std::optional<int> layerOf(std::string_view name)
{
    constexpr std::string_view start = "blk.";
    if (!name.starts_with(start))
        return std::nullopt;
    int layer = 0;
    const auto [end, error] = std::from_chars(name.data() + start.size(), name.data() + name.size(), layer);
    if (error != std::errc{} || end == name.data() + name.size() || *end != '.')
        return std::nullopt;
    return layer;
}

class GgufModelReader {
public:
    explicit GgufModelReader(const std::vector<GgufHeader>& parts) : m_parts(parts), m_first(parts.front()) {}

    Result<GgufModel> read()
    {
        collect();
        if (!findFamily())
            return refuse(std::move(m_problems));
        m_arch = std::string(m_family.name) + ".";
        outer();
        const std::int64_t blocks = required("block_count", 4096);
        const std::int64_t prediction = optional("nextn_predict_layers", 0);
        m_layers = static_cast<int>(std::max<std::int64_t>(1, blocks - prediction));
        if (m_problems.empty())
            for (int layer = 0; layer < m_layers && m_problems.empty(); ++layer)
                addLayer(layer);
        if (m_problems.empty())
            storage(blocks - m_layers);
        if (m_problems.empty() && m_model.llm.maxContext == 0)
            fail(say("'{}context_length' is missing", m_arch));
        if (m_problems.empty())
            for (const Message& impossible : impossibleSizes(m_model.llm))
                fail(impossible);
        if (m_problems.empty())
            for (const LayerKind& kind : m_model.llm.kinds)
                for (const Message& contradiction : contradictions(kind))
                    fail(contradiction);
        if (m_problems.empty())
            compare();
        if (!m_problems.empty())
            return refuse(std::move(m_problems));
        return std::move(m_model);
    }

private:
    void fail(Message what, Message hint = {})
    {
        m_problems.push_back({m_first.name, std::move(what), std::move(hint)});
    }

    void collect()
    {
        for (const GgufHeader& part : m_parts) {
            m_model.stored.files.push_back(part.name);
            for (const StoredTensor& tensor : part.tensors) {
                m_model.stored.add(tensor);
                if (!m_tensors.emplace(tensor.name, &tensor).second)
                    fail(say("tensor '{}' stands in two of its files", tensor.name));
            }
        }
    }

    bool findFamily()
    {
        const std::string name = m_first.text("general.architecture");
        const auto* const found = std::find_if(ggufFamilies.begin(), ggufFamilies.end(),
                                               [&](const GgufFamily& known) { return known.name == name; });
        if (found != ggufFamilies.end()) {
            m_family = *found;
            return true;
        }
        std::vector<std::string> known;
        for (const GgufFamily& family : ggufFamilies)
            known.emplace_back(family.name);
        if (name.empty())
            fail("the metadata has no 'general.architecture'", "is this the first part of a split model?");
        else
            fail(say("architecture {} is not known: it is not counted rather than guessed",
                     name.substr(0, 80)),
                 spellingHint(name.substr(0, 80), known));
        return false;
    }

    std::int64_t optional(std::string_view key, std::int64_t otherwise)
    {
        const std::string full = m_arch + std::string(key);
        const auto value = m_first.count(full);
        if (!value)
            return otherwise;
        if (*value > static_cast<std::uint64_t>(largest)) {
            fail(say("'{}' is {}, at most {} is possible", full, std::to_string(*value), largest));
            return otherwise;
        }
        return static_cast<std::int64_t>(*value);
    }
    std::int64_t required(std::string_view key, std::int64_t atMost = largest)
    {
        const std::int64_t value = optional(key, 0);
        if (value >= 1 && value <= atMost)
            return value;
        fail(say("'{}{}' must be a whole number from 1 to {}", m_arch, asIs(key), atMost));
        return 1;
    }
    // A number, or one for each layer.
    std::int64_t ofLayer(std::string_view key, int layer)
    {
        const auto found = m_first.metadata.find(m_arch + std::string(key));
        const auto* const list
            = found == m_first.metadata.end() ? nullptr : std::get_if<GgufList>(&found->second);
        if (list == nullptr)
            return optional(key, 0);
        const auto index = static_cast<std::size_t>(layer);
        const double value = index < list->numbers.size() ? list->numbers[index] : -1;
        if (value >= 0 && value <= static_cast<double>(largest))
            return static_cast<std::int64_t>(value);
        fail(say("the list '{}{}' has no usable value for layer {}", m_arch, asIs(key), layer));
        return 0;
    }

    const StoredTensor* find(const std::string& name)
    {
        const auto found = m_tensors.find(name);
        return found == m_tensors.end() ? nullptr : found->second;
    }
    const StoredTensor* find(int layer, std::string_view name)
    {
        return find(fmt::format("blk.{}.{}", layer, name));
    }
    bool has(int layer, std::string_view name) { return find(layer, name) != nullptr; }
    // Rows of a matrix: the outer of its first two dimensions.
    std::int64_t rows(int layer, std::string_view name)
    {
        const StoredTensor* const tensor = find(layer, name);
        return tensor == nullptr || tensor->shape.size() < 2 ? 0 : tensor->shape[1];
    }

    void outer()
    {
        Llm& llm = m_model.llm;
        llm.architecture = m_family.className;
        llm.name = m_first.text("general.name").substr(0, 200);
        llm.maxContext = optional("context_length", 0);
        const StoredTensor* const table = find("token_embd.weight");
        if (table == nullptr || table->shape.size() != 2)
            return fail("there is no matrix 'token_embd.weight'",
                        "a split model is read from all of its parts");
        llm.hidden = table->shape[0];
        llm.vocab = table->shape[1];
        llm.tiedHead = find("output.weight") == nullptr;
        llm.headBias = find("output.bias") != nullptr;
        llm.embeddingNorm = find("token_embd_norm.weight") != nullptr;
        llm.finalNorm = find("output_norm.weight") != nullptr;
        const StoredTensor* const positions = find("position_embd.weight");
        llm.learnedPositions = positions != nullptr && positions->shape.size() == 2 ? positions->shape[1] : 0;
        if (find("output_norm.bias") != nullptr)
            llm.norm = NormKind::LayerNorm;
        else if (m_first.number(m_arch + "attention.layer_norm_epsilon"))
            llm.norm = NormKind::LayerNormNoBias;
    }

    void addLayer(int layer)
    {
        LayerKind kind{.norms = 0};
        for (const char* norm :
             {"attn_norm", "attn_norm_2", "ffn_norm", "post_attention_norm", "post_ffw_norm"})
            kind.norms += has(layer, fmt::format("{}.weight", norm)) ? 1 : 0;
        kind.mixer = m_family.latent ? Mixer(latent(layer)) : attention(layer);
        kind.mlp = mlp(layer);
        kind.parallel = !has(layer, "ffn_norm.weight") && mixes(kind.mixer) && kind.mlp.kind != MlpKind::None
            && !has(layer, "post_attention_norm.weight");
        auto& kinds = m_model.llm.kinds;
        auto found = std::find(kinds.begin(), kinds.end(), kind);
        if (found == kinds.end()) {
            if (kinds.size() > 255)
                return fail("more than 256 kinds of layer");
            found = kinds.insert(kinds.end(), kind);
        }
        m_model.llm.layers.push_back(static_cast<std::uint8_t>(found - kinds.begin()));
    }

    int small(std::int64_t value) { return static_cast<int>(std::clamp<std::int64_t>(value, 0, largest)); }

    Mixer attention(int layer)
    {
        Attention mixer;
        const bool fused = has(layer, "attn_qkv.weight");
        if (!fused && !has(layer, "attn_q.weight"))
            return NoMixer{};
        mixer.queryHeads = small(ofLayer("attention.head_count", layer));
        if (mixer.queryHeads < 1) {
            fail(say("'{}attention.head_count' is missing", m_arch));
            return mixer;
        }
        mixer.headDim = small(optional("attention.key_length", m_model.llm.hidden / mixer.queryHeads));
        const std::int64_t valueDim = optional("attention.value_length", mixer.headDim);
        mixer.valueHeadDim = valueDim == mixer.headDim ? 0 : small(valueDim);
        const std::int64_t dim = std::max(1, mixer.headDim);
        const std::int64_t kvRows = fused ? (rows(layer, "attn_qkv.weight") - mixer.queryHeads * dim) / 2
                                          : rows(layer, "attn_k.weight");
        mixer.kvHeads = small(kvRows / dim);
        mixer.qkvBias = has(layer, "attn_q.bias") || has(layer, "attn_qkv.bias");
        mixer.outBias = has(layer, "attn_output.bias");
        mixer.sinks = has(layer, "attn_sinks.weight");
        mixer.rope = m_family.rope;
        const int rotated = small(optional("rope.dimension_count", mixer.headDim));
        mixer.ropeDims = mixer.rope && rotated != mixer.headDim ? rotated : 0;
        if (const StoredTensor* const norm = find(layer, "attn_q_norm.weight"))
            mixer.qkNorm = norm->shape.size() > 1 ? QkNorm::PerHeadWeights
                : norm->elements == mixer.headDim ? QkNorm::PerHead
                                                  : QkNorm::FullWidth;
        window(mixer, layer);
        return mixer;
    }

    void window(Attention& mixer, int layer)
    {
        const std::int64_t width = optional("attention.sliding_window", 0);
        if (width >= m_model.llm.maxContext && m_model.llm.maxContext > 0)
            return;
        const std::int64_t every = optional("attention.sliding_window_pattern", m_family.fullEvery);
        const bool full = every > 0 && (layer + 1) % every == 0;
        mixer.window = full ? 0 : width;
        if (m_family.name == "cohere2")
            mixer.rope = !full;
    }

    Mla latent(int layer)
    {
        Mla mixer;
        mixer.queryHeads = small(required("attention.head_count"));
        mixer.kvLoraRank = small(required("attention.kv_lora_rank"));
        mixer.qLoraRank = small(has(layer, "attn_q_a.weight") ? required("attention.q_lora_rank") : 0);
        mixer.qkRopeDim = small(required("rope.dimension_count"));
        const std::int64_t key = optional("attention.key_length_mla", optional("attention.key_length", 0));
        mixer.valueHeadDim
            = small(optional("attention.value_length_mla", optional("attention.value_length", 0)));
        mixer.qkNopeDim = small(key - mixer.qkRopeDim);
        return mixer;
    }

    Mlp mlp(int layer)
    {
        if (has(layer, "ffn_gate_inp.weight"))
            return moe(layer);
        if (!has(layer, "ffn_up.weight"))
            return {.kind = MlpKind::None};
        Mlp mlp{.kind = MlpKind::Dense};
        const std::int64_t up = rows(layer, "ffn_up.weight");
        const StoredTensor* const down = find(layer, "ffn_down.weight");
        const std::int64_t width = down != nullptr ? down->shape.front() : up;
        const bool fused = up == 2 * width; // gate and up in one matrix (Phi-3, ChatGLM)
        mlp.intermediate = width;
        mlp.gated = fused || has(layer, "ffn_gate.weight");
        mlp.bias = has(layer, "ffn_up.bias");
        return mlp;
    }

    Mlp moe(int layer)
    {
        Mlp mlp{.kind = MlpKind::Moe};
        mlp.experts = small(rows(layer, "ffn_gate_inp.weight"));
        mlp.expertsPerToken = small(required("expert_used_count"));
        const int groups = small(optional("expert_group_count", 1));
        if (const int chosen = small(optional("expert_group_used_count", 1)); chosen < groups) {
            mlp.expertGroups = groups;
            mlp.groupsPerToken = chosen;
        }
        mlp.expertIntermediate = rows(layer, "ffn_up_exps.weight");
        mlp.sharedIntermediate = rows(layer, "ffn_up_shexp.weight");
        mlp.sharedGate = has(layer, "ffn_gate_inp_shexp.weight");
        mlp.gated = has(layer, "ffn_gate_exps.weight");
        mlp.routerBias = has(layer, "exp_probs_b.bias") || has(layer, "ffn_gate_inp.bias");
        mlp.expertBias = has(layer, "ffn_up_exps.bias");
        if (mlp.expertsPerToken > mlp.experts)
            fail(say("a token cannot choose {} of {} experts", mlp.expertsPerToken, mlp.experts));
        return mlp;
    }

    void storage(std::int64_t predictionLayers)
    {
        Llm& llm = m_model.llm;
        llm.mtp.layers = static_cast<int>(predictionLayers);
        if (predictionLayers > 0) {
            llm.mtp.inCheckpoint = true;
            llm.mtp.kinds = {llm.layers.back()};
        }
        const auto recipe = m_first.count("general.file_type");
        const auto* const known
            = std::find_if(recipes.begin(), recipes.end(), [&](const Recipe& r) { return recipe == r.code; });
        if (known != recipes.end())
            llm.nativeQuantization = NativeQuantization{
                .method = "gguf", .type = known->type, .expertsOnly = known->type == DType::Mxfp4};
        else if (recipe == 0U || recipe == 1U)
            llm.nativeType = recipe == 0U ? DType::Fp32 : DType::Fp16;
        else if (recipe != 32U) // 32: bf16
            m_model.warnings.push_back(
                "the file's mixture of block types has no name here: its weights are known to the "
                "byte, the model is written as bf16");
    }

    // Rotary tables are no parameters; prediction modules are counted apart.
    bool counted(std::string_view name) const
    {
        if (name.starts_with("rope_") || name.find(".rope_") != std::string_view::npos)
            return false;
        return layerOf(name).value_or(0) < m_layers;
    }
    void compare()
    {
        constexpr std::int64_t mostElements = std::int64_t{1} << 50;
        std::int64_t stored = 0;
        for (const auto& [name, tensor] : m_tensors)
            if (counted(name) && stored < mostElements)
                stored += tensor->elements;
        const std::int64_t total = countParameters(m_model.llm).total;
        if (total == stored)
            return;
        fail(say("its tensors hold {} elements, the architecture {} makes {} of them", stored,
                 asIs(m_family.name), total),
             "not imported rather than counted wrong");
    }

    static constexpr std::int64_t largest = std::int64_t{1} << 30;

    const std::vector<GgufHeader>& m_parts;
    const GgufHeader& m_first;
    GgufFamily m_family{};
    std::string m_arch;
    int m_layers = 0;
    std::unordered_map<std::string, const StoredTensor*> m_tensors;
    GgufModel m_model;
    Problems m_problems;
};

} // namespace

Result<GgufModel> readGgufModel(const std::vector<GgufHeader>& parts)
{
    if (parts.empty())
        return refuse("", "no file");
    return GgufModelReader(parts).read();
}

} // namespace headroom
