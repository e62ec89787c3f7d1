#pragma once

#include "model/base/dtype.h"
#include "model/catalogue/name_match.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {
class Catalogue;
}

namespace headroom::ask {

// The proper names a question may use, asked for one spelling at a time. A miss is empty: no guessing in
// here.
struct Vocabulary {
    using Find = std::function<std::optional<NameMatch>(std::string_view)>;
    Find model;
    Find gpu;
    Find engine;
    // Names that look most like a word that was not understood, for the refusal.
    std::function<std::vector<std::string>(std::string_view)> nearest;
    // The engine people use for weights of this type; empty when none runs them.
    std::function<std::string(DType)> engineThatRuns;
    // Every accelerator of a maker ("nvidia", "amd"), newest first; empty when the maker is unknown.
    std::function<std::vector<std::string>(std::string_view)> gpusOfVendor;
    // How tokens are drafted is stated beside the question: a word for it adds nothing.
    bool draftingStated = false;
};

} // namespace headroom::ask
