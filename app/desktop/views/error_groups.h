#pragma once

#include "model/measured/judged_row.h"
#include "model/report/columns.h"

#include <QString>

#include <string>
#include <string_view>
#include <vector>

namespace headroom::app {

// The rows of one kind together: what to trust.
struct ErrorGroup {
    std::string kind; // "engine"
    std::string name; // "vllm"
    ErrorSummary errors;
};
[[nodiscard]] const Columns<ErrorGroup>& errorGroupColumns();
// By metric first, then of every kind; of each those with most rows first; groups of which no row was used
// are left out.
[[nodiscard]] std::vector<ErrorGroup> errorGroups(const ValidationReport& report);

// "First token (ms)"
[[nodiscard]] QString metricTitle(std::string_view quantity);

} // namespace headroom::app
