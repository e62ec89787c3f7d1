#pragma once

#include "app/desktop/charts/chart_data.h"

#include <memory>
#include <utility>
#include <vector>

namespace headroom {
struct PlanView;
}

namespace headroom::app {

// Answers with their names, the one they are compared with first.
using NamedPlanViews = std::vector<std::pair<QString, std::shared_ptr<const PlanView>>>;

// A bar for each answer, the first on top; `rows` of a bar is its place among the answers.
[[nodiscard]] ChartData comparedSpeedChart(const NamedPlanViews& planViews);
[[nodiscard]] ChartData comparedTokenCostChart(const NamedPlanViews& planViews);
[[nodiscard]] ChartData comparedHourlyCostChart(const NamedPlanViews& planViews);

} // namespace headroom::app
