#pragma once

#include "model/catalogue/name_match.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::ask {

// The proper names a question may use, asked for one spelling at a time. A miss is empty: no guessing in
// here.
struct Vocabulary {
    using Find = std::function<std::optional<NameMatch>(std::string_view)>;
    using Ids = std::vector<std::string>;
    Find model;
    Find gpu;
    Find engine;
    // In the names of which of these a run of letters or of figures stands: nothing else need be looked up.
    std::function<NameKinds(std::string_view)> inNames = [](std::string_view) { return NameKinds::all(); };
    // What an accelerator is sold as.
    std::function<std::string(std::string_view)> gpuName
        = [](std::string_view id) { return std::string(id); };
    // Accelerators in the machine that is usual for this one; 0 where none is known.
    std::function<int(std::string_view)> gpusPerBox = [](std::string_view) { return 0; };
    // Whether a price of this provider and of this kind is known for the accelerator; empty: of any.
    std::function<bool(std::string_view provider, std::string_view kind, std::string_view gpu)> rents
        = [](auto, auto, auto) { return false; };
    // Ids that look most like a word that was not understood, for the refusal.
    std::function<Ids(std::string_view)> nearest = [](std::string_view) { return Ids{}; };
    // Every accelerator of a maker ("nvidia", "amd"), newest first; empty when the maker is unknown.
    std::function<Ids(std::string_view)> gpusOfVendor = [](std::string_view) { return Ids{}; };
    // Every accelerator that the search looks at and that is sold so ("pcie", "sxm", "consumer"), newest
    // first.
    std::function<Ids(std::string_view)> gpusSoldAs = [](std::string_view) { return Ids{}; };
    // How tokens are drafted is stated beside the question: a word for it adds nothing.
    bool draftingStated = false;
    // Who asks can list the models that run on a machine: a question for them needs none.
    bool listsModels = false;
};

} // namespace headroom::ask
