// Models before or beside the Llama pattern: LayerNorm, ungated MLPs, parallel attention, learned or linear
// positions.
#include "model/import/hf_architectures.h"

#include <array>
#include <fmt/format.h>

namespace headroom {

namespace {

// GPT-2 and what descends from it: a width of four times the hidden one where none is written.
std::int64_t fourfoldUnless(const HfReading& reading, ConfigReader::Keys keys)
{
    return reading.config.countOr(keys, 4 * reading.llm.hidden);
}

void setBias(LayerKind& kind, bool bias)
{
    kind.attention().qkvBias = bias;
    kind.attention().outBias = bias;
    kind.mlp.bias = bias;
}

void readFalcon(HfReading& reading)
{
    const ConfigReader& config = reading.config;
    readOuter(reading, true);
    contextUnlessWritten(reading, 2048, "the default of FalconConfig");
    reading.llm.norm = NormKind::LayerNorm;
    LayerKind kind;
    kind.mixer = readAttention(reading);
    const bool newDecoder = config.flagOr({"new_decoder_architecture"}, false);
    if (newDecoder)
        kind.attention().kvHeads
            = config.smallCountOr({"num_kv_heads", "n_head_kv"}, kind.attention().queryHeads);
    else if (config.flagOr({"multi_query"}, true))
        kind.attention().kvHeads = 1;
    kind.attention().rope = !config.flagOr({"alibi"}, false);
    kind.parallel = newDecoder || config.flagOr({"parallel_attn"}, true);
    kind.norms = config.smallCountOr({"num_ln_in_parallel_attn"}, newDecoder || !kind.parallel ? 2 : 1);
    kind.mlp = denseMlp(fourfoldUnless(reading, {"ffn_hidden_size"}), false);
    setBias(kind, config.flagOr({"bias"}, false));
    addLayers(reading, kind, layerCount(reading));
}

void readGptJ(HfReading& reading)
{
    readOuter(reading, false);
    reading.llm.norm = NormKind::LayerNorm;
    reading.llm.headBias = true;
    LayerKind kind{.mixer = readAttention(reading), .norms = 1, .parallel = true};
    kind.mlp = denseMlp(fourfoldUnless(reading, {"n_inner"}), false, true);
    addLayers(reading, kind, layerCount(reading));
}

void readGptNeoX(HfReading& reading)
{
    const ConfigReader& config = reading.config;
    readOuter(reading, false);
    reading.llm.norm = NormKind::LayerNorm;
    LayerKind kind{.mixer = readAttention(reading),
                   .parallel = config.flagOr({"use_parallel_residual"}, true)};
    kind.mlp = denseMlp(config.count({"intermediate_size"}), false, true);
    kind.attention().qkvBias = config.flagOr({"attention_bias"}, true);
    kind.attention().outBias = kind.attention().qkvBias;
    if (!config.has({"rotary_pct", "partial_rotary_factor"}))
        kind.attention().ropeDims = kind.attention().headDim / 4; // class default 0.25
    addLayers(reading, kind, layerCount(reading));
}

void readGpt2(HfReading& reading)
{
    readOuter(reading, true);
    reading.llm.norm = NormKind::LayerNorm;
    reading.llm.learnedPositions = reading.config.count({"n_positions", "n_ctx"});
    LayerKind kind{.mixer = readAttention(reading)};
    kind.attention().rope = false;
    kind.attention().ropeDims = 0;
    kind.mlp = denseMlp(fourfoldUnless(reading, {"n_inner"}), false);
    setBias(kind, true);
    addLayers(reading, kind, layerCount(reading));
}

void readBloom(HfReading& reading)
{
    readOuter(reading, true);
    reading.llm.norm = NormKind::LayerNorm;
    reading.llm.embeddingNorm = true;
    LayerKind kind{.mixer = readAttention(reading)};
    kind.attention().rope = false;
    kind.mlp = denseMlp(4 * reading.llm.hidden, false);
    setBias(kind, true);
    addLayers(reading, kind, layerCount(reading));
}

void readOpt(HfReading& reading)
{
    const ConfigReader& config = reading.config;
    readOuter(reading, true);
    if (config.countOr({"word_embed_proj_dim"}, reading.llm.hidden) != reading.llm.hidden)
        config.report({"word_embed_proj_dim"},
                      "an embedding narrower than the model (OPT-350M) is not counted");
    if (!config.flagOr({"do_layer_norm_before"}, true))
        config.report({"do_layer_norm_before"}, "norms behind the layers (OPT-350M) are not counted");
    reading.llm.norm = NormKind::LayerNorm;
    reading.llm.learnedPositions = reading.llm.maxContext + 2; // OPTLearnedPositionalEmbedding's offset
    LayerKind kind{.mixer = readAttention(reading)};
    kind.attention().rope = false;
    kind.mlp = denseMlp(config.count({"ffn_dim"}), false);
    setBias(kind, config.flagOr({"enable_bias"}, true));
    addLayers(reading, kind, layerCount(reading));
}

void readMpt(HfReading& reading)
{
    const ConfigReader& config = reading.config;
    const ConfigReader attention = config.within("attn_config");
    readOuter(reading, true);
    if (!config.flagOr({"no_bias"}, true))
        config.report({"no_bias"}, "an MPT with biases is not counted");
    reading.llm.norm = NormKind::LayerNormNoBias;
    LayerKind kind{.mixer = readAttention(reading)};
    if (attention.textOr({"attn_type"}, "multihead_attention") == "multiquery_attention")
        kind.attention().kvHeads = 1;
    kind.attention().kvHeads = attention.smallCountOr({"kv_n_heads"}, kind.attention().kvHeads);
    if (attention.flagOr({"qk_ln"}, false))
        config.report(attention.object(), "norms on q and k of an MPT are not counted");
    kind.attention().rope = attention.flagOr({"rope"}, false);
    const bool alibi = attention.flagOr({"alibi"}, false);
    if (!alibi && !kind.attention().rope && config.flagOr({"learned_pos_emb"}, true))
        reading.llm.learnedPositions = reading.llm.maxContext;
    kind.mlp = denseMlp(reading.llm.hidden * config.countOr({"expansion_ratio"}, 4), false);
    addLayers(reading, kind, layerCount(reading));
}

void readStarcoder2(HfReading& reading)
{
    const ConfigReader& config = reading.config;
    readOuter(reading, true);
    reading.llm.norm = NormKind::LayerNorm;
    LayerKind kind{.mixer = readAttention(reading)};
    kind.attention().window = config.countOr({"sliding_window"}, 0);
    kind.mlp = denseMlp(config.count({"intermediate_size"}), false);
    setBias(kind, config.flagOr({"use_bias"}, true));
    addLayers(reading, kind, layerCount(reading));
}

LayerKind cohereLayer(HfReading& reading)
{
    const ConfigReader& config = reading.config;
    readOuter(reading, true);
    reading.llm.norm = NormKind::LayerNormNoBias;
    LayerKind kind{.mixer = readAttention(reading), .norms = 1, .parallel = true};
    kind.attention().qkvBias = config.flagOr({"attention_bias"}, false);
    kind.attention().outBias = kind.attention().qkvBias;
    kind.mlp = denseMlp(config.count({"intermediate_size"}));
    return kind;
}
void readCohere(HfReading& reading)
{
    LayerKind kind = cohereLayer(reading);
    if (reading.config.flagOr({"use_qk_norm"}, false))
        kind.attention().qkNorm = QkNorm::PerHeadWeights; // a weight for every head and dimension
    addLayers(reading, kind, layerCount(reading));
}
// Command R7B and A: windows with rotary embedding, every fourth layer without either.
void readCohere2(HfReading& reading)
{
    LayerKind kind = cohereLayer(reading);
    const std::int64_t window = reading.config.count({"sliding_window"});
    const std::int64_t pattern
        = reading.config.countOr({"sliding_window_pattern", "_sliding_window_pattern"}, 4);
    for (const bool full : fullLayers(reading, everyNthFull(layerCount(reading), pattern))) {
        kind.attention().window = full ? 0 : window;
        kind.attention().rope = !full;
        reading.addLayer(kind);
    }
}

// Phi-1 and 2: attention and MLP side by side behind one LayerNorm, biases everywhere, the head included.
void readPhi(HfReading& reading)
{
    const ConfigReader& config = reading.config;
    readOuter(reading, false);
    reading.llm.norm = NormKind::LayerNorm;
    reading.llm.headBias = true;
    if (config.flagOr({"qk_layernorm"}, false))
        config.report({"qk_layernorm"}, "norms on q and k of a Phi are not counted");
    LayerKind kind{.mixer = readAttention(reading), .norms = 1, .parallel = true};
    if (!config.has({"partial_rotary_factor"}))
        kind.attention().ropeDims = kind.attention().headDim / 2; // class default 0.5
    kind.mlp = denseMlp(config.count({"intermediate_size"}), false);
    setBias(kind, true);
    addLayers(reading, kind, layerCount(reading));
}

// Nemotron-4: LayerNorm1P has a weight and a bias like LayerNorm; squared ReLU without a gate.
void readNemotron(HfReading& reading)
{
    const ConfigReader& config = reading.config;
    readOuter(reading, false);
    reading.llm.norm = NormKind::LayerNorm;
    LayerKind kind{.mixer = readAttention(reading)};
    if (!config.has({"partial_rotary_factor"}))
        kind.attention().ropeDims = kind.attention().headDim / 2; // class default 0.5
    kind.attention().qkvBias = config.flagOr({"attention_bias"}, false);
    kind.attention().outBias = kind.attention().qkvBias;
    kind.mlp = denseMlp(config.count({"intermediate_size"}), false, config.flagOr({"mlp_bias"}, false));
    addLayers(reading, kind, layerCount(reading));
}

constexpr std::array olderRows{
    HfArchitecture{"FalconForCausalLM", "falcon", readFalcon},
    HfArchitecture{"RWForCausalLM", "RefinedWeb", readFalcon},
    HfArchitecture{"GPTJForCausalLM", "gptj", readGptJ},
    HfArchitecture{"GPTNeoXForCausalLM", "gpt_neox", readGptNeoX},
    HfArchitecture{"GPT2LMHeadModel", "gpt2", readGpt2},
    HfArchitecture{"BloomForCausalLM", "bloom", readBloom},
    HfArchitecture{"OPTForCausalLM", "opt", readOpt},
    HfArchitecture{"MPTForCausalLM", "mpt", readMpt},
    HfArchitecture{"MptForCausalLM", "mpt", readMpt},
    HfArchitecture{"Starcoder2ForCausalLM", "starcoder2", readStarcoder2},
    HfArchitecture{"CohereForCausalLM", "cohere", readCohere},
    HfArchitecture{"Cohere2ForCausalLM", "cohere2", readCohere2},
    HfArchitecture{"PhiForCausalLM", "phi", readPhi},
    HfArchitecture{"NemotronForCausalLM", "nemotron", readNemotron},
};

} // namespace

std::span<const HfArchitecture> olderArchitectures() { return olderRows; }

} // namespace headroom
