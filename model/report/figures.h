#pragma once

#include "model/closed_form/prediction.h"
#include "model/report/columns.h"

#include <optional>
#include <string>

namespace headroom {

// One predicted deployment as a row: of a sweep, a comparison, or alone.
struct Figures {
    std::string label;
    Deployment deployment;
    Load load;
    std::optional<Prediction> prediction; // empty: cannot run
    Message whyNot;
};

// What people compare deployments by, in the order they ask.
[[nodiscard]] const Columns<Figures>& figureColumns();

} // namespace headroom
