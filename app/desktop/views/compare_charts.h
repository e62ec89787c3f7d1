#pragma once

#include "app/desktop/charts/chart_data.h"

#include <memory>
#include <utility>
#include <vector>

namespace headroom {
struct Study;
}

namespace headroom::app {

// Answers with their names, the one they are compared with first.
using NamedStudies = std::vector<std::pair<QString, std::shared_ptr<const Study>>>;

// A bar for each answer, the first on top; `rows` of a bar is its place among the answers.
[[nodiscard]] ChartData comparedSpeedChart(const NamedStudies& studies);
[[nodiscard]] ChartData comparedTokenCostChart(const NamedStudies& studies);
[[nodiscard]] ChartData comparedHourlyCostChart(const NamedStudies& studies);

} // namespace headroom::app
