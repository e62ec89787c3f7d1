// Multi-head latent attention: DeepSeek V2 to V3.2, Kimi K2, GLM-4.7-Flash, GLM-5 to 5.2 and Mistral Small 4;
// DeepSeek-V4, which left it.
#include "model/import/hf_architectures.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace headroom {

namespace {

Mla readLatentAttention(const HfReading& reading)
{
    const ConfigReader& config = reading.config;
    Mla mixer;
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
    return mixer;
}

// GLM-5.2: a layer named "shared" reads the tokens that the last "full" one before it chose. It chooses none
// itself, so it has no indexer and keeps no index keys; its `indexTopK` stays.
std::vector<bool> ownIndexers(const HfReading& reading, std::size_t layers)
{
    const ConfigReader::Keys key{"indexer_types"};
    std::vector<bool> own(layers, true);
    const std::vector<std::string> words = reading.config.layerWords(key, layers);
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (words[i] != "full" && words[i] != "shared")
            reading.config.report(key, say("unknown kind of indexer '{}'", words[i].substr(0, 40)),
                                  "one of full, shared");
        own[i] = words[i] != "shared";
    }
    if (!own.empty() && !own.front())
        reading.config.report(key, "the first layer has no indexer before it whose choice it could share");
    return own;
}

LayerKind withoutIndexer(LayerKind kind)
{
    auto& mixer = std::get<Mla>(kind.mixer);
    mixer.indexHeads = 0;
    mixer.indexHeadDim = 0;
    return kind;
}

Mlp readLatentExperts(const HfReading& reading, bool routerBias)
{
    const ConfigReader& config = reading.config;
    const std::int64_t width = config.count({"moe_intermediate_size"});
    Mlp mlp{.kind = MlpKind::Moe};
    mlp.experts = config.smallCount({"n_routed_experts", "num_experts"});
    mlp.expertsPerToken = config.smallCount({"num_experts_per_tok"});
    if (mlp.expertsPerToken > mlp.experts)
        config.report({"num_experts_per_tok"},
                      say("a token cannot choose {} of {} experts", mlp.expertsPerToken, mlp.experts));
    const int groups = config.smallCountOr({"n_group"}, 1);
    const int chosen = config.smallCountOr({"topk_group"}, 1);
    if (chosen < groups) {
        mlp.expertGroups = groups;
        mlp.groupsPerToken = chosen;
    }
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
    const std::vector<bool> ownIndexer = ownIndexers(reading, layers);
    for (std::size_t i = 0; i < layers; ++i) {
        const auto number = static_cast<std::int64_t>(i);
        const LayerKind& kind = number >= first && every > 0 && number % every == 0 ? moe : dense;
        reading.addLayer(ownIndexer[i] ? kind : withoutIndexer(kind));
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

// DeepSeek's own code makes the windows of a compressor overlap, and gives it an indexer, where it merges
// four tokens.
constexpr std::int64_t overlappingRatio = 4;

Compressed readCompressedAttention(const HfReading& reading, std::int64_t ratio)
{
    const ConfigReader& config = reading.config;
    Compressed mixer;
    mixer.queryHeads = config.smallCount({"num_attention_heads"});
    if (config.countOr({"num_key_value_heads"}, 1) != 1)
        config.report({"num_key_value_heads"}, "all heads of this attention share one key");
    mixer.headDim = config.smallCount({"head_dim"});
    mixer.qLoraRank = config.smallCount({"q_lora_rank"});
    mixer.qkRopeDim = config.smallCount({"qk_rope_head_dim"});
    mixer.window = config.count({"sliding_window"});
    mixer.outGroups = config.smallCount({"o_groups"});
    mixer.outLoraRank = config.smallCount({"o_lora_rank"});
    mixer.compression = static_cast<int>(ratio);
    if (ratio == overlappingRatio) {
        mixer.indexHeads = config.smallCount({"index_n_heads"});
        mixer.indexHeadDim = config.smallCount({"index_head_dim"});
        mixer.indexTopK = config.count({"index_topk"});
    }
    return mixer;
}

// The experts of the first layers are looked up by token: their router has no bias that corrects it.
void readDeepSeekV4(HfReading& reading)
{
    const ConfigReader& config = reading.config;
    readOuter(reading, false);
    reading.llm.residualStreams = config.smallCountOr({"hc_mult"}, 1);
    if (config.flagOr({"attention_bias"}, false))
        config.report({"attention_bias"}, "compressed attention with biases is not counted");
    const std::size_t layers = layerCount(reading);
    const int modules = config.smallCountOr({"num_nextn_predict_layers"}, 0);
    const std::int64_t looked = config.countOr({"num_hash_layers"}, 0);
    const ConfigReader::Keys ratioKeys{"compress_ratios"};
    if (!config.find(ratioKeys).isArray())
        return config.report(ratioKeys, "'compress_ratios' is missing: one number for each layer");
    const std::vector<std::int64_t> ratios
        = config.perLayer(ratioKeys, layers + static_cast<std::size_t>(std::clamp(modules, 0, 1)));
    for (std::size_t i = 0; i < layers && reading.problems.empty(); ++i)
        reading.addLayer({.mixer = readCompressedAttention(reading, ratios[i]),
                          .mlp = readLatentExperts(reading, static_cast<std::int64_t>(i) >= looked)});
    if (modules == 0 || !reading.problems.empty())
        return;
    reading.llm.mtp = {.layers = modules, .inCheckpoint = true};
    reading.llm.mtp.kinds = {reading.indexOf(
        {.mixer = readCompressedAttention(reading, ratios.back()), .mlp = readLatentExperts(reading, true)})};
}

constexpr std::array latentRows{
    HfArchitecture{"DeepseekV2ForCausalLM", "deepseek_v2", readDeepSeekV2},
    HfArchitecture{"DeepseekV3ForCausalLM", "deepseek_v3", readDeepSeekV3},
    HfArchitecture{"DeepseekV32ForCausalLM", "deepseek_v32", readDeepSeekV3},
    HfArchitecture{"DeepseekV4ForCausalLM", "deepseek_v4", readDeepSeekV4},
    HfArchitecture{"KimiK25ForConditionalGeneration", "kimi_k2", readDeepSeekV3},
    HfArchitecture{"GlmMoeDsaForCausalLM", "glm_moe_dsa", readGlmDsa},
    HfArchitecture{"Glm4MoeLiteForCausalLM", "glm4_moe_lite", readGlm4MoeLite},
    HfArchitecture{"Mistral4ForCausalLM", "mistral4", readMistral4},
};

} // namespace

// Its router is a plain softmax: no bias corrects the scores (transformers, Mistral4TopkRouter).
void readMistral4(HfReading& reading) { readLatent(reading, false, false); }

std::span<const HfArchitecture> latentArchitectures() { return latentRows; }

} // namespace headroom
