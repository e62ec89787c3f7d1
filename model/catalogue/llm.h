#pragma once

#include "model/base/dtype.h"
#include "model/base/wide_parts.h"
#include "model/base/worked_out.h"
#include "model/catalogue/citation.h"
#include "model/catalogue/mixer.h"
#include "model/catalogue/scale_span.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

enum class NormKind : std::uint8_t { RmsNorm, LayerNorm, LayerNormNoBias };

enum class MlpKind : std::uint8_t { None, Dense, Moe };

struct Mlp {
    MlpKind kind = MlpKind::Dense;
    std::int64_t intermediate = 0; // Dense
    bool gated = true;             // SwiGLU/GeGLU: three matrices instead of two
    bool bias = false;

    int experts = 0; // Moe: routed experts
    int expertsPerToken = 0;
    int expertGroups = 0;   // equal runs of the experts; 0: not divided
    int groupsPerToken = 0; // that a token chooses from
    std::int64_t expertIntermediate = 0;
    std::int64_t sharedIntermediate = 0; // all shared experts together; 0: none
    bool sharedGate = false;
    bool routerBias = false;
    bool expertBias = false; // biases in the experts' own matrices
    std::int64_t latent = 0; // experts work in a latent of this width (Nemotron 3 Super)

    friend bool operator==(const Mlp&, const Mlp&) = default;
};

// One kind of layer. Most models have one or two kinds, repeated by `Llm::layers`.
struct LayerKind {
    Mixer mixer;
    Mlp mlp;
    int norms = 2;         // weight vectors of hidden width
    bool parallel = false; // attention and MLP read the same input (GPT-J, Falcon, Command R)

    // Its mixer, of a layer that is known to attend so.
    [[nodiscard]] Attention& attention() { return std::get<Attention>(mixer); }
    [[nodiscard]] const Attention& attention() const { return std::get<Attention>(mixer); }

    friend bool operator==(const LayerKind&, const LayerKind&) = default;
};

// Multi-token-prediction modules: each joins two hidden vectors (2h x h) and runs the layers `kinds`.
struct Mtp {
    int layers = 0; // modules
    bool inCheckpoint = false;
    bool duplicatesEmbeddingAndHead = false; // the checkpoint stores both a second time
    int norms = 3;                           // beside those of its layers; ERNIE has 2
    std::vector<std::uint8_t> kinds;         // index into `Llm::kinds`, the layers of one module in order

    friend bool operator==(const Mtp&, const Mtp&) = default;
};

// What the publisher's integer counts beside the text model as executed.
struct PublishedCount {
    std::int64_t total = 0; // 0: nothing published
    bool exact = false;     // an integer from a checkpoint, not a rounded name
    std::string basis;
    std::vector<std::string> includes; // "vision", "mtp", "fp8_scales", "stored_tied_head", "rope_buffers", …
    std::int64_t visionParams = 0;
    double active = 0;
    std::string activeConvention;
    friend bool operator==(const PublishedCount&, const PublishedCount&) = default;
};

// Quantisation the checkpoint ships in, if not plain 16 or 32 bit.
struct NativeQuantization {
    std::string method; // "fp8", "mxfp4", "awq", "gptq", "compressed-tensors", …
    DType type = DType::Fp8;
    int groupSize = 0; // 0: per tensor or per channel
    int blockRows = 0; // block-wise scales (128 x 128)
    int blockColumns = 0;
    bool activationsToo = false;
    bool expertsOnly = false;       // gpt-oss: everything else stays in `Llm::nativeType`
    std::optional<DType> outside{}; // experts only: the other linear layers, where they are quantised too
    friend bool operator==(const NativeQuantization&, const NativeQuantization&) = default;
};

struct CountedLlm; // count/counted.h

struct Llm {
    std::string id;
    std::string name; // "Llama 3.1 70B"
    std::string hfId;
    std::string developer;
    std::string family;
    std::string architecture; // HF class name
    std::string licence;      // empty where unknown
    std::string released;     // "2024-07"; decides which of several is the newest; empty where unknown
    std::vector<std::string> aliases;

    std::int64_t hidden = 0;
    std::int64_t vocab = 0;
    bool tiedHead = false;
    bool headBias = false;
    std::int64_t learnedPositions = 0; // rows of a learned position table
    bool embeddingNorm = false;
    NormKind norm = NormKind::RmsNorm;
    bool finalNorm = true;
    int residualStreams
        = 0; // hyper-connections mix this many residual streams in and out; 0: plain residuals
    std::int64_t maxContext = 0;

    std::vector<LayerKind> kinds;
    std::vector<std::uint8_t> layers; // index into `kinds`, one entry per layer, in order

    Mtp mtp;
    DType nativeType = DType::Bf16;
    std::optional<NativeQuantization> nativeQuantization;
    // Of the FP8 checkpoint that its makers publish beside one of 16 bits; none: not known.
    std::optional<ScaleSpan> fp8Scales;
    WideParts keptWide; // of the checkpoint in question, where somebody named them
    PublishedCount published;
    Confidence confidence = Confidence::High;
    std::vector<Citation> citations;
    std::string notes;
    WorkedOut<CountedLlm> counted;

    [[nodiscard]] std::int64_t layerCount() const { return static_cast<std::int64_t>(layers.size()); }
    // Layers of one kind from `first` to one before `end`.
    [[nodiscard]] std::int64_t layersOfKind(std::size_t kind, std::int64_t first, std::int64_t end) const
    {
        if (kinds.size() == 1)
            return end - first;
        return std::count(layers.begin() + first, layers.begin() + end, static_cast<std::uint8_t>(kind));
    }
    [[nodiscard]] std::int64_t layersOfKind(std::size_t kind) const
    {
        return layersOfKind(kind, 0, layerCount());
    }
    // Some layer keeps its cache as a latent (DeepSeek and its kin).
    [[nodiscard]] bool attendsLatently() const
    {
        return std::any_of(kinds.begin(), kinds.end(),
                           [](const LayerKind& kind) { return std::holds_alternative<Mla>(kind.mixer); });
    }
    // Some layer routes its tokens to experts.
    [[nodiscard]] bool hasExperts() const
    {
        return std::any_of(kinds.begin(), kinds.end(),
                           [](const LayerKind& kind) { return kind.mlp.kind == MlpKind::Moe; });
    }

    friend bool operator==(const Llm&, const Llm&) = default;
};

} // namespace headroom
