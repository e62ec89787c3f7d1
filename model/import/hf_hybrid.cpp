// Layers that keep a state instead of a cache: gated delta rule, lightning attention, Mamba, alone or mixed.
#include "model/import/hf_architectures.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace headroom {

namespace {

Mlp routedExperts(const HfReading& reading, ConfigReader::Keys width)
{
    const ConfigReader& config = reading.config;
    Mlp mlp{.kind = MlpKind::Moe};
    mlp.experts = config.smallCount({"num_experts", "num_local_experts", "n_routed_experts"});
    mlp.expertsPerToken = config.smallCount({"num_experts_per_tok"});
    if (mlp.expertsPerToken > mlp.experts)
        config.report({"num_experts_per_tok"},
                      say("a token cannot choose {} of {} experts", mlp.expertsPerToken, mlp.experts));
    mlp.expertIntermediate = config.count(width);
    return mlp;
}

// Engines keep the recurrent state in the type the file asks for, else in that of the activations.
DType stateType(const HfReading& reading, ConfigReader::Keys keys)
{
    const std::string word = reading.config.textOr(keys, "");
    if (word.empty())
        return DType::Bf16;
    const auto type = dtypeFromName(word);
    if (!type)
        reading.config.report(keys, say("unknown type '{}'", word.substr(0, 40)));
    return type.value_or(DType::Bf16);
}

DeltaNet readDeltaNet(const HfReading& reading)
{
    const ConfigReader& config = reading.config;
    DeltaNet mixer;
    mixer.valueHeads = config.smallCount({"linear_num_value_heads"});
    mixer.keyHeads = config.smallCount({"linear_num_key_heads"});
    mixer.keyDim = config.smallCount({"linear_key_head_dim"});
    mixer.valueDim = config.smallCount({"linear_value_head_dim"});
    mixer.convKernel = config.smallCount({"linear_conv_kernel_dim"});
    mixer.stateType = stateType(reading, {"mamba_ssm_dtype"});
    return mixer;
}

Mlp qwenMlp(const HfReading& reading)
{
    const ConfigReader& config = reading.config;
    if (!config.has({"num_experts"}))
        return denseMlp(config.count({"intermediate_size"}));
    Mlp mlp = routedExperts(reading, {"moe_intermediate_size"});
    mlp.sharedIntermediate = config.countOr({"shared_expert_intermediate_size"}, 0);
    mlp.sharedGate = mlp.sharedIntermediate > 0;
    return mlp;
}

// Qwen3-Next and Qwen3.5: three delta-rule layers, then one of gated attention.
void readQwenHybrid(HfReading& reading, int predictionModules)
{
    const ConfigReader& config = reading.config;
    readOuter(reading, false);
    LayerKind attention{.mixer = readAttention(reading)};
    attention.attention().outputGate = config.flagOr({"attn_output_gate"}, true);
    attention.attention().qkNorm = QkNorm::PerHead;
    attention.attention().qkvBias = config.flagOr({"attention_bias"}, false);
    attention.attention().outBias = attention.attention().qkvBias;
    attention.mlp = qwenMlp(reading);
    const LayerKind linear{.mixer = readDeltaNet(reading), .mlp = attention.mlp};
    if (config.find({"mlp_only_layers"}).size() > 0 || config.countOr({"decoder_sparse_step"}, 1) != 1)
        config.report({"mlp_only_layers", "decoder_sparse_step"},
                      "dense layers between the experts are not counted");
    const std::size_t layers = layerCount(reading);
    const std::int64_t interval = config.countOr({"full_attention_interval"}, 4);
    for (const bool full : fullLayers(reading, everyNthFull(layers, interval)))
        reading.addLayer(full ? attention : linear);
    if (predictionModules == 0)
        return;
    reading.llm.mtp = {.layers = predictionModules, .inCheckpoint = true};
    reading.llm.mtp.kinds = {reading.indexOf(attention)};
}
// The published Qwen3-Next has a prediction module that its configuration does not mention.
void readQwen3Next(HfReading& reading)
{
    readQwenHybrid(reading, 1);
    reading.warnings.emplace_back(
        "the file does not say whether the checkpoint holds a prediction module: taken as in "
        "Qwen3-Next-80B-A3B, which has one");
}
void readQwen35(HfReading& reading)
{
    readQwenHybrid(reading, reading.config.smallCountOr({"mtp_num_hidden_layers"}, 0));
}

// MiniMax-01 and M1: `attn_type_list` has 1 for softmax attention, 0 for lightning attention.
void readMiniMax(HfReading& reading)
{
    const ConfigReader& config = reading.config;
    readOuter(reading, false);
    LayerKind attention{.mixer = readAttention(reading)};
    attention.mlp = routedExperts(reading, {"intermediate_size"});
    attention.mlp.sharedIntermediate = config.countOr({"shared_intermediate_size"}, 0);
    LayerKind linear = attention;
    linear.mixer = Lightning{.queryHeads = attention.attention().queryHeads,
                             .headDim = attention.attention().headDim,
                             .outputGate = true};
    const std::size_t layers = layerCount(reading);
    for (const std::int64_t softmax : config.perLayer({"attn_type_list"}, layers))
        reading.addLayer(softmax != 0 ? attention : linear);
}

// Jamba: Mamba-1 with norms on dt, B and C; every eighth layer attends, every second has experts.
Mamba1 readMamba1(const HfReading& reading)
{
    const ConfigReader& config = reading.config;
    Mamba1 mixer{.innerNorms = true};
    mixer.innerDim = static_cast<int>(config.countOr({"mamba_expand"}, 2) * reading.llm.hidden);
    mixer.stateDim = config.smallCountOr({"mamba_d_state"}, 16);
    mixer.convKernel = config.smallCountOr({"mamba_d_conv"}, 4);
    const bool given
        = config.find({"mamba_dt_rank"}).whole().has_value(); // else "auto": a sixteenth of the width
    mixer.dtRank
        = given ? config.smallCount({"mamba_dt_rank"}) : static_cast<int>((reading.llm.hidden + 15) / 16);
    mixer.convBias = config.flagOr({"mamba_conv_bias"}, true);
    if (config.flagOr({"mamba_proj_bias"}, false))
        config.report({"mamba_proj_bias"}, "Mamba projections with biases are not counted");
    return mixer;
}
void readJamba(HfReading& reading)
{
    const ConfigReader& config = reading.config;
    readOuter(reading, false);
    Attention attention = readAttention(reading);
    attention.rope = false;
    const Mamba1 mamba = readMamba1(reading);
    const Mlp moe = routedExperts(reading, {"intermediate_size"});
    const Mlp dense = denseMlp(config.count({"intermediate_size"}));
    const auto hits = [&](std::size_t layer, ConfigReader::Keys period, ConfigReader::Keys offset,
                          std::int64_t every, std::int64_t start) {
        const std::int64_t step = std::max<std::int64_t>(1, config.countOr(period, every));
        return static_cast<std::int64_t>(layer) % step == config.countOr(offset, start) % step;
    };
    const std::size_t layers = layerCount(reading);
    for (std::size_t i = 0; i < layers; ++i) {
        const bool attends = hits(i, {"attn_layer_period"}, {"attn_layer_offset"}, 8, 4);
        const bool routes
            = moe.experts > 1 && hits(i, {"expert_layer_period"}, {"expert_layer_offset"}, 2, 1);
        reading.addLayer({.mixer = attends ? Mixer(attention) : Mixer(mamba), .mlp = routes ? moe : dense});
    }
}

Mamba2 readMamba2(const HfReading& reading)
{
    const ConfigReader& config = reading.config;
    Mamba2 mixer;
    mixer.heads = config.smallCount({"mamba_num_heads", "mamba_n_heads", "num_heads"});
    const std::int64_t width = mixer.heads * config.count({"mamba_head_dim", "mamba_d_head", "head_dim"});
    if (width > (std::int64_t{1} << 30))
        config.report(config.object(), say("an inner width of {} is no model's", width));
    mixer.innerDim = static_cast<int>(std::min(width, std::int64_t{1} << 30));
    mixer.stateDim = config.smallCount({"ssm_state_size", "mamba_d_state", "state_size"});
    mixer.groups = config.smallCount({"n_groups", "mamba_n_groups"});
    mixer.convKernel = config.smallCount({"conv_kernel", "mamba_d_conv"});
    mixer.convBias = config.flagOr({"use_conv_bias", "mamba_conv_bias"}, true);
    if (config.flagOr({"mamba_proj_bias"}, false) || config.flagOr({"use_bias"}, false))
        config.report({"mamba_proj_bias", "use_bias"}, "Mamba projections with biases are not counted");
    mixer.stateType = stateType(reading, {"mamba_ssm_cache_dtype"});
    return mixer;
}

// The published Mamba-2 configurations are of the reference implementation (d_model, ssm_cfg), HF's of
// transformers.
void readMamba2Model(HfReading& reading)
{
    const ConfigReader& config = reading.config;
    readOuter(reading, config.has({"ssm_cfg"}));
    contextUnlessWritten(reading, std::int64_t{1} << 20,
                         "what llama.cpp writes for a recurrent state, which has no longest context");
    LayerKind kind{.mixer = {}, .mlp = {.kind = MlpKind::None}, .norms = 1};
    if (config.has({"ssm_cfg"})) {
        const ConfigReader ssm = config.within("ssm_cfg");
        const std::int64_t multiple
            = std::max<std::int64_t>(1, config.countOr({"pad_vocab_size_multiple"}, 8));
        reading.llm.vocab = (reading.llm.vocab + multiple - 1) / multiple * multiple;
        const std::int64_t inner = ssm.countOr({"expand"}, 2) * reading.llm.hidden;
        const std::int64_t headDim = std::max<std::int64_t>(1, ssm.countOr({"headdim"}, 64));
        kind.mixer = Mamba2{.innerDim = static_cast<int>(std::min(inner, std::int64_t{1} << 30)),
                            .stateDim = ssm.smallCountOr({"d_state"}, 128),
                            .convKernel = ssm.smallCountOr({"d_conv"}, 4),
                            .groups = ssm.smallCountOr({"ngroups"}, 1),
                            .heads = static_cast<int>(std::min(inner / headDim, std::int64_t{1} << 30))};
    } else {
        kind.mixer = readMamba2(reading);
    }
    addLayers(reading, kind, layerCount(reading));
}

// Nemotron-H writes a letter for each block: M Mamba-2, * attention, - MLP, E experts; each behind one norm.
// Later files have a list of words in its place.
class NemotronBlocks {
public:
    explicit NemotronBlocks(HfReading& reading) : m_reading(reading) {}

    [[nodiscard]] LayerKind block(char letter) const
    {
        const ConfigReader& config = m_reading.config;
        LayerKind kind{.mixer = NoMixer{}, .mlp = {.kind = MlpKind::None}, .norms = 1};
        if (letter == 'M') {
            kind.mixer = readMamba2(m_reading);
        } else if (letter == '*') {
            kind.mixer = readAttention(m_reading);
            kind.attention().qkvBias = config.flagOr({"attention_bias"}, false);
            kind.attention().outBias = kind.attention().qkvBias;
            kind.attention().rope = false; // positions come from the Mamba layers
            kind.attention().ropeDims = 0;
        } else if (letter == '-') {
            kind.mlp
                = denseMlp(config.count({"intermediate_size"}), false, config.flagOr({"mlp_bias"}, false));
        } else {
            kind.mlp = routedExperts(m_reading, {"moe_intermediate_size"});
            kind.mlp.gated = false;
            kind.mlp.routerBias = true;
            kind.mlp.latent = config.countOr({"moe_latent_size"}, 0);
            const std::int64_t shared = config.countOr({"n_shared_experts"}, 0);
            if (shared > 0)
                kind.mlp.sharedIntermediate = shared * config.count({"moe_shared_expert_intermediate_size"});
        }
        return kind;
    }

    // A letter for each block, from either spelling; reports and returns what can be read.
    [[nodiscard]] std::string letters(ConfigReader::Keys pattern, ConfigReader::Keys words) const
    {
        const ConfigReader& config = m_reading.config;
        if (!config.has(pattern) && config.has(words))
            return fromWords(words);
        const std::string text = config.textOr(pattern, "");
        if (text.find_first_not_of("M*-E") != std::string::npos)
            config.report(pattern, "expected only the letters M, *, - and E",
                          "M Mamba-2, * attention, - MLP, E experts");
        std::string known = text;
        std::erase_if(known,
                      [](char c) { return std::string_view("M*-E").find(c) == std::string_view::npos; });
        return known;
    }

private:
    [[nodiscard]] std::string fromWords(ConfigReader::Keys key) const
    {
        static constexpr std::array known{std::pair{"mamba", 'M'}, std::pair{"attention", '*'},
                                          std::pair{"mlp", '-'}, std::pair{"moe", 'E'}};
        std::string letters;
        for (JsonValue item = m_reading.config.find(key).firstChild(); item; item = item.next()) {
            const auto found = std::find_if(known.begin(), known.end(), [&](const auto& entry) {
                return item.text().value_or("") == entry.first;
            });
            if (found == known.end())
                m_reading.config.report(item, say("unknown kind of block {}", item.shown()),
                                        "one of mamba, attention, mlp, moe");
            else
                letters += found->second;
        }
        return letters;
    }

    HfReading& m_reading;
};

void readNemotronH(HfReading& reading)
{
    const ConfigReader& config = reading.config;
    readOuter(reading, false);
    const NemotronBlocks blocks(reading);
    const ConfigReader::Keys key{"hybrid_override_pattern"};
    const ConfigReader::Keys words{"layers_block_type"};
    if (!config.has(key) && !config.has(words))
        return config.report(key, "'hybrid_override_pattern' is missing");
    const std::string pattern = blocks.letters(key, words);
    // Nemotron 3 Ultra writes the list alone; its length is the depth.
    const std::size_t layers
        = config.has({"num_hidden_layers"}) || config.has(key) ? layerCount(reading) : pattern.size();
    if (pattern.size() != layers)
        return config.report(config.has(key) ? key : words,
                             say("expected {} letters, one for each layer, got {}", layers, pattern.size()));
    std::array<std::optional<std::uint8_t>, 256> seen; // a kind is read once, however often its letter comes
    for (const char letter : pattern) {
        auto& kind = seen.at(static_cast<unsigned char>(letter));
        if (!kind)
            kind = reading.indexOf(blocks.block(letter));
        reading.llm.layers.push_back(*kind);
    }
    const int modules = config.smallCountOr({"num_nextn_predict_layers"}, 0);
    if (modules == 0)
        return;
    reading.llm.mtp = {.layers = modules, .inCheckpoint = true};
    const ConfigReader::Keys moduleKey{"mtp_hybrid_override_pattern"};
    const ConfigReader::Keys moduleWords{"mtp_layers_block_type"};
    if (!config.has(moduleKey) && !config.has(moduleWords))
        return config.report(moduleKey, "'mtp_hybrid_override_pattern' is missing");
    for (const char letter : blocks.letters(moduleKey, moduleWords))
        reading.llm.mtp.kinds.push_back(reading.indexOf(blocks.block(letter)));
}

// Granite 4: Mamba-2 and attention, each followed by experts and a shared MLP; without experts only the
// latter.
void readGraniteHybrid(HfReading& reading)
{
    const ConfigReader& config = reading.config;
    readOuter(reading, true);
    Attention attention = readAttention(reading);
    attention.rope = config.textOr({"position_embedding_type"}, "rope") == "rope";
    attention.qkvBias = config.flagOr({"attention_bias"}, false);
    attention.outBias = attention.qkvBias;
    const std::size_t layers = layerCount(reading);
    const std::vector<std::string> types = config.layerWords({"layer_types", "layers_block_type"}, layers);
    if (types.empty())
        return config.report({"layer_types"}, "'layer_types' is missing");
    Mlp mlp = denseMlp(config.countOr({"shared_intermediate_size"}, 1024));
    if (config.countOr({"num_local_experts"}, 0) > 0) {
        const std::int64_t shared = mlp.intermediate;
        mlp = routedExperts(reading, {"intermediate_size"});
        mlp.sharedIntermediate = shared;
    }
    for (const std::string& type : types) {
        if (type != "mamba" && type != "attention")
            config.report({"layer_types", "layers_block_type"},
                          say("unknown kind of layer '{}'", type.substr(0, 40)), "one of mamba, attention");
        reading.addLayer(
            {.mixer = type == "attention" ? Mixer(attention) : Mixer(readMamba2(reading)), .mlp = mlp});
    }
}

constexpr std::array hybridRows{
    HfArchitecture{"Qwen3NextForCausalLM", "qwen3_next", readQwen3Next},
    HfArchitecture{"Qwen3_5ForConditionalGeneration", "qwen3_5", readQwen35},
    HfArchitecture{"Qwen3_5MoeForConditionalGeneration", "qwen3_5_moe", readQwen35},
    HfArchitecture{"Qwen3_5ForCausalLM", "qwen3_5_text", readQwen35},
    HfArchitecture{"Qwen3_5MoeForCausalLM", "qwen3_5_moe_text", readQwen35},
    HfArchitecture{"MiniMaxM1ForCausalLM", "minimax_m1", readMiniMax},
    HfArchitecture{"MiniMaxText01ForCausalLM", "minimax_text_01", readMiniMax},
    HfArchitecture{"JambaForCausalLM", "jamba", readJamba},
    HfArchitecture{"Mamba2ForCausalLM", "mamba2", readMamba2Model},
    HfArchitecture{"NemotronHForCausalLM", "nemotron_h", readNemotronH},
    HfArchitecture{"GraniteMoeHybridForCausalLM", "granitemoehybrid", readGraniteHybrid},
};

} // namespace

std::span<const HfArchitecture> hybridArchitectures() { return hybridRows; }

} // namespace headroom
