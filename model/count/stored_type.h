#pragma once

#include "model/base/dtype.h"
#include "model/catalogue/llm.h"
#include "model/deploy/deployment.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace headroom {

// Parts of a model that a checkpoint may store in different types.
enum class WeightPart : std::uint8_t { Embedding, Mixer, DenseMlp, SharedExpert, Expert, Router, Norm, Head };
constexpr std::size_t weightPartCount = 8;

// What a part is stored as when the user says the weights are `type`: quantised checkpoints keep embeddings,
// head, norms and router in 16 bit; mxfp4 (gpt-oss) quantises the experts only; llama.cpp files quantise all
// matrices.
[[nodiscard]] DType storedType(const Llm& llm, DType type, WeightPart part);

// NVFP4 checkpoints of latent attention, and of models since the middle of 2025, quantise MLPs alone:
// NVIDIA's of DeepSeek-R1 and V4, Kimi K2, GLM 5, Gemma 4 and Qwen3.6 leave the mixers in 16 bits or native
// FP8 (`ignore` of their hf_quant_config.json); those of Llama 3, Llama 4 and Qwen3 have all linear layers
// narrow.
[[nodiscard]] bool mixersStayWide(const Llm& llm, DType type);

// Bytes of one element of that part, scales and zero points included; of llama.cpp's mixtures those of the
// base type (`MatrixKinds` has the mean of the mix).
[[nodiscard]] double storedBytesPerElement(const Llm& llm, DType type, WeightPart part);

// What one scale of FP8 weights is for; nothing where nobody says it.
[[nodiscard]] std::optional<ScaleSpan> fp8ScalesOf(const Deployment& deployment);

// Which kernels multiply it, and on which unit.
[[nodiscard]] GemmClass gemmClassOf(const Deployment& deployment, WeightPart part);
[[nodiscard]] MathUnit unitOf(const Deployment& deployment, GemmClass gemm);

// All that of every part of one deployment, for whoever counts many steps.
struct MatrixKind {
    GemmClass cls = GemmClass::Half;
    MathUnit unit = MathUnit::Bf16;
    double storedBytes = 2; // of one element
};
struct MatrixKinds {
    std::array<MatrixKind, weightPartCount> of{};
    MathUnit half = MathUnit::Bf16; // where 16-bit numbers are multiplied

    explicit MatrixKinds(const Deployment& deployment);
    [[nodiscard]] const MatrixKind& operator[](WeightPart part) const
    {
        return of[static_cast<std::size_t>(part)];
    }
};

} // namespace headroom
