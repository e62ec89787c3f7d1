#pragma once

#include "model/catalogue/llm.h"
#include "model/dtype.h"
#include "model/plan/deployment.h"

namespace headroom {

// Parts of a model that a checkpoint may store in different types.
enum class WeightPart : std::uint8_t { Embedding, Mixer, DenseMlp, SharedExpert, Expert, Router, Norm, Head };

// What a part is stored as when the user says the weights are `type`: quantised checkpoints keep embeddings,
// head, norms and router in 16 bit; mxfp4 (gpt-oss) quantises the experts only; llama.cpp files quantise all
// matrices.
[[nodiscard]] DType storedType(const Llm& llm, DType type, WeightPart part);

// Bytes of one element of that part, scales and zero points included.
[[nodiscard]] double storedBytesPerElement(const Llm& llm, DType type, WeightPart part);

// Which kernels multiply it, and on which unit.
[[nodiscard]] GemmClass gemmClassOf(const Deployment& deployment, WeightPart part);
[[nodiscard]] MathUnit unitOf(const Deployment& deployment, GemmClass gemm);

} // namespace headroom
