#pragma once

#include "model/scenario/scenario.h"

namespace headroom {
struct PlanView;
}

namespace headroom::app {

// What was asked, with what a remedy or a hint changes of it. Both were planned of the busiest time and with
// the targets that are usual: only what they change is taken over.
[[nodiscard]] Scenario withChange(const PlanView& planView, const Scenario& changed);

} // namespace headroom::app
