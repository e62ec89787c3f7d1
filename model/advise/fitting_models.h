#pragma once

#include "model/search/search.h"

#include <string>
#include <vector>

namespace headroom {

// One model of the catalogue on the machine that was asked about.
struct FittingModel {
    const Llm* llm = nullptr;
    double parameters = 0;
    double activeParameters = 0;
    bool meets = false;
    Candidate best; // where it meets
    Message reason; // where it does not
};

// What runs on so many GPUs of a type within the targets, largest first, then what does not. A model that
// does not fit as it is published is tried in the narrower types that its engine runs, unless the scenario
// states a type.
[[nodiscard]] Result<std::vector<FittingModel>> modelsThatFit(const Scenario& machine,
                                                              const Catalogue& catalogue,
                                                              const TraceReader& readTrace,
                                                              const RunControl& control = {});

} // namespace headroom
