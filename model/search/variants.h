#pragma once

#include "model/base/result.h"
#include "model/resolve/resolve.h"
#include "model/scenario/scenario.h"

#include <memory>
#include <vector>

namespace headroom {

class Catalogue;

// The machine of a scenario, the first, and beside it every other choice of types and engine settings that
// the user allows and the hardware and engine can run. Refused only when the machine as stated is.
[[nodiscard]] Result<std::vector<std::shared_ptr<const Resolved>>> machinesOf(const Scenario& scenario,
                                                                              const Catalogue& catalogue);

// The scenario with the engine set as it was for an answer: what is asked of that answer is not tuned anew.
[[nodiscard]] Scenario asTuned(Scenario scenario, const Engine& answer);

} // namespace headroom
