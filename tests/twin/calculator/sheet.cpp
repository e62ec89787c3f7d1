#include "reading.h"

#include <yaml-cpp/yaml.h>

#include <cctype>
#include <map>

namespace headroom::twin {

namespace {

double number(const YAML::Node& map, const char* key, double usual = 0)
{
    return map[key] ? map[key].as<double>() : usual;
}
bool flag(const YAML::Node& map, const char* key, bool usual = false)
{
    return map[key] ? map[key].as<bool>() : usual;
}
std::string text(const YAML::Node& map, const char* key)
{
    return map[key] ? map[key].as<std::string>() : std::string{};
}

std::optional<LayerSpec::Mixer> mixerOf(const std::string& word)
{
    using Mixer = LayerSpec::Mixer;
    static const std::map<std::string, Mixer> known{
        {"none", Mixer::None},          {"attention", Mixer::Attention}, {"mla", Mixer::Latent},
        {"mamba1", Mixer::Mamba1},      {"mamba2", Mixer::Mamba2},       {"deltanet", Mixer::DeltaNet},
        {"lightning", Mixer::Lightning}};
    const auto found = known.find(word);
    return found == known.end() ? std::nullopt : std::optional(found->second);
}

void readAttention(const YAML::Node& map, LayerSpec& layer)
{
    layer.heads = number(map, "query_heads");
    layer.kvHeads = number(map, "kv_heads");
    layer.headDim = number(map, "head_dim");
    layer.valueDim = number(map, "value_head_dim", layer.headDim);
    layer.window = number(map, "window");
    layer.chunk = number(map, "chunk");
    layer.qkvBias = flag(map, "qkv_bias");
    layer.outBias = flag(map, "out_bias");
    layer.gate = flag(map, "output_gate");
    layer.sinks = flag(map, "sinks");
    layer.valueIsKey = flag(map, "value_is_key");
    layer.shareGroup = number(map, "kv_share_group", 1);
    const std::string norms = text(map, "qk_norm");
    if (norms == "per_head")
        layer.queryNorms = LayerSpec::Norms::PerHead;
    if (norms == "full_width" || norms == "per_head_weights")
        layer.queryNorms = LayerSpec::Norms::FullWidth;
}

void readOtherMixers(const YAML::Node& map, LayerSpec& layer)
{
    layer.queryRank = number(map, "q_lora_rank");
    layer.latent = number(map, "kv_lora_rank");
    layer.nope = number(map, "qk_nope_dim");
    layer.rope = number(map, "qk_rope_dim");
    layer.indexHeads = number(map, "index_heads");
    layer.indexDim = number(map, "index_head_dim");
    layer.topK = number(map, "index_top_k");
    layer.inner = number(map, "inner_dim");
    layer.state = number(map, "state_dim");
    layer.taps = number(map, "conv_kernel");
    layer.dtRank = number(map, "dt_rank");
    layer.groups = number(map, "groups");
    layer.stateHeads
        = layer.mixer == LayerSpec::Mixer::DeltaNet ? number(map, "value_heads") : number(map, "heads");
    layer.keyHeads = number(map, "key_heads");
    layer.stateKeyDim = number(map, "key_dim");
    layer.stateValueDim = number(map, "value_dim");
    layer.innerNorms = flag(map, "inner_norms");
    layer.convBias = flag(map, "conv_bias", true);
    layer.stateBytes = text(map, "state_type") == "fp32" ? 4 : 2;
}

std::optional<LayerSpec> readLayer(const YAML::Node& map)
{
    LayerSpec layer;
    const auto mixer = mixerOf(text(map, "mixer"));
    if (!mixer)
        return std::nullopt;
    layer.mixer = *mixer;
    readAttention(map, layer);
    readOtherMixers(map, layer);
    const std::string mlp = text(map, "mlp");
    layer.mlp = mlp == "moe" ? LayerSpec::Mlp::Experts
        : mlp == "dense"     ? LayerSpec::Mlp::Dense
                             : LayerSpec::Mlp::None;
    layer.width = number(map, "intermediate");
    layer.gated = flag(map, "gated", true);
    layer.mlpBias = flag(map, "mlp_bias");
    layer.experts = number(map, "experts");
    layer.chosen = number(map, "experts_per_token");
    layer.expertWidth = number(map, "expert_intermediate");
    layer.sharedWidth = number(map, "shared_intermediate");
    layer.expertLatent = number(map, "latent");
    layer.sharedGate = flag(map, "shared_gate");
    layer.routerBias = flag(map, "router_bias");
    layer.expertBias = flag(map, "expert_bias");
    layer.norms = static_cast<int>(number(map, "norms", 2));
    layer.parallel = flag(map, "parallel");
    return layer;
}

// "10 (5 window + full) + 2 window": a sum of parts, each a name or a sum in brackets, a number before it
// says how often.
class Order {
public:
    Order(std::string words, const std::map<std::string, LayerSpec>& kinds)
        : m_words(std::move(words)), m_kinds(kinds)
    {}

    std::vector<LayerSpec> sum()
    {
        std::vector<LayerSpec> all = part();
        while (next() == '+') {
            ++m_at;
            const std::vector<LayerSpec> more = part();
            all.insert(all.end(), more.begin(), more.end());
        }
        return all;
    }

private:
    char next()
    {
        while (m_at < m_words.size() && m_words[m_at] == ' ')
            ++m_at;
        return m_at < m_words.size() ? m_words[m_at] : '\0';
    }
    std::vector<LayerSpec> part()
    {
        int times = 0;
        while (std::isdigit(static_cast<unsigned char>(next())) != 0)
            times = 10 * times + (m_words[m_at++] - '0');
        std::vector<LayerSpec> once;
        if (next() == '(') {
            ++m_at;
            once = sum();
            next();
            ++m_at; // the closing bracket
        } else {
            const std::size_t from = m_at;
            while (m_at < m_words.size() && std::string(" +)").find(m_words[m_at]) == std::string::npos)
                ++m_at;
            once.push_back(m_kinds.at(m_words.substr(from, m_at - from)));
        }
        std::vector<LayerSpec> all;
        for (int i = 0; i < (times > 0 ? times : 1); ++i)
            all.insert(all.end(), once.begin(), once.end());
        return all;
    }

    std::string m_words;
    std::size_t m_at = 0;
    const std::map<std::string, LayerSpec>& m_kinds;
};

Shipped readShipped(const YAML::Node& map)
{
    if (!map)
        return {};
    return {.type = text(map, "type"),
            .group = number(map, "group_size"),
            .blockRows = number(map, "block_rows"),
            .blockColumns = number(map, "block_columns"),
            .expertsOnly = flag(map, "experts_only"),
            .outside = text(map, "outside")};
}

} // namespace

std::optional<ModelSpec> fromSheet(const std::filesystem::path& file)
{
    const YAML::Node sheet = YAML::LoadFile(file.string());
    std::map<std::string, LayerSpec> kinds;
    for (const auto& entry : sheet["kinds"]) {
        const auto layer = readLayer(entry.second);
        if (!layer)
            return std::nullopt;
        kinds[entry.first.as<std::string>()] = *layer;
    }
    const YAML::Node shape = sheet["shape"];
    if (shape["residual_streams"])
        return std::nullopt;
    ModelSpec model;
    model.id = text(sheet, "id");
    model.family = text(sheet, "family");
    model.released = text(sheet, "released");
    model.hidden = number(shape, "hidden");
    model.vocab = number(shape, "vocab");
    model.positions = number(shape, "learned_positions");
    model.tied = flag(shape, "tied_head");
    model.headBias = flag(shape, "head_bias");
    model.embeddingNorm = flag(shape, "embedding_norm");
    model.finalNorm = flag(shape, "final_norm", true);
    model.normBias = text(shape, "norm") == "layernorm";
    model.layers = Order(text(shape, "layers"), kinds).sum();
    model.shipped = readShipped(sheet["storage"]["quantization"]);
    if (const YAML::Node draft = sheet["mtp"]) {
        model.draftModules = static_cast<int>(number(draft, "modules"));
        model.draftLayers = Order(text(draft, "layers"), kinds).sum();
        model.draftNorms = static_cast<int>(number(draft, "norms", 3));
    }
    return model;
}

} // namespace headroom::twin
