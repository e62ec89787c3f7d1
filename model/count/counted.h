#pragma once

#include "model/catalogue/llm.h"
#include "model/count/tensors.h"
#include "model/count/weights.h"

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace headroom {

// The tensors of a model and their stored bytes in every type: the same for all predictions, so counted once.
struct CountedLlm {
    struct Kind { // its tensors: from `first` to one before `end`
        std::size_t first = 0, end = 0;
    };
    struct Stored {
        MixedBytes mixed;
        std::vector<double> bytes; // of each tensor as loaded; none where they depend on the layer's place
    };
    std::vector<Tensor> tensors;
    std::vector<Kind> kinds; // as the model's
    std::array<Stored, dtypeCount> as;

    [[nodiscard]] const Stored& storedAs(DType type) const { return as[static_cast<std::size_t>(type)]; }
};

// The model with these counts kept in it. Call it once the model is final: read into a catalogue, or turned
// into what an engine stores.
[[nodiscard]] std::unique_ptr<const Llm> withCounts(Llm llm);

} // namespace headroom
