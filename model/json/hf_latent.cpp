// Multi-head latent attention: DeepSeek V2 to V3.2, Kimi K2, GLM-4.7-Flash and GLM-5.
#include "model/json/hf_architectures.h"

#include <array>
#include <fmt/format.h>

namespace headroom {

namespace {

Mixer readLatentAttention(const HfReading& reading)
{
    const ConfigReader& config = reading.config;
    Mixer mixer{.kind = MixerKind::Mla};
    mixer.queryHeads = config.smallCount({"num_attention_heads"});
    mixer.qLoraRank = config.smallCountOr({"q_lora_rank"}, 0); // null: a full query projection (V2-Lite)
    mixer.kvLoraRank = config.smallCount({"kv_lora_rank"});
    mixer.qkNopeDim = config.smallCount({"qk_nope_head_dim"});
    mixer.qkRopeDim = config.smallCount({"qk_rope_head_dim"});
    mixer.valueHeadDim = config.smallCount({"v_head_dim"});
    if (config.flagOr({"attention_bias"}, false))
        config.report({"attention_bias"}, "latent attention with biases is not counted");
    if (config.has({"index_topk"})) { // sparse attention: V3.2 and GLM-5
        mixer.indexHeads = config.smallCount({"index_n_heads"});
        mixer.indexHeadDim = config.smallCount({"index_head_dim"});
        mixer.indexTopK = config.count({"index_topk"});
    }
    // GLM-5.2 lets layers share an indexer; the counter gives every layer its own.
    if (config.has({"indexer_types"}))
        config.report({"indexer_types"}, "indexers shared between layers are not counted");
    return mixer;
}

Mlp readLatentExperts(const HfReading& reading, bool routerBias)
{
    const ConfigReader& config = reading.config;
    const std::int64_t width = config.count({"moe_intermediate_size"});
    Mlp mlp{.kind = MlpKind::Moe};
    mlp.experts = config.smallCount({"n_routed_experts", "num_experts"});
    mlp.expertsPerToken = config.smallCount({"num_experts_per_tok"});
    if (mlp.expertsPerToken > mlp.experts)
        config.report(
            {"num_experts_per_tok"},
            fmt::format("a token cannot choose {} of {} experts", mlp.expertsPerToken, mlp.experts));
    mlp.expertIntermediate = width;
    mlp.sharedIntermediate = config.countOr({"n_shared_experts"}, 0) * width;
    mlp.routerBias = routerBias;
    return mlp;
}

// `duplicates`: the checkpoint stores the embedding and head of its prediction module a second time.
void readLatent(HfReading& reading, bool routerBias, bool duplicates)
{
    const ConfigReader& config = reading.config;
    readOuter(reading, false);
    LayerKind dense{.mixer = readLatentAttention(reading)};
    LayerKind moe = dense;
    dense.mlp = denseMlp(config.count({"intermediate_size"}));
    moe.mlp = readLatentExperts(reading, routerBias);
    const std::size_t layers = layerCount(reading);
    const std::int64_t first = config.countOr({"first_k_dense_replace"}, 0);
    const std::int64_t every = config.countOr({"moe_layer_freq"}, 1);
    for (std::size_t i = 0; i < layers; ++i) {
        const auto number = static_cast<std::int64_t>(i);
        reading.addLayer(number >= first && every > 0 && number % every == 0 ? moe : dense);
    }
    const int modules = config.smallCountOr({"num_nextn_predict_layers"}, 0);
    if (modules == 0)
        return;
    reading.llm.mtp = {.layers = modules, .inCheckpoint = true, .duplicatesEmbeddingAndHead = duplicates};
    reading.llm.mtp.kinds = {reading.indexOf(moe)};
}

void readDeepSeekV2(HfReading& reading) { readLatent(reading, false, false); }

// V3 and Kimi K2 correct the router's scores by a bias, where the method asks for one.
void readDeepSeekV3(HfReading& reading)
{
    readLatent(reading, reading.config.textOr({"topk_method"}, "noaux_tc") == "noaux_tc", true);
}
void readGlmDsa(HfReading& reading) { readLatent(reading, true, false); }
void readGlm4MoeLite(HfReading& reading) { readLatent(reading, true, true); }

constexpr std::array architectures{
    HfArchitecture{"DeepseekV2ForCausalLM", "deepseek_v2", readDeepSeekV2},
    HfArchitecture{"DeepseekV3ForCausalLM", "deepseek_v3", readDeepSeekV3},
    HfArchitecture{"DeepseekV32ForCausalLM", "deepseek_v32", readDeepSeekV3},
    HfArchitecture{"KimiK25ForConditionalGeneration", "kimi_k2", readDeepSeekV3},
    HfArchitecture{"GlmMoeDsaForCausalLM", "glm_moe_dsa", readGlmDsa},
    HfArchitecture{"Glm4MoeLiteForCausalLM", "glm4_moe_lite", readGlm4MoeLite},
};

} // namespace

std::span<const HfArchitecture> latentArchitectures() { return architectures; }

} // namespace headroom
