// Reads published configurations key by key, as the modelling code of each class does (transformers, or the
// model's own repository where it is remote code).
#include "reading.h"

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

namespace headroom::twin {

namespace {

using Json = nlohmann::json;
using Mlp = LayerSpec::Mlp;
using Mixer = LayerSpec::Mixer;
using Norms = LayerSpec::Norms;

struct Config {
    Json json;
    std::string type; // model_type of the text model

    [[nodiscard]] bool has(const char* key) const { return json.contains(key) && !json[key].is_null(); }
    [[nodiscard]] double number(const char* key, double usual = 0) const
    {
        return has(key) && json[key].is_number() ? json[key].get<double>() : usual;
    }
    [[nodiscard]] bool flag(const char* key, bool usual = false) const
    {
        return has(key) ? json[key].get<bool>() : usual;
    }
    [[nodiscard]] int layers() const
    {
        return static_cast<int>(number("num_hidden_layers", number("num_layers", number("n_layers"))));
    }
    [[nodiscard]] bool is(std::initializer_list<const char*> names) const
    {
        for (const char* const name : names)
            if (type == name)
                return true;
        return false;
    }
};

// Attention and a gated MLP as most classes spell them.
LayerSpec usual(const Config& c)
{
    LayerSpec layer;
    layer.heads = c.number("num_attention_heads");
    layer.kvHeads = c.number("num_key_value_heads", layer.heads);
    layer.headDim = c.number("head_dim", c.number("hidden_size") / std::max(1.0, layer.heads));
    layer.valueDim = layer.headDim;
    layer.width = c.number("intermediate_size");
    return layer;
}

void mixtureOf(LayerSpec& layer, double experts, double chosen, double width, double shared = 0)
{
    layer.mlp = Mlp::Experts;
    layer.experts = experts;
    layer.chosen = chosen;
    layer.expertWidth = width;
    layer.sharedWidth = shared;
}

std::vector<LayerSpec> denseLayers(const Config& c)
{
    LayerSpec layer = usual(c);
    layer.qkvBias = c.is({"qwen2", "chatglm"}) || (c.is({"glm4_moe"}) && c.flag("attention_bias"));
    if (c.is({"qwen3"}))
        layer.queryNorms = Norms::PerHead;
    if (c.is({"olmo2"}))
        layer.queryNorms = Norms::FullWidth;
    if (c.is({"cohere"})) { // one norm, both branches read it
        layer.norms = 1;
        layer.parallel = true;
    }
    // Layers of mistral and phi3 slide where the window is shorter than what the positions reach.
    if (c.is({"mistral", "phi3"}) && c.number("sliding_window") < c.number("max_position_embeddings"))
        layer.window = c.number("sliding_window");
    if (c.is({"gemma2", "gemma3_text"})) {
        layer.norms = 4;
        layer.queryNorms = c.is({"gemma3_text"}) ? Norms::PerHead : Norms::None;
    }
    std::vector<LayerSpec> all;
    const int cycle = c.is({"gemma2"}) ? 2 : static_cast<int>(c.number("sliding_window_pattern"));
    for (int i = 0; i < c.layers(); ++i) {
        if (cycle > 0) // the last of each cycle sees everything
            layer.window = i % cycle == cycle - 1 ? 0 : c.number("sliding_window");
        all.push_back(layer);
    }
    return all;
}

std::vector<LayerSpec> olderLayers(const Config& c)
{
    LayerSpec layer;
    layer.norms = 1;
    if (c.is({"chatglm"})) {
        layer = usual(c);
        layer.kvHeads = c.number("multi_query_group_num");
        layer.width = c.number("ffn_hidden_size");
        layer.qkvBias = true;
    } else if (c.is({"falcon"})) { // new decoder architecture: one norm for each branch
        layer = usual(c);
        layer.kvHeads = c.number("num_kv_heads");
        layer.width = 4 * c.number("hidden_size");
        layer.gated = false;
        layer.parallel = true;
    } else { // gptj
        layer.heads = layer.kvHeads = c.number("n_head");
        layer.headDim = layer.valueDim = c.number("n_embd") / layer.heads;
        layer.width = 4 * c.number("n_embd");
        layer.gated = false;
        layer.mlpBias = true;
        layer.parallel = true;
    }
    const int layers = c.is({"gptj"}) ? static_cast<int>(c.number("n_layer")) : c.layers();
    return std::vector<LayerSpec>(static_cast<std::size_t>(layers), layer);
}

std::vector<LayerSpec> expertLayers(const Config& c)
{
    LayerSpec layer = usual(c);
    if (c.is({"mixtral"}))
        mixtureOf(layer, c.number("num_local_experts"), c.number("num_experts_per_tok"), layer.width);
    if (c.is({"qwen3_moe"})) {
        layer.queryNorms = Norms::PerHead;
        mixtureOf(layer, c.number("num_experts"), c.number("num_experts_per_tok"),
                  c.number("moe_intermediate_size"));
    }
    if (c.is({"minimax_m2"})) {
        layer.queryNorms = Norms::FullWidth;
        layer.routerBias = true;
        mixtureOf(layer, c.number("num_local_experts"), c.number("num_experts_per_tok"), layer.width);
    }
    if (c.is({"hunyuan"})) {
        layer.headDim = layer.valueDim = c.number("attention_head_dim");
        layer.queryNorms = Norms::PerHead;
        mixtureOf(layer, c.number("num_experts"), c.json["moe_topk"][0].get<double>(), layer.width,
                  layer.width * c.json["num_shared_expert"][0].get<double>());
    }
    if (c.is({"dbrx"})) {
        const Json& ffn = c.json["ffn_config"];
        layer.heads = c.number("n_heads");
        layer.kvHeads = c.json["attn_config"]["kv_n_heads"].get<double>();
        layer.headDim = layer.valueDim = c.number("d_model") / layer.heads;
        mixtureOf(layer, ffn["moe_num_experts"].get<double>(), ffn["moe_top_k"].get<double>(),
                  ffn["ffn_hidden_size"].get<double>());
    }
    return std::vector<LayerSpec>(static_cast<std::size_t>(c.layers()), layer);
}

std::vector<LayerSpec> glm45Layers(const Config& c)
{
    LayerSpec layer = usual(c);
    layer.qkvBias = c.flag("attention_bias");
    layer.queryNorms = c.flag("use_qk_norm") ? Norms::PerHead : Norms::None;
    std::vector<LayerSpec> all(static_cast<std::size_t>(c.number("first_k_dense_replace")), layer);
    layer.routerBias = true;
    mixtureOf(layer, c.number("n_routed_experts"), c.number("num_experts_per_tok"),
              c.number("moe_intermediate_size"),
              c.number("n_shared_experts") * c.number("moe_intermediate_size"));
    all.resize(static_cast<std::size_t>(c.layers()), layer);
    return all;
}

// DeepSeek-V2 and its kin. From V3 on the router carries a correction for each expert.
std::vector<LayerSpec> latentLayers(const Config& c)
{
    LayerSpec layer;
    layer.mixer = Mixer::Latent;
    layer.heads = c.number("num_attention_heads");
    layer.queryRank = c.number("q_lora_rank");
    layer.latent = c.number("kv_lora_rank");
    layer.nope = c.number("qk_nope_head_dim");
    layer.rope = c.number("qk_rope_head_dim");
    layer.valueDim = c.number("v_head_dim");
    layer.indexHeads = c.number("index_n_heads");
    layer.indexDim = c.number("index_head_dim");
    layer.topK = c.number("index_topk");
    layer.width = c.number("intermediate_size");
    std::vector<LayerSpec> all(static_cast<std::size_t>(c.number("first_k_dense_replace")), layer);
    layer.routerBias = !c.is({"deepseek_v2"});
    mixtureOf(layer, c.number("n_routed_experts"), c.number("num_experts_per_tok"),
              c.number("moe_intermediate_size"),
              c.number("n_shared_experts") * c.number("moe_intermediate_size"));
    all.resize(static_cast<std::size_t>(c.layers()), layer);
    return all;
}

std::vector<LayerSpec> ossLayers(const Config& c)
{
    LayerSpec layer = usual(c);
    layer.qkvBias = layer.outBias = layer.sinks = true;
    layer.routerBias = layer.expertBias = true;
    mixtureOf(layer, c.number("num_local_experts"), c.number("num_experts_per_tok"), layer.width);
    std::vector<LayerSpec> all;
    for (const Json& kind : c.json["layer_types"]) {
        layer.window = kind == "sliding_attention" ? c.number("sliding_window") : 0;
        all.push_back(layer);
    }
    return all;
}

// Every fourth layer sees everything; experts stand in every so many layers, the last of each step.
std::vector<LayerSpec> llama4Layers(const Config& c)
{
    const int step = static_cast<int>(c.number("interleave_moe_layer_step", 1));
    std::vector<LayerSpec> all;
    for (int i = 0; i < c.layers(); ++i) {
        LayerSpec layer = usual(c);
        layer.chunk = i % 4 == 3 ? 0 : c.number("attention_chunk_size");
        const double width = layer.width;
        layer.width = c.number("intermediate_size_mlp");
        if (i % step == step - 1)
            mixtureOf(layer, c.number("num_local_experts"), c.number("num_experts_per_tok"), width, width);
        all.push_back(layer);
    }
    return all;
}

std::vector<LayerSpec> deltaNetLayers(const Config& c)
{
    std::vector<LayerSpec> all;
    const int every = static_cast<int>(c.number("full_attention_interval"));
    for (int i = 0; i < c.layers(); ++i) {
        LayerSpec layer = usual(c);
        layer.gate = true;
        layer.queryNorms = Norms::PerHead;
        if (i % every != every - 1) {
            layer.mixer = Mixer::DeltaNet;
            layer.taps = c.number("linear_conv_kernel_dim");
            layer.keyHeads = c.number("linear_num_key_heads");
            layer.stateHeads = c.number("linear_num_value_heads");
            layer.stateKeyDim = c.number("linear_key_head_dim");
            layer.stateValueDim = c.number("linear_value_head_dim");
            layer.stateBytes = c.has("mamba_ssm_dtype") && c.json["mamba_ssm_dtype"] == "float32" ? 4 : 2;
        }
        if (c.number("num_experts") > 0) {
            mixtureOf(layer, c.number("num_experts"), c.number("num_experts_per_tok"),
                      c.number("moe_intermediate_size"), c.number("shared_expert_intermediate_size"));
            layer.sharedGate = true;
        }
        all.push_back(layer);
    }
    return all;
}

std::vector<LayerSpec> lightningLayers(const Config& c)
{
    std::vector<LayerSpec> all;
    for (const Json& full : c.json["attn_type_list"]) {
        LayerSpec layer = usual(c);
        if (full == 0) {
            layer.mixer = Mixer::Lightning;
            layer.gate = true;
        }
        mixtureOf(layer, c.number("num_local_experts"), c.number("num_experts_per_tok"), layer.width);
        all.push_back(layer);
    }
    return all;
}

// Nemotron-H: M a state-space layer, * attention, - an MLP, E experts; each alone with one norm.
std::vector<LayerSpec> nemotronLayers(const Config& c)
{
    std::vector<LayerSpec> all;
    for (const char letter : c.json["hybrid_override_pattern"].get<std::string>()) {
        LayerSpec layer = usual(c);
        layer.norms = 1;
        layer.gated = false;
        layer.headDim = layer.valueDim = c.number("head_dim", c.number("attention_head_dim"));
        layer.mixer = letter == 'M' ? Mixer::Mamba2 : letter == '*' ? Mixer::Attention : Mixer::None;
        layer.mlp = letter == '-' ? Mlp::Dense : Mlp::None;
        if (letter == 'M') {
            layer.stateHeads = c.number("mamba_num_heads");
            layer.inner = layer.stateHeads * c.number("mamba_head_dim");
            layer.state = c.number("ssm_state_size");
            layer.taps = c.number("conv_kernel");
            layer.groups = c.number("n_groups");
            layer.stateBytes
                = c.has("mamba_ssm_cache_dtype") && c.json["mamba_ssm_cache_dtype"] == "float32" ? 4 : 2;
        }
        if (letter == 'E') {
            mixtureOf(layer, c.number("n_routed_experts"), c.number("num_experts_per_tok"),
                      c.number("moe_intermediate_size"), c.number("moe_shared_expert_intermediate_size"));
            layer.routerBias = true;
            layer.expertLatent = c.number("moe_latent_size");
        }
        all.push_back(layer);
    }
    return all;
}

// A searched Llama: blocks without attention, MLPs of 2/3 of a multiple of the width, to whole 256s.
std::vector<LayerSpec> searchedLayers(const Config& c)
{
    std::vector<LayerSpec> all;
    for (const Json& block : c.json["block_configs"]) {
        LayerSpec layer = usual(c);
        const Json& attention = block["attention"];
        if (attention["no_op"] == true) {
            layer.mixer = Mixer::None;
            layer.norms = 1;
        } else {
            layer.kvHeads = layer.heads / attention["n_heads_in_group"].get<double>();
        }
        const double wide
            = std::floor(2 * block["ffn"]["ffn_mult"].get<double>() * c.number("hidden_size") / 3);
        layer.width = 256 * std::ceil(wide / 256);
        all.push_back(layer);
    }
    return all;
}

std::vector<LayerSpec> layersOf(const Config& c)
{
    if (c.is({"llama", "mistral", "qwen2", "qwen3", "gemma2", "gemma3_text", "phi3", "olmo2", "internlm2",
              "baichuan", "cohere"}))
        return denseLayers(c);
    if (c.is({"chatglm", "falcon", "gptj"}))
        return olderLayers(c);
    if (c.is({"mixtral", "qwen3_moe", "minimax_m2", "hunyuan", "dbrx"}))
        return expertLayers(c);
    if (c.is({"deepseek_v2", "deepseek_v3", "deepseek_v32", "glm_moe_dsa", "kimi_k2"}))
        return latentLayers(c);
    if (c.is({"glm4_moe"}))
        return glm45Layers(c);
    if (c.is({"gpt_oss"}))
        return ossLayers(c);
    if (c.is({"llama4_text"}))
        return llama4Layers(c);
    if (c.is({"qwen3_next", "qwen3_5_text", "qwen3_5_moe_text"}))
        return deltaNetLayers(c);
    if (c.is({"minimax_m1"}))
        return lightningLayers(c);
    if (c.is({"nemotron_h"}))
        return nemotronLayers(c);
    if (c.is({"nemotron-nas"}))
        return searchedLayers(c);
    return {};
}

} // namespace

std::optional<ModelSpec> fromConfig(const std::filesystem::path& file)
{
    std::ifstream in(file);
    // Some publishers write Infinity, which is no JSON.
    std::string text((std::istreambuf_iterator<char>(in)), {});
    for (std::size_t at = 0; (at = text.find("Infinity", at)) != std::string::npos;)
        text.replace(at, 8, "1e308");
    const Json root = Json::parse(text, nullptr, false);
    if (root.is_discarded())
        return std::nullopt;
    Config c{root.contains("text_config") ? root["text_config"] : root, {}};
    c.type = c.json.value("model_type", "");
    ModelSpec model;
    model.layers = layersOf(c);
    if (model.layers.empty())
        return std::nullopt;
    model.hidden = c.number("hidden_size", c.number("d_model", c.number("n_embd")));
    model.vocab = c.number("vocab_size", c.number("padded_vocab_size"));
    // The classes' own default where the file does not say it.
    const bool tiedByDefault = c.is({"gemma2", "gemma3_text", "falcon", "cohere"});
    const Config outer{root, {}};
    model.tied = c.flag("tie_word_embeddings", outer.flag("tie_word_embeddings", tiedByDefault));
    model.normBias = c.is({"falcon", "gptj"});
    model.headBias = c.is({"gptj"});
    return model;
}

} // namespace headroom::twin
