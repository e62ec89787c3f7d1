#include "model/import/hf_architectures.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace headroom {

namespace {

constexpr std::int64_t mostLayers = 4096; // thirty times the deepest model known

} // namespace

std::uint8_t HfReading::indexOf(const LayerKind& kind)
{
    const auto found = std::find(llm.kinds.begin(), llm.kinds.end(), kind);
    if (found != llm.kinds.end())
        return static_cast<std::uint8_t>(found - llm.kinds.begin());
    if (llm.kinds.size() > std::numeric_limits<std::uint8_t>::max()) {
        config.report(config.object(), "more than 256 kinds of layer");
        return 0;
    }
    llm.kinds.push_back(kind);
    return static_cast<std::uint8_t>(llm.kinds.size() - 1);
}

void HfReading::addLayer(const LayerKind& kind) { llm.layers.push_back(indexOf(kind)); }

std::size_t layerCount(const HfReading& reading)
{
    const ConfigReader::Keys keys{"num_hidden_layers", "n_layer", "num_layers", "n_layers"};
    const std::int64_t layers = reading.config.count(keys);
    if (layers > mostLayers) {
        reading.config.report(keys, say("expected at most {} layers, got {}", mostLayers, layers));
        return 1;
    }
    return static_cast<std::size_t>(layers);
}

ConfigReader::Keys contextKeys()
{
    static const ConfigReader::Keys keys{"max_position_embeddings", "seq_length",  "max_seq_len",
                                         "max_sequence_length",     "n_positions", "model_max_length"};
    return keys;
}

void contextUnlessWritten(HfReading& reading, std::int64_t tokens, Code why)
{
    if (reading.config.has(contextKeys()))
        return;
    reading.llm.maxContext = tokens;
    reading.warnings.push_back(
        say("the file does not say the longest context: {} tokens are taken, {}", tokens, why));
}

void readOuter(HfReading& reading, bool tiedByDefault, std::int64_t vocabByDefault)
{
    const ConfigReader& config = reading.config;
    Llm& llm = reading.llm;
    llm.hidden = config.count({"hidden_size", "d_model", "n_embd", "n_embed"});
    const ConfigReader::Keys vocab{"padded_vocab_size", "vocab_size"};
    llm.vocab = vocabByDefault > 0 ? config.countOr(vocab, vocabByDefault) : config.count(vocab);
    llm.maxContext = config.has(contextKeys()) ? config.count(contextKeys()) : 0;
    // A composite file may say it on either level; the text model's word counts.
    const bool rootTied = reading.root.flagOr({"tie_word_embeddings", "tie_embeddings"}, tiedByDefault);
    llm.tiedHead = config.flagOr({"tie_word_embeddings", "tie_embeddings"}, rootTied);
}

void addLayers(HfReading& reading, const LayerKind& kind, std::size_t layers)
{
    for (std::size_t i = 0; i < layers; ++i)
        reading.addLayer(kind);
}

// Layers of which `full` see everything and the others a window.
void addWindowed(HfReading& reading, LayerKind kind, const std::vector<bool>& full, std::int64_t window)
{
    for (const bool all : full) {
        kind.attention().window = all ? 0 : window;
        reading.addLayer(kind);
    }
}

std::vector<bool> everyNthFull(std::size_t layers, std::int64_t n)
{
    std::vector<bool> full(layers);
    for (std::size_t i = 0; i < layers; ++i)
        full[i] = n > 0 && (static_cast<std::int64_t>(i) + 1) % n == 0;
    return full;
}

int rotatedDims(const HfReading& reading, int headDim)
{
    const ConfigReader& config = reading.config;
    const int dims = config.smallCountOr({"rotary_dim"}, 0);
    const double nested = config.within("rope_parameters").realOr({"partial_rotary_factor"}, 1);
    const double share = config.realOr({"partial_rotary_factor", "rotary_pct"}, nested);
    if (share < 0 || share > 1) {
        config.report({"partial_rotary_factor", "rotary_pct"},
                      say("expected a share from 0 to 1, got {}", share));
        return 0;
    }
    const int rotated = dims > 0 ? dims : static_cast<int>(headDim * share);
    return rotated == headDim ? 0 : rotated;
}

Attention readAttention(const HfReading& reading)
{
    const ConfigReader& config = reading.config;
    Attention mixer;
    mixer.queryHeads = config.smallCount({"num_attention_heads", "n_head", "n_heads"});
    mixer.kvHeads = config.smallCountOr({"num_key_value_heads"}, mixer.queryHeads);
    const bool sound = reading.problems.empty(); // else what follows would only repeat an earlier problem
    if (sound && (mixer.kvHeads < 1 || mixer.queryHeads % std::max(mixer.kvHeads, 1) != 0))
        config.report(
            {"num_key_value_heads"},
            say("{} query heads cannot share {} key/value heads evenly", mixer.queryHeads, mixer.kvHeads));
    const auto derived = static_cast<int>(reading.llm.hidden / mixer.queryHeads);
    const ConfigReader::Keys keys{"head_dim", "attention_head_dim", "kv_channels"};
    if (sound && !config.has(keys) && reading.llm.hidden % mixer.queryHeads != 0)
        config.report({"num_attention_heads"},
                      say("{} hidden values cannot be split over {} heads, and "
                          "head_dim is not given",
                          reading.llm.hidden, mixer.queryHeads));
    mixer.headDim = config.has(keys) ? config.smallCount(keys) : std::max(derived, 1);
    mixer.ropeDims = rotatedDims(reading, mixer.headDim);
    return mixer;
}

Mlp denseMlp(std::int64_t intermediate, bool gated, bool bias)
{
    return {.kind = MlpKind::Dense, .intermediate = intermediate, .gated = gated, .bias = bias};
}

std::vector<bool> fullLayers(const HfReading& reading, const std::vector<bool>& otherwise)
{
    const std::vector<std::string> types = reading.config.layerWords({"layer_types"}, otherwise.size());
    if (types.empty())
        return otherwise;
    std::vector<bool> full;
    for (const std::string& type : types) {
        const bool local
            = type == "sliding_attention" || type == "chunked_attention" || type == "linear_attention";
        if (!local && type != "full_attention")
            reading.config.report(
                {"layer_types"}, say("unknown kind of layer '{}'", type.substr(0, 40)),
                "one of full_attention, sliding_attention, chunked_attention, linear_attention");
        full.push_back(!local);
    }
    return full;
}

} // namespace headroom
