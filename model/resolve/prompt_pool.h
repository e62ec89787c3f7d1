#pragma once

#include "model/base/result.h"
#include "model/deploy/deployment.h"
#include "model/resolve/resolve.h"
#include "model/scenario/scenario.h"
#include "model/yaml/catalogue.h"

namespace headroom {

// The pool that computes prompts, as a scenario of its own.

// Its accelerator: the one stated for it, with a box and a calibration that suit it, else that of the pool
// that decodes.
[[nodiscard]] Scenario onPromptMachine(Scenario scenario, const Catalogue& catalogue);

// Its widths as stated; what is not stated is open.
[[nodiscard]] Scenario withPromptWidths(Scenario scenario);

// One pool to play traffic on. Where no width is stated for it, it is laid out as the pool that decodes.
[[nodiscard]] Result<Resolved> resolvePromptPool(const Scenario& scenario, const Catalogue& catalogue);

// What `prefill` says of a pool that was laid out.
[[nodiscard]] PrefillChoice promptPoolAs(const Deployment& prompts, PrefillChoice stated);

} // namespace headroom
