#pragma once

#include "model/closed_form/prediction.h"
#include "model/report/columns.h"
#include "model/resolve/resolve.h"

#include <string>
#include <vector>

namespace headroom {

// One of several deployments to choose from.
struct Compared {
    std::string label;
    Resolved resolved;
    Prediction prediction;
    Message whyNot; // where targets were asked for and are missed
};

// A row for each candidate, for programs.
[[nodiscard]] Table comparisonRows(const std::vector<Compared>& compared);
// A column for each candidate and a row for each figure, for people.
[[nodiscard]] Table sideBySide(const std::vector<Compared>& compared);

} // namespace headroom
