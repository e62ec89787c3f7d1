#pragma once

#include "model/report/columns.h"

#include <string>

namespace headroom {

struct ProbeSummary {
    std::string url;
    std::string model;
    bool targets = false;       // any were given
    int highestConcurrency = 0; // 0: no level met them
};

// {"schema": "headroom.probe/1", "url", "model", "highest_concurrency", "levels": […]}
[[nodiscard]] std::string probeJson(const ProbeSummary& summary, const Table& levels);

} // namespace headroom
