#pragma once

#include "model/base/result.h"
#include "model/scenario/scenario.h"

#include <QString>

namespace headroom::app {

// A scenario as one line to paste: "headroom:model=llama-3.1-70b&gpu=a100-sxm-80gb&tps=20". What it leaves
// open is not in it.
[[nodiscard]] QString scenarioLine(const Scenario& scenario);
[[nodiscard]] bool isScenarioLine(const QString& text);
[[nodiscard]] Result<Scenario> scenarioOfLine(const QString& line);

} // namespace headroom::app
