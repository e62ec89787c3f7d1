#pragma once

#include "model/measured/judged_row.h"
#include "model/words/text.h"

#include <cstddef>
#include <string>

namespace headroom {

// Error summaries, the worst rows with their likely cause, what was skipped and why.
[[nodiscard]] std::string validationText(const ValidationReport& report, std::size_t worst,
                                         ask::Language language);
// The same as Markdown, without words around the tables.
[[nodiscard]] std::string validationTables(const ValidationReport& report, std::size_t worst,
                                           ask::Language language);
// The page of accuracy: its tables, and how they were made, in English.
[[nodiscard]] std::string validationMarkdown(const ValidationReport& report, std::size_t worst);
// One page that stands alone: the tables, measured against predicted, and how often the intervals hold.
[[nodiscard]] std::string validationHtml(const ValidationReport& report, std::size_t worst);
// One line for each row: id, metric, measured, predicted, low, high, error, used, why_skipped, likely_cause.
[[nodiscard]] std::string validationCsv(const ValidationReport& report);

} // namespace headroom
