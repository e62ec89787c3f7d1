#pragma once

#include "model/base/dtype.h"
#include "model/catalogue/llm_bounds.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace headroom {

class Message;

enum class QkNorm : std::uint8_t { None, PerHead, FullWidth, PerHeadWeights, L2 };

// How far back a layer looks.
enum class LookBack : std::uint8_t { Everything, Window, Chunk };

// Roughly how wide the matrices of a mixer are, to refuse sizes that no model has.
struct RoughWidths {
    double queries = 0;
    double keys = 0;
    double latent = 0;
    double state = 0;
    double convolved = 0; // values of short convolutions and their kin
};

// What mixes tokens in one layer: one struct for each kind, and `Mixer` is any of them. Each has
//     word                    its name in model files
//     fields(fields, mixer)   its keys in model files, for reading, writing and judging (llm_fields.h)
//     name()                  as people call it; empty: nothing to be told
//     layerWord()             what a written file calls a layer of it
//     lookBack()                 how far back it looks
//     contradictions(found)   sizes that do not go together
//     widths()
// What a kind takes (tensors, operators, cache) is said in model/count, in a file for each kind.

// MHA, GQA, MQA.
struct Attention {
    static constexpr std::string_view word = "attention";

    int queryHeads = 0;
    int kvHeads = 0;
    int headDim = 0;
    int valueHeadDim = 0;    // where values are narrower than keys; 0: as headDim
    std::int64_t window = 0; // sliding window in tokens; 0: sees everything
    std::int64_t chunk = 0;  // chunked local attention; 0: not chunked
    bool qkvBias = false;
    bool outBias = false;
    QkNorm qkNorm = QkNorm::None;
    bool outputGate = false; // a gate of the query's width computed beside q
    bool sinks = false;
    bool valueIsKey = false; // no value projection: keys before their norm are the values (Gemma 4)
    bool rope = true;
    int ropeDims = 0;     // dimensions of a head that are rotated; 0: all of them
    int kvShareGroup = 1; // layers that share one KV cache (cross-layer attention); 1: none

    [[nodiscard]] constexpr int valueWidth() const { return valueHeadDim > 0 ? valueHeadDim : headDim; }

    template <typename Fields, typename Self>
    static void fields(Fields& fields, Self& mixer)
    {
        fields.size("query_heads", mixer.queryHeads, most::heads);
        fields.size("kv_heads", mixer.kvHeads, most::heads);
        fields.size("head_dim", mixer.headDim, most::headDim);
        fields.maybeSize("value_head_dim", mixer.valueHeadDim, most::headDim);
        fields.maybeSize("window", mixer.window, most::tokens);
        fields.maybeSize("chunk", mixer.chunk, most::tokens);
        fields.flag("qkv_bias", mixer.qkvBias, false);
        fields.flag("out_bias", mixer.outBias, false);
        fields.qkNorm("qk_norm", mixer.qkNorm);
        fields.flag("output_gate", mixer.outputGate, false);
        fields.flag("sinks", mixer.sinks, false);
        fields.flag("value_is_key", mixer.valueIsKey, false);
        fields.flag("rope", mixer.rope, true);
        fields.maybeSize("rope_dims", mixer.ropeDims, most::headDim);
        fields.maybeSize("kv_share_group", mixer.kvShareGroup, most::heads, 1);
    }
    [[nodiscard]] std::string_view name() const;
    [[nodiscard]] std::string_view layerWord() const;
    [[nodiscard]] LookBack lookBack() const;
    void contradictions(std::vector<Message>& found) const;
    [[nodiscard]] RoughWidths widths() const;

    friend bool operator==(const Attention&, const Attention&) = default;
};

// Multi-head latent attention, optionally with a sparse indexer (DSA).
struct Mla {
    static constexpr std::string_view word = "mla";

    int queryHeads = 0;
    int qLoraRank = 0; // 0: a full query projection
    int kvLoraRank = 0;
    int qkNopeDim = 0;
    int qkRopeDim = 0;
    int valueHeadDim = 0;
    int indexHeads = 0; // 0: no indexer of its own
    int indexHeadDim = 0;
    std::int64_t indexTopK = 0; // tokens that are chosen; 0: all

    template <typename Fields, typename Self>
    static void fields(Fields& fields, Self& mixer)
    {
        fields.size("query_heads", mixer.queryHeads, most::heads);
        fields.maybeSize("q_lora_rank", mixer.qLoraRank, most::hidden);
        fields.size("kv_lora_rank", mixer.kvLoraRank, most::hidden);
        fields.size("qk_nope_dim", mixer.qkNopeDim, most::headDim);
        fields.size("qk_rope_dim", mixer.qkRopeDim, most::headDim);
        fields.size("value_head_dim", mixer.valueHeadDim, most::headDim);
        fields.maybeSize("index_heads", mixer.indexHeads, most::heads);
        fields.maybeSize("index_head_dim", mixer.indexHeadDim, most::headDim);
        fields.maybeSize("index_top_k", mixer.indexTopK, most::tokens);
    }
    [[nodiscard]] std::string_view name() const { return "MLA"; }
    [[nodiscard]] std::string_view layerWord() const { return word; }
    [[nodiscard]] LookBack lookBack() const { return LookBack::Everything; }
    void contradictions(std::vector<Message>& found) const;
    [[nodiscard]] RoughWidths widths() const;

    friend bool operator==(const Mla&, const Mla&) = default;
};

struct Mamba1 {
    static constexpr std::string_view word = "mamba1";

    int innerDim = 0; // d_inner
    int stateDim = 0; // d_state
    int convKernel = 0;
    bool convBias = true;
    int dtRank = 0;
    bool innerNorms = false;       // Jamba's norms on dt, B, C
    DType stateType = DType::Bf16; // as engines keep it; the convolution's tail stays 16 bit

    template <typename Fields, typename Self>
    static void fields(Fields& fields, Self& mixer)
    {
        fields.size("inner_dim", mixer.innerDim, most::width);
        fields.size("state_dim", mixer.stateDim, most::headDim);
        fields.size("conv_kernel", mixer.convKernel, most::taps);
        fields.flag("conv_bias", mixer.convBias, true);
        fields.size("dt_rank", mixer.dtRank, most::width);
        fields.flag("inner_norms", mixer.innerNorms, false);
        fields.dtype("state_type", mixer.stateType, DType::Bf16);
    }
    [[nodiscard]] std::string_view name() const { return "Mamba"; }
    [[nodiscard]] std::string_view layerWord() const { return word; }
    [[nodiscard]] LookBack lookBack() const { return LookBack::Everything; }
    void contradictions(std::vector<Message>&) const {}
    [[nodiscard]] RoughWidths widths() const;

    friend bool operator==(const Mamba1&, const Mamba1&) = default;
};

struct Mamba2 {
    static constexpr std::string_view word = "mamba2";

    int innerDim = 0;
    int stateDim = 0;
    int convKernel = 0;
    bool convBias = true;
    int groups = 0; // n_groups
    int heads = 0;
    DType stateType = DType::Bf16;

    template <typename Fields, typename Self>
    static void fields(Fields& fields, Self& mixer)
    {
        fields.size("inner_dim", mixer.innerDim, most::width);
        fields.size("state_dim", mixer.stateDim, most::headDim);
        fields.size("conv_kernel", mixer.convKernel, most::taps);
        fields.flag("conv_bias", mixer.convBias, true);
        fields.size("groups", mixer.groups, most::heads);
        fields.size("heads", mixer.heads, most::heads);
        fields.dtype("state_type", mixer.stateType, DType::Bf16);
    }
    [[nodiscard]] std::string_view name() const { return "Mamba"; }
    [[nodiscard]] std::string_view layerWord() const { return word; }
    [[nodiscard]] LookBack lookBack() const { return LookBack::Everything; }
    void contradictions(std::vector<Message>&) const {}
    [[nodiscard]] RoughWidths widths() const;

    friend bool operator==(const Mamba2&, const Mamba2&) = default;
};

// Gated delta rule (Qwen3-Next).
struct DeltaNet {
    static constexpr std::string_view word = "deltanet";

    int keyHeads = 0;
    int valueHeads = 0;
    int keyDim = 0;
    int valueDim = 0;
    int convKernel = 0;
    DType stateType = DType::Bf16;

    template <typename Fields, typename Self>
    static void fields(Fields& fields, Self& mixer)
    {
        fields.size("key_heads", mixer.keyHeads, most::heads);
        fields.size("value_heads", mixer.valueHeads, most::heads);
        fields.size("key_dim", mixer.keyDim, most::headDim);
        fields.size("value_dim", mixer.valueDim, most::headDim);
        fields.size("conv_kernel", mixer.convKernel, most::taps);
        fields.dtype("state_type", mixer.stateType, DType::Bf16);
    }
    [[nodiscard]] std::string_view name() const { return "DeltaNet"; }
    [[nodiscard]] std::string_view layerWord() const { return word; }
    [[nodiscard]] LookBack lookBack() const { return LookBack::Everything; }
    void contradictions(std::vector<Message>&) const {}
    [[nodiscard]] RoughWidths widths() const;

    friend bool operator==(const DeltaNet&, const DeltaNet&) = default;
};

// Linear attention of MiniMax-01 and M1.
struct Lightning {
    static constexpr std::string_view word = "lightning";

    int queryHeads = 0;
    int headDim = 0;
    bool outputGate = false;
    DType stateType = DType::Bf16;

    template <typename Fields, typename Self>
    static void fields(Fields& fields, Self& mixer)
    {
        fields.size("query_heads", mixer.queryHeads, most::heads);
        fields.size("head_dim", mixer.headDim, most::headDim);
        fields.flag("output_gate", mixer.outputGate, false);
        fields.dtype("state_type", mixer.stateType, DType::Bf16);
    }
    [[nodiscard]] std::string_view name() const { return "linear"; }
    [[nodiscard]] std::string_view layerWord() const { return word; }
    [[nodiscard]] LookBack lookBack() const { return LookBack::Everything; }
    void contradictions(std::vector<Message>&) const {}
    [[nodiscard]] RoughWidths widths() const;

    friend bool operator==(const Lightning&, const Lightning&) = default;
};

// DeepSeek-V4: one key that is the value too, a window of it, and beyond it merged tokens.
struct Compressed {
    static constexpr std::string_view word = "compressed";

    int queryHeads = 0;
    int headDim = 0;
    int qLoraRank = 0;
    int qkRopeDim = 0;
    std::int64_t window = 0;
    int outGroups = 0; // groups of heads that share a low-rank output projection
    int outLoraRank = 0;
    int compression = 0; // tokens merged into one cached entry; 0: the layer has only its window
    int indexHeads = 0;
    int indexHeadDim = 0;
    std::int64_t indexTopK = 0;
    DType stateType = DType::Fp32; // of keys and gates that wait to be merged

    // Compressors with an indexer merge windows that overlap by half: both halves are computed.
    [[nodiscard]] constexpr int compressorWidths() const { return indexHeads > 0 ? 2 : 1; }

    template <typename Fields, typename Self>
    static void fields(Fields& fields, Self& mixer)
    {
        fields.size("query_heads", mixer.queryHeads, most::heads);
        fields.size("head_dim", mixer.headDim, most::headDim);
        fields.size("q_lora_rank", mixer.qLoraRank, most::hidden);
        fields.size("qk_rope_dim", mixer.qkRopeDim, most::headDim);
        fields.size("window", mixer.window, most::tokens);
        fields.size("out_groups", mixer.outGroups, most::heads);
        fields.size("out_lora_rank", mixer.outLoraRank, most::hidden);
        fields.maybeSize("compression", mixer.compression, most::headDim);
        fields.maybeSize("index_heads", mixer.indexHeads, most::heads);
        fields.maybeSize("index_head_dim", mixer.indexHeadDim, most::headDim);
        fields.maybeSize("index_top_k", mixer.indexTopK, most::tokens);
        fields.dtype("state_type", mixer.stateType, DType::Fp32);
    }
    [[nodiscard]] std::string_view name() const;
    [[nodiscard]] std::string_view layerWord() const;
    [[nodiscard]] LookBack lookBack() const
    {
        return compression > 0 ? LookBack::Everything : LookBack::Window;
    }
    void contradictions(std::vector<Message>& found) const;
    [[nodiscard]] RoughWidths widths() const;

    friend bool operator==(const Compressed&, const Compressed&) = default;
};

// No token mixer: an MLP-only layer of Nemotron-H, a removed attention of NAS models.
struct NoMixer {
    static constexpr std::string_view word = "none";

    template <typename Fields, typename Self>
    static void fields(Fields&, Self&)
    {}
    [[nodiscard]] std::string_view name() const { return {}; }
    [[nodiscard]] std::string_view layerWord() const { return word; }
    [[nodiscard]] LookBack lookBack() const { return LookBack::Everything; }
    void contradictions(std::vector<Message>&) const {}
    [[nodiscard]] RoughWidths widths() const { return {}; }

    friend bool operator==(const NoMixer&, const NoMixer&) = default;
};

using MixerKinds = std::variant<Attention, Mla, Mamba1, Mamba2, DeltaNet, Lightning, Compressed, NoMixer>;

struct Mixer : MixerKinds {
    using MixerKinds::MixerKinds;
};

[[nodiscard]] inline bool mixes(const Mixer& mixer) { return !std::holds_alternative<NoMixer>(mixer); }

} // namespace headroom
