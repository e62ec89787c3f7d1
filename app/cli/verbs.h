#pragma once

#include "app/cli/verb.h"

namespace headroom::cli {

// Each in its own file in app/cli/verbs/.
[[nodiscard]] Verb askVerb();
[[nodiscard]] Verb calibrateVerb();
[[nodiscard]] Verb checkVerb();
[[nodiscard]] Verb compareVerb();
[[nodiscard]] Verb fitVerb();
[[nodiscard]] Verb fitEngineVerb();
[[nodiscard]] Verb importVerb();
[[nodiscard]] Verb validateVerb();
[[nodiscard]] Verb launchVerb();
[[nodiscard]] Verb listVerb();
[[nodiscard]] Verb predictVerb();
[[nodiscard]] Verb probeVerb();
[[nodiscard]] Verb reportVerb();
[[nodiscard]] Verb showVerb();
[[nodiscard]] Verb sizeVerb();
[[nodiscard]] Verb simulateVerb();
[[nodiscard]] Verb sweepVerb();

} // namespace headroom::cli
