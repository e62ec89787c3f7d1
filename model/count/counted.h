#pragma once

#include "model/catalogue/llm.h"
#include "model/count/tensors.h"
#include "model/count/weights.h"

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace headroom {

// What every prediction of a model counts again, worked out once for each type that it may be stored in.
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

// For whoever has a model that nobody changes any more: in a catalogue, or as an engine stores it.
[[nodiscard]] std::unique_ptr<const Llm> withCounts(Llm llm);

} // namespace headroom
