#pragma once

#include "model/catalogue/llm.h"
#include "model/import/gguf.h"
#include "model/import/stored_tensors.h"

#include <string>
#include <vector>

namespace headroom {

struct GgufModel {
    Llm llm;
    StoredWeights stored;
    std::vector<Message> warnings;
};

// The architecture from the tensors themselves, where they stand in several files too: a width is what its
// tensor has, a bias is there when its tensor is. Metadata says only what no tensor shows (heads, windows,
// experts per token). The model is counted and compared with the stored elements; a difference is a refusal,
// so nothing is guessed.
[[nodiscard]] Result<GgufModel> readGgufModel(const std::vector<GgufHeader>& parts);

} // namespace headroom
