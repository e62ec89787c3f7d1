#pragma once

#include "model/ranges/served_ranges.h"
#include "model/report/columns.h"
#include "model/resolve/resolve.h"
#include "model/serve/serving_run.h"
#include "model/words/text.h"

#include <string>

namespace headroom {

// The verdict first, then speeds, the spread of every time, what happened inside, and what was assumed.
[[nodiscard]] std::string servingText(const Resolved& resolved, const serve::ServingRun& run,
                                      const ServedRanges& ranges, ask::Language language);
[[nodiscard]] std::string servingMarkdown(const Resolved& resolved, const serve::ServingRun& run,
                                          const ServedRanges& ranges, ask::Language language);

// One row for each time and class: mean and percentiles, and how far servers of others are from them.
[[nodiscard]] Table servingTable(const serve::ServingRun& run, const ServedRanges& ranges);

// One row for each request, as the timeline file holds them.
[[nodiscard]] Table timelineTable(const serve::ServingRun& run);

} // namespace headroom
