#pragma once

#include "model/measured/judged_row.h"

#include <cstddef>
#include <string>

namespace headroom {

// Error summaries, the worst rows with their likely cause, what was skipped and why.
[[nodiscard]] std::string validationText(const ValidationReport& report, std::size_t worst);
[[nodiscard]] std::string validationMarkdown(const ValidationReport& report, std::size_t worst);
// One page that stands alone: the tables, measured against predicted, and how often the intervals hold.
[[nodiscard]] std::string validationHtml(const ValidationReport& report, std::size_t worst);
// One line for each row: id, metric, measured, predicted, low, high, error, used, why_skipped, likely_cause.
[[nodiscard]] std::string validationCsv(const ValidationReport& report);

} // namespace headroom
