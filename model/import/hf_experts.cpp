// Mixtures of experts over ordinary attention.
#include "model/import/hf_architectures.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace headroom {

namespace {

Mlp experts(const HfReading& reading, std::int64_t width)
{
    const ConfigReader& config = reading.config;
    Mlp mlp{.kind = MlpKind::Moe};
    mlp.experts
        = config.smallCount({"num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts"});
    mlp.expertsPerToken = config.smallCount(
        {"num_experts_per_tok", "experts_per_token", "moe_k", "moe_top_k", "top_k_experts"});
    if (mlp.expertsPerToken > mlp.experts)
        config.report({"num_experts_per_tok", "experts_per_token", "moe_k", "moe_top_k", "top_k_experts"},
                      say("a token cannot choose {} of {} experts", mlp.expertsPerToken, mlp.experts));
    mlp.expertIntermediate = width;
    return mlp;
}

void addFirstDense(HfReading& reading, const LayerKind& moe, const LayerKind& dense, std::size_t denseLayers,
                   std::size_t layers)
{
    for (std::size_t i = 0; i < layers; ++i)
        reading.addLayer(i < denseLayers ? dense : moe);
}

void readMixtral(HfReading& reading)
{
    readOuter(reading, false);
    LayerKind kind{.mixer = readAttention(reading)};
    kind.attention().window = reading.config.countOr({"sliding_window"}, 0);
    kind.mlp = experts(reading, reading.config.count({"intermediate_size"}));
    addLayers(reading, kind, layerCount(reading));
}

// Layers named in `mlp_only_layers`, and those off the `decoder_sparse_step`, have a dense MLP.
void addQwenMoeLayers(HfReading& reading, const LayerKind& moe)
{
    const ConfigReader& config = reading.config;
    const std::int64_t step = config.countOr({"decoder_sparse_step"}, 1);
    std::vector<std::int64_t> denseLayers;
    for (JsonValue item = config.find({"mlp_only_layers"}).firstChild(); item; item = item.next())
        denseLayers.push_back(item.whole().value_or(-1));
    const std::size_t layers = layerCount(reading);
    for (std::size_t i = 0; i < layers; ++i) {
        const auto number = static_cast<std::int64_t>(i);
        const bool named = std::find(denseLayers.begin(), denseLayers.end(), number) != denseLayers.end();
        LayerKind kind = moe;
        if (named || step < 1 || (number + 1) % step != 0)
            kind.mlp = denseMlp(config.count({"intermediate_size"}));
        reading.addLayer(kind);
    }
}
void readQwen2Moe(HfReading& reading)
{
    readOuter(reading, false);
    LayerKind kind{.mixer = readAttention(reading)};
    kind.attention().qkvBias = true;
    kind.mlp = experts(reading, reading.config.count({"moe_intermediate_size"}));
    kind.mlp.sharedIntermediate = reading.config.count({"shared_expert_intermediate_size"});
    kind.mlp.sharedGate = true;
    addQwenMoeLayers(reading, kind);
}
void readQwen3Moe(HfReading& reading)
{
    readOuter(reading, false);
    LayerKind kind{.mixer = readAttention(reading)};
    kind.attention().qkvBias = reading.config.flagOr({"attention_bias"}, false);
    kind.attention().outBias = kind.attention().qkvBias;
    kind.attention().qkNorm = QkNorm::PerHead;
    kind.mlp = experts(reading, reading.config.count({"moe_intermediate_size"}));
    addQwenMoeLayers(reading, kind);
}

// Modules behind the last layer; the checkpoint of GLM-4.5 holds the embedding and the head a second time.
void addMtp(HfReading& reading, const LayerKind& kind, bool duplicates)
{
    const int modules = reading.config.smallCountOr({"num_nextn_predict_layers"}, 0);
    if (modules == 0)
        return;
    reading.llm.mtp = {.layers = modules, .inCheckpoint = true, .duplicatesEmbeddingAndHead = duplicates};
    reading.llm.mtp.kinds = {reading.indexOf(kind)};
}

void readGlm4Moe(HfReading& reading)
{
    const ConfigReader& config = reading.config;
    readOuter(reading, false);
    LayerKind kind{.mixer = readAttention(reading)};
    kind.attention().qkvBias = config.flagOr({"attention_bias"}, false);
    if (!config.has({"partial_rotary_factor", "rope_parameters"}))
        kind.attention().ropeDims = kind.attention().headDim / 2; // class default 0.5
    if (config.flagOr({"use_qk_norm"}, false))
        kind.attention().qkNorm = QkNorm::PerHead;
    LayerKind dense = kind;
    dense.mlp = denseMlp(config.count({"intermediate_size"}));
    const std::int64_t width = config.count({"moe_intermediate_size"});
    kind.mlp = experts(reading, width);
    kind.mlp.sharedIntermediate = config.countOr({"n_shared_experts"}, 0) * width;
    kind.mlp.routerBias = true;
    addFirstDense(reading, kind, dense,
                  static_cast<std::size_t>(config.countOr({"first_k_dense_replace"}, 1)),
                  layerCount(reading));
    addMtp(reading, kind, true);
    if (reading.llm.mtp.layers > 0)
        reading.warnings.emplace_back(
            "whether the checkpoint stores the embedding and head of its prediction module a "
            "second time is not in the file: taken as in GLM-4.5");
}

// Hunyuan 3 (HYV3Config): one dense layer, then experts beside a shared one; a bias corrects the router's
// scores, and queries and keys are always normalised.
void readHy3(HfReading& reading)
{
    const ConfigReader& config = reading.config;
    readOuter(reading, false);
    LayerKind kind{.mixer = readAttention(reading)};
    kind.attention().qkvBias = config.flagOr({"attention_bias"}, false);
    kind.attention().outBias = kind.attention().qkvBias;
    kind.attention().qkNorm = QkNorm::PerHead;
    LayerKind dense = kind;
    dense.mlp = denseMlp(config.count({"intermediate_size"}), true, config.flagOr({"mlp_bias"}, false));
    const std::int64_t width = config.count({"moe_intermediate_size"});
    kind.mlp = experts(reading, width);
    kind.mlp.sharedIntermediate = config.countOr({"num_shared_experts"}, 1) * width;
    kind.mlp.routerBias = true;
    const ConfigReader::Keys types{"mlp_layer_types"};
    const std::size_t layers = layerCount(reading);
    const std::vector<std::string> words = config.layerWords(types, layers);
    const auto first = static_cast<std::size_t>(config.countOr({"first_k_dense_replace"}, 1));
    for (std::size_t i = 0; i < layers; ++i)
        reading.addLayer((words.empty() ? i < first : words[i] == "dense") ? dense : kind);
    addMtp(reading, kind, false);
}

void readMiniMaxM2(HfReading& reading)
{
    const ConfigReader& config = reading.config;
    readOuter(reading, false);
    LayerKind kind{.mixer = readAttention(reading)};
    if (config.flagOr({"use_qk_norm"}, false))
        kind.attention().qkNorm = QkNorm::FullWidth;
    kind.mlp = experts(reading, config.count({"intermediate_size"}));
    kind.mlp.sharedIntermediate = config.countOr({"shared_intermediate_size"}, 0);
    kind.mlp.routerBias = config.flagOr({"use_routing_bias"}, false);
    addLayers(reading, kind, layerCount(reading));
    if (config.flagOr({"use_mtp"}, false)) { // announced; no checkpoint holds them
        reading.llm.mtp.layers = config.smallCountOr({"num_mtp_modules"}, 0);
        reading.llm.mtp.kinds = {reading.indexOf(kind)};
    }
}

void readGptOss(HfReading& reading)
{
    const ConfigReader& config = reading.config;
    readOuter(reading, false);
    LayerKind kind{.mixer = readAttention(reading)};
    kind.attention().qkvBias = config.flagOr({"attention_bias"}, true);
    kind.attention().outBias = kind.attention().qkvBias;
    kind.attention().sinks = true;
    kind.mlp = experts(reading, config.count({"intermediate_size"}));
    kind.mlp.routerBias = true;
    kind.mlp.expertBias = true;
    const std::size_t layers = layerCount(reading);
    addWindowed(reading, kind, fullLayers(reading, everyNthFull(layers, 2)),
                config.count({"sliding_window"}));
}

// Llama 4: three of four layers see their own chunk, the fourth everything and without rotary embedding;
// experts in every `interleave_moe_layer_step`-th layer, with one shared expert.
void readLlama4(HfReading& reading)
{
    const ConfigReader& config = reading.config;
    readOuter(reading, false);
    const std::size_t layers = layerCount(reading);
    const std::int64_t step = config.countOr({"interleave_moe_layer_step"}, 1);
    const std::int64_t chunk = config.countOr({"attention_chunk_size"}, 8192);
    const std::int64_t width = config.count({"intermediate_size"});
    std::vector<std::int64_t> rope(layers);
    for (std::size_t i = 0; i < layers; ++i)
        rope[i] = (i + 1) % 4 != 0 ? 1 : 0; // Llama4TextConfig: no_rope_layer_interval 4
    if (config.find({"no_rope_layers"}).size() > 0)
        rope = config.perLayer({"no_rope_layers"}, layers);
    for (std::size_t i = 0; i < layers; ++i) {
        LayerKind kind{.mixer = readAttention(reading)};
        kind.attention().qkvBias = config.flagOr({"attention_bias"}, false);
        kind.attention().outBias = kind.attention().qkvBias;
        kind.attention().rope = rope[i] != 0;
        kind.attention().chunk = kind.attention().rope ? chunk : 0;
        if (kind.attention().rope && config.flagOr({"use_qk_norm"}, true))
            kind.attention().qkNorm = QkNorm::L2;
        const bool moe = step > 0 && (static_cast<std::int64_t>(i) + 1) % step == 0;
        kind.mlp = moe ? experts(reading, width) : denseMlp(config.count({"intermediate_size_mlp"}));
        if (moe)
            kind.mlp.sharedIntermediate = width;
        reading.addLayer(kind);
    }
}

void readDbrx(HfReading& reading)
{
    const ConfigReader& config = reading.config;
    const ConfigReader ffn = config.within("ffn_config");
    readOuter(reading, false);
    reading.llm.norm = NormKind::LayerNormNoBias;
    LayerKind kind{.mixer = readAttention(reading)};
    kind.attention().kvHeads = config.within("attn_config").smallCount({"kv_n_heads"});
    HfReading nested{.config = ffn, .root = reading.root, .problems = reading.problems};
    kind.mlp = experts(nested, ffn.count({"ffn_hidden_size"}));
    addLayers(reading, kind, layerCount(reading));
}

void readGrok1(HfReading& reading)
{
    readOuter(reading, true);
    LayerKind kind{.mixer = readAttention(reading), .norms = 4};
    kind.mlp = experts(reading, reading.config.count({"intermediate_size"}));
    addLayers(reading, kind, layerCount(reading));
}

// ERNIE 4.5: experts between a first and a last layer; widths may be a list for text and vision: text comes
// first.
void readErnie(HfReading& reading)
{
    const ConfigReader& config = reading.config;
    readOuter(reading, true);
    LayerKind kind{.mixer = readAttention(reading)};
    kind.attention().qkvBias = config.flagOr({"use_bias"}, false);
    kind.attention().outBias = kind.attention().qkvBias;
    LayerKind dense = kind;
    dense.mlp = denseMlp(config.count({"intermediate_size"}), true, kind.attention().qkvBias);
    const std::int64_t width = config.perLayer({"moe_intermediate_size"}, 1).front();
    kind.mlp = experts(reading, width);
    kind.mlp.sharedIntermediate = config.countOr({"moe_num_shared_experts"}, 0) * width;
    kind.mlp.routerBias = config.flagOr({"moe_use_aux_free"}, true);
    const std::size_t layers = layerCount(reading);
    const std::int64_t first = config.perLayer({"moe_layer_start_index"}, 1).front();
    const std::int64_t every = config.countOr({"moe_layer_interval"}, 1);
    for (std::size_t i = 0; i < layers; ++i) {
        const auto number = static_cast<std::int64_t>(i);
        reading.addLayer(number >= first && every > 0 && (number + 1) % every == 0 ? kind : dense);
    }
    addMtp(reading, dense, false);
    if (reading.llm.mtp.layers > 0)
        reading.llm.mtp.norms = 2;
}

// Hunyuan writes a number or one for each layer; with `use_cla` some layers share their cache.
void readHunyuan(HfReading& reading)
{
    const ConfigReader& config = reading.config;
    readOuter(reading, false);
    const std::size_t layers = layerCount(reading);
    Attention mixer = readAttention(reading);
    mixer.qkvBias = config.flagOr({"attention_bias"}, false);
    mixer.outBias = mixer.qkvBias;
    if (config.flagOr({"use_qk_norm"}, false))
        mixer.qkNorm = QkNorm::PerHead;
    if (config.flagOr({"use_cla"}, false))
        mixer.kvShareGroup = std::max(1, config.smallCountOr({"cla_share_factor"}, 1));
    if (config.flagOr({"use_mla"}, false))
        config.report({"use_mla"}, "a Hunyuan with latent attention is not counted");
    const auto chosen = config.perLayer({"moe_topk", "moe_top_k"}, layers);
    const auto shared = config.perLayer({"num_shared_expert"}, layers);
    const auto widths = config.perLayer({"moe_intermediate_size", "intermediate_size"}, layers);
    const auto skipped = static_cast<std::size_t>(config.countOr({"moe_layer_num_skipped"}, 0));
    const int all = config.smallCount({"num_experts"});
    for (std::size_t i = 0; i < layers; ++i) {
        LayerKind kind{.mixer = mixer};
        kind.mlp = denseMlp(config.count({"intermediate_size"}));
        if (i >= skipped)
            kind.mlp = {.kind = MlpKind::Moe,
                        .experts = all,
                        .expertsPerToken = static_cast<int>(chosen[i]),
                        .expertIntermediate = widths[i],
                        .sharedIntermediate = shared[i] * widths[i]};
        reading.addLayer(kind);
    }
}

// MiMo-V2: narrow layers have their own heads, sinks, and values narrower than keys.
void readMiMoV2(HfReading& reading)
{
    const ConfigReader& config = reading.config;
    readOuter(reading, false);
    const std::size_t layers = layerCount(reading);
    LayerKind full{.mixer = readAttention(reading)};
    full.attention().valueHeadDim = config.smallCount({"v_head_dim"});
    full.attention().qkvBias = config.flagOr({"attention_bias"}, false);
    full.attention().sinks = config.flagOr({"add_full_attention_sink_bias"}, false);
    Attention narrow = full.attention();
    narrow.queryHeads = config.smallCount({"swa_num_attention_heads"});
    narrow.kvHeads = config.smallCount({"swa_num_key_value_heads"});
    narrow.headDim = config.smallCount({"swa_head_dim"});
    narrow.valueHeadDim = config.smallCount({"swa_v_head_dim"});
    narrow.ropeDims = rotatedDims(reading, narrow.headDim);
    narrow.window = config.count({"sliding_window"});
    narrow.sinks = config.flagOr({"add_swa_attention_sink_bias"}, false);
    const auto isNarrow = config.perLayer({"hybrid_layer_pattern"}, layers);
    const auto isMoe = config.perLayer({"moe_layer_freq"}, layers);
    const std::int64_t width = config.count({"moe_intermediate_size"});
    for (std::size_t i = 0; i < layers; ++i) {
        LayerKind kind = full;
        if (isNarrow[i] != 0)
            kind.mixer = narrow;
        kind.mlp = isMoe[i] != 0 ? experts(reading, width) : denseMlp(config.count({"intermediate_size"}));
        if (isMoe[i] != 0) {
            kind.mlp.sharedIntermediate = config.countOr({"n_shared_experts"}, 0) * width;
            kind.mlp.routerBias = config.textOr({"topk_method"}, "") == "noaux_tc";
        }
        reading.addLayer(kind);
    }
}

// Gemma 4: full layers have wider heads, fewer of them for keys, and no value projection; the 26B has a dense
// MLP and experts side by side, each with norms of its own, and a router with a scale for each input.
void readGemma4(HfReading& reading)
{
    const ConfigReader& config = reading.config;
    readOuter(reading, true);
    if (config.countOr({"hidden_size_per_layer_input"}, 0) > 0)
        config.report({"hidden_size_per_layer_input"},
                      "embeddings of every layer (E2B, E4B) are not counted");
    if (config.countOr({"num_kv_shared_layers"}, 0) > 0)
        config.report({"num_kv_shared_layers"},
                      "layers that borrow the keys of another (E2B, E4B) are not counted");
    LayerKind narrow{.mixer = readAttention(reading), .norms = 4};
    narrow.attention().qkvBias = config.flagOr({"attention_bias"}, false);
    narrow.attention().outBias = narrow.attention().qkvBias;
    narrow.attention().qkNorm = QkNorm::PerHead;
    narrow.attention().ropeDims = 0;
    narrow.mlp = denseMlp(config.count({"intermediate_size"}));
    if (config.flagOr({"enable_moe_block"}, false)) {
        Mlp mlp = experts(reading, config.count({"moe_intermediate_size"}));
        mlp.sharedIntermediate = narrow.mlp.intermediate;
        mlp.routerBias = true; // a scale for each expert
        narrow.mlp = mlp;
        narrow.norms = 8; // three more for the two branches, and the router's scale
    }
    LayerKind full = narrow;
    narrow.attention().window = config.count({"sliding_window"});
    full.attention().headDim = config.smallCountOr({"global_head_dim"}, narrow.attention().headDim);
    full.attention().valueIsKey = config.flagOr({"attention_k_eq_v"}, false);
    if (full.attention().valueIsKey)
        full.attention().kvHeads
            = config.smallCountOr({"num_global_key_value_heads"}, narrow.attention().kvHeads);
    const ConfigReader rope = config.within("rope_parameters").within("full_attention");
    const double share = rope.realOr({"partial_rotary_factor"}, 1);
    if (share > 0 && share < 1)
        full.attention().ropeDims = static_cast<int>(full.attention().headDim * share);
    for (const bool all : fullLayers(reading, everyNthFull(layerCount(reading), 6)))
        reading.addLayer(all ? full : narrow);
}

constexpr std::array expertsRows{
    HfArchitecture{"MixtralForCausalLM", "mixtral", readMixtral},
    HfArchitecture{"Qwen2MoeForCausalLM", "qwen2_moe", readQwen2Moe},
    HfArchitecture{"Qwen3MoeForCausalLM", "qwen3_moe", readQwen3Moe},
    HfArchitecture{"Qwen3VLMoeForConditionalGeneration", "qwen3_vl_moe", readQwen3Moe},
    HfArchitecture{"Glm4MoeForCausalLM", "glm4_moe", readGlm4Moe},
    HfArchitecture{"HYV3ForCausalLM", "hy_v3", readHy3},
    HfArchitecture{"MiniMaxM2ForCausalLM", "minimax_m2", readMiniMaxM2},
    HfArchitecture{"GptOssForCausalLM", "gpt_oss", readGptOss},
    HfArchitecture{"Llama4ForConditionalGeneration", "llama4", readLlama4},
    HfArchitecture{"Llama4ForCausalLM", "llama4_text", readLlama4},
    HfArchitecture{"DbrxForCausalLM", "dbrx", readDbrx},
    HfArchitecture{"Grok1ModelForCausalLM", "grok-1", readGrok1},
    HfArchitecture{"Ernie4_5_MoeForCausalLM", "ernie4_5_moe", readErnie},
    HfArchitecture{"HunYuanMoEV1ForCausalLM", "hunyuan", readHunyuan},
    HfArchitecture{"Gemma4ForConditionalGeneration", "gemma4", readGemma4},
    HfArchitecture{"Gemma4ForCausalLM", "gemma4_text", readGemma4},
    HfArchitecture{"MiMoV2FlashForCausalLM", "mimo_v2_flash", readMiMoV2},
};

} // namespace

std::span<const HfArchitecture> expertArchitectures() { return expertsRows; }

} // namespace headroom
