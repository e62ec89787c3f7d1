// Decoder-only models of the Llama pattern: pre- or post-norm, rotary attention, a gated MLP.
#include "model/import/hf_architectures.h"

#include <array>
#include <fmt/format.h>

namespace headroom {

namespace {

std::int64_t intermediateSize(const HfReading& reading)
{
    return reading.config.count({"intermediate_size"});
}

// The window of a layer; 0 where it is not narrower than the context (Phi-4-mini: 262,144 of 131,072).
std::int64_t effectiveWindow(const HfReading& reading, std::int64_t window)
{
    return reading.llm.maxContext > 0 && window >= reading.llm.maxContext ? 0 : window;
}

LayerKind llamaLayer(HfReading& reading, bool biasByDefault)
{
    LayerKind kind;
    kind.mixer = readAttention(reading);
    kind.attention().qkvBias = reading.config.flagOr({"attention_bias"}, biasByDefault);
    kind.attention().outBias = kind.attention().qkvBias;
    kind.mlp = denseMlp(intermediateSize(reading), true, reading.config.flagOr({"mlp_bias"}, false));
    return kind;
}

void readLlama(HfReading& reading)
{
    readOuter(reading, false);
    addLayers(reading, llamaLayer(reading, false), layerCount(reading));
}

// InternLM2 and Baichuan write `bias` or nothing; Baichuan's 13B has ALiBi and writes model_max_length only.
void readInternLm(HfReading& reading)
{
    readOuter(reading, false);
    LayerKind kind = llamaLayer(reading, reading.config.flagOr({"bias"}, false));
    addLayers(reading, kind, layerCount(reading));
}
void readBaichuan(HfReading& reading)
{
    readOuter(reading, false);
    LayerKind kind = llamaLayer(reading, false);
    kind.attention().rope = reading.config.has({"max_position_embeddings"});
    addLayers(reading, kind, layerCount(reading));
}

// MistralConfig's own default is a window of 4,096; later files write null, and Ministral3Config has none.
void readMistral(HfReading& reading)
{
    const std::string type = reading.config.textOr({"model_type"}, "");
    if (type == "mistral4")
        return readMistral4(reading);
    readOuter(reading, false);
    LayerKind kind = llamaLayer(reading, false);
    const bool written = static_cast<bool>(reading.config.object()["sliding_window"]) || type == "ministral3";
    const std::int64_t window = reading.config.countOr({"sliding_window"}, written ? 0 : 4096);
    if (!written)
        reading.warnings.emplace_back(
            "sliding_window is not written: the class default of 4096 tokens is taken");
    const std::size_t layers = layerCount(reading);
    addWindowed(reading, kind, fullLayers(reading, std::vector<bool>(layers, false)),
                effectiveWindow(reading, window));
}

// Qwen2 and 3: `use_sliding_window` decides, and then only layers from `max_window_layers` on are narrow.
void addQwenLayers(HfReading& reading, const LayerKind& kind)
{
    const std::size_t layers = layerCount(reading);
    std::vector<bool> full(layers, true);
    std::int64_t window = 0;
    if (reading.config.flagOr({"use_sliding_window"}, false)) {
        window = effectiveWindow(reading, reading.config.count({"sliding_window"}));
        const auto first = static_cast<std::size_t>(reading.config.count({"max_window_layers"}));
        for (std::size_t i = first; i < layers; ++i)
            full[i] = false;
    }
    addWindowed(reading, kind, fullLayers(reading, full), window);
}
void readQwen2(HfReading& reading)
{
    readOuter(reading, false);
    LayerKind kind = llamaLayer(reading, false);
    kind.attention().qkvBias = true; // by the class: Qwen2 configs have no key for it
    kind.attention().outBias = false;
    addQwenLayers(reading, kind);
}
void readQwen3(HfReading& reading)
{
    readOuter(reading, false);
    LayerKind kind = llamaLayer(reading, false);
    kind.attention().qkNorm = QkNorm::PerHead;
    addQwenLayers(reading, kind);
}

void readPhi3(HfReading& reading)
{
    readOuter(reading, false);
    LayerKind kind = llamaLayer(reading, false);
    const std::int64_t window = effectiveWindow(reading, reading.config.countOr({"sliding_window"}, 0));
    kind.attention().window = window;
    reading.llm.headBias = reading.config.flagOr({"lm_head_bias"}, false);
    addLayers(reading, kind, layerCount(reading));
}

void readGemma(HfReading& reading)
{
    readOuter(reading, true);
    addLayers(reading, llamaLayer(reading, false), layerCount(reading));
}
void readGemma2(HfReading& reading)
{
    readOuter(reading, true);
    LayerKind kind = llamaLayer(reading, false);
    kind.norms = 4; // before and after attention and MLP
    const std::size_t layers = layerCount(reading);
    addWindowed(reading, kind, fullLayers(reading, everyNthFull(layers, 2)),
                reading.config.count({"sliding_window"}));
}

// Text configurations inside a multimodal file were saved as differences to the class; these are its defaults
// (transformers Gemma3TextConfig: vocabulary 262,208, 8 heads of 256 over 4, window 4,096, every sixth layer
// full).
void readGemma3(HfReading& reading)
{
    const ConfigReader& config = reading.config;
    const bool nested = reading.nested;
    readOuter(reading, true, nested ? 262208 : 0);
    LayerKind kind;
    if (nested) {
        kind.attention().queryHeads = config.smallCountOr({"num_attention_heads"}, 8);
        kind.attention().kvHeads = config.smallCountOr({"num_key_value_heads"}, 4);
        kind.attention().headDim = config.smallCountOr({"head_dim"}, 256);
        contextUnlessWritten(reading, 131072, "the default of Gemma3TextConfig");
        kind.mlp = denseMlp(intermediateSize(reading));
    } else {
        kind = llamaLayer(reading, false);
    }
    kind.attention().qkNorm = QkNorm::PerHead;
    kind.norms = 4;
    const std::int64_t pattern = config.countOr({"sliding_window_pattern", "_sliding_window_pattern"}, 6);
    const std::int64_t window
        = nested ? config.countOr({"sliding_window"}, 4096) : config.count({"sliding_window"});
    addWindowed(reading, kind, fullLayers(reading, everyNthFull(layerCount(reading), pattern)), window);
}

// OLMo 2 and 3 normalise after attention and MLP and over the full width of q and k.
LayerKind olmoLayer(HfReading& reading)
{
    LayerKind kind = llamaLayer(reading, false);
    kind.attention().qkNorm = QkNorm::FullWidth;
    return kind;
}
void readOlmo2(HfReading& reading)
{
    readOuter(reading, false);
    addLayers(reading, olmoLayer(reading), layerCount(reading));
}
void readOlmo3(HfReading& reading)
{
    readOuter(reading, false);
    const LayerKind kind = olmoLayer(reading);
    const std::size_t layers = layerCount(reading);
    addWindowed(reading, kind, fullLayers(reading, everyNthFull(layers, 4)),
                reading.config.count({"sliding_window"}));
}

// SmolLM3: every fourth layer has no rotary embedding; the list says 1 where it has.
void readSmolLm3(HfReading& reading)
{
    readOuter(reading, true);
    LayerKind kind = llamaLayer(reading, false);
    const std::size_t layers = layerCount(reading);
    std::vector<std::int64_t> rope(layers, 1);
    const std::vector<bool> none
        = everyNthFull(layers, reading.config.countOr({"no_rope_layer_interval"}, 4));
    for (std::size_t i = 0; i < layers; ++i)
        rope[i] = none[i] ? 0 : 1;
    if (reading.config.find({"no_rope_layers"}).size() > 0)
        rope = reading.config.perLayer({"no_rope_layers"}, layers);
    for (std::size_t i = 0; i < layers; ++i) {
        kind.attention().rope = rope[i] != 0;
        reading.addLayer(kind);
    }
}

void readSeedOss(HfReading& reading)
{
    readOuter(reading, false);
    LayerKind kind = llamaLayer(reading, true);
    kind.attention().outBias = reading.config.flagOr({"attention_out_bias"}, false);
    addLayers(reading, kind, layerCount(reading));
}

// GLM-4: biases on q, k, v only; the 0414 class adds a norm behind attention and behind the MLP.
void readGlm(HfReading& reading, int norms)
{
    readOuter(reading, false);
    LayerKind kind = llamaLayer(reading, true);
    kind.attention().outBias = false;
    kind.norms = norms;
    if (!reading.config.has({"partial_rotary_factor"}) && !reading.config.has({"rope_parameters"}))
        kind.attention().ropeDims = kind.attention().headDim / 2; // class default 0.5
    addLayers(reading, kind, layerCount(reading));
}
void readGlm1(HfReading& reading) { readGlm(reading, 2); }
void readGlm4(HfReading& reading) { readGlm(reading, 4); }

// ChatGLM's remote-code configuration has names of its own and halves the rotated dimensions in the code.
void readChatGlm(HfReading& reading)
{
    const ConfigReader& config = reading.config;
    readOuter(reading, false);
    LayerKind kind;
    kind.mixer = readAttention(reading);
    const bool grouped = config.flagOr({"multi_query_attention"}, false);
    kind.attention().kvHeads
        = grouped ? config.smallCount({"multi_query_group_num"}) : kind.attention().queryHeads;
    kind.attention().ropeDims = kind.attention().headDim / 2;
    const bool biasAll = config.flagOr({"add_bias_linear"}, false);
    kind.attention().qkvBias = biasAll || config.flagOr({"add_qkv_bias"}, false);
    kind.attention().outBias = biasAll;
    kind.mlp = denseMlp(config.count({"ffn_hidden_size"}), true, biasAll);
    reading.llm.finalNorm = config.flagOr({"post_layer_norm"}, true);
    reading.llm.norm = config.flagOr({"rmsnorm"}, true) ? NormKind::RmsNorm : NormKind::LayerNorm;
    addLayers(reading, kind, layerCount(reading));
}

// Nemotron-NAS (transformers "DeciLM"): each block has its own attention and width, or neither.
// Width as in the publisher's code: 2/3 of mult x hidden, up to the next multiple of 256.
std::int64_t nasWidth(const HfReading& reading, JsonValue ffn)
{
    if (const auto given = ffn["intermediate_size"].whole(); given && *given > 0)
        return *given;
    const auto multiple = ffn["ffn_mult"].number();
    if (!multiple || *multiple <= 0 || *multiple > 64) {
        reading.config.report(ffn, "expected 'ffn_mult' as a number above 0");
        return 1;
    }
    const auto width = static_cast<std::int64_t>(2 * *multiple * static_cast<double>(reading.llm.hidden) / 3);
    return (width + 255) / 256 * 256;
}
void addNasBlock(HfReading& reading, JsonValue block, LayerKind kind)
{
    const ConfigReader attention(block["attention"], reading.problems);
    const ConfigReader ffn(block["ffn"], reading.problems);
    for (const ConfigReader& part : {attention, ffn})
        if (part.flagOr({"replace_with_linear"}, false))
            reading.config.report(part.object(),
                                  "a linear layer in place of attention or MLP is not counted");
    kind.norms = 0;
    if (attention.flagOr({"no_op"}, false)) {
        kind.mixer = NoMixer{};
    } else {
        const int group = attention.smallCount({"n_heads_in_group"});
        if (kind.attention().queryHeads % group != 0)
            reading.config.report(
                attention.object(),
                say("{} query heads cannot be split into groups of {}", kind.attention().queryHeads, group));
        kind.attention().kvHeads = std::max(1, kind.attention().queryHeads / group);
        ++kind.norms;
    }
    if (ffn.flagOr({"no_op"}, false)) {
        kind.mlp = Mlp{.kind = MlpKind::None};
    } else {
        kind.mlp = denseMlp(nasWidth(reading, ffn.object()));
        ++kind.norms;
    }
    reading.addLayer(kind);
}
void readNemotronNas(HfReading& reading)
{
    readOuter(reading, false);
    const JsonValue blocks = reading.config.find({"block_configs"});
    const std::size_t layers = layerCount(reading);
    if (!blocks.isArray() || blocks.size() != layers)
        return reading.config.report({"block_configs"}, say("expected a list of {} blocks", layers));
    LayerKind kind;
    kind.mixer = readAttention(reading);
    for (JsonValue block = blocks.firstChild(); block; block = block.next())
        addNasBlock(reading, block, kind);
}

constexpr std::array denseRows{
    HfArchitecture{"LlamaForCausalLM", "llama", readLlama},
    HfArchitecture{"GraniteForCausalLM", "granite", readLlama},
    HfArchitecture{"InternLM2ForCausalLM", "internlm2", readInternLm},
    HfArchitecture{"BaichuanForCausalLM", "baichuan", readBaichuan},
    HfArchitecture{"MistralForCausalLM", "mistral", readMistral},
    HfArchitecture{"Mistral3ForConditionalGeneration", "mistral3", readMistral},
    HfArchitecture{"Qwen2ForCausalLM", "qwen2", readQwen2},
    HfArchitecture{"Qwen2_5_VLForConditionalGeneration", "qwen2_5_vl", readQwen2},
    HfArchitecture{"Qwen3ForCausalLM", "qwen3", readQwen3},
    HfArchitecture{"Qwen3VLForConditionalGeneration", "qwen3_vl", readQwen3},
    HfArchitecture{"Phi3ForCausalLM", "phi3", readPhi3},
    HfArchitecture{"GemmaForCausalLM", "gemma", readGemma},
    HfArchitecture{"Gemma2ForCausalLM", "gemma2", readGemma2},
    HfArchitecture{"Gemma3ForCausalLM", "gemma3_text", readGemma3},
    HfArchitecture{"Gemma3ForConditionalGeneration", "gemma3", readGemma3},
    HfArchitecture{"Olmo2ForCausalLM", "olmo2", readOlmo2},
    HfArchitecture{"Olmo3ForCausalLM", "olmo3", readOlmo3},
    HfArchitecture{"SmolLM3ForCausalLM", "smollm3", readSmolLm3},
    HfArchitecture{"SeedOssForCausalLM", "seed_oss", readSeedOss},
    HfArchitecture{"GlmForCausalLM", "glm", readGlm1},
    HfArchitecture{"Glm4ForCausalLM", "glm4", readGlm4},
    HfArchitecture{"ChatGLMModel", "chatglm", readChatGlm},
    HfArchitecture{"ChatGLMForConditionalGeneration", "chatglm", readChatGlm},
    HfArchitecture{"DeciLMForCausalLM", "nemotron-nas", readNemotronNas},
};

} // namespace

std::span<const HfArchitecture> denseArchitectures() { return denseRows; }

} // namespace headroom
