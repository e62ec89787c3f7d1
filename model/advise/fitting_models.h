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

// The largest that runs and is no more than a year older than the newest that does; null where none runs.
[[nodiscard]] const FittingModel* largestRecent(const std::vector<FittingModel>& models);

// The machine with this model on it, in the type that it was found to run in.
[[nodiscard]] Scenario withModel(Scenario machine, const FittingModel& chosen);

} // namespace headroom
