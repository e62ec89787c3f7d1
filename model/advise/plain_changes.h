#pragma once

#include "model/base/message.h"
#include "model/deploy/deployment.h"
#include "model/scenario/scenario.h"

#include <vector>

namespace headroom {

// A way out that asks for no less and takes no more: another setting, layout or box.
struct PlainChange {
    Scenario scenario;
    Message change;
    double size; // as a remedy's
};

// Those that the question and its engine leave open.
[[nodiscard]] std::vector<PlainChange> plainChanges(const Scenario& asked, const Deployment& answer);

} // namespace headroom
