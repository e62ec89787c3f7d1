#pragma once

#include "model/search/sizing_plan.h"
#include "model/words/text.h"

#include <string>

namespace headroom {

// Lines about what an answer costs rented, owned, over years and against an API; empty where no price is
// known.
[[nodiscard]] std::string costsText(const SizingPlan& plan, ask::Language language);

// "8 GPUs $240,000, 1 server $70,000".
[[nodiscard]] std::string billText(const Bill& bill, ask::Language language);

// How long a stated job takes on the answer: "5,000,000 requests in 6.2 days"; empty without a job.
[[nodiscard]] std::string jobText(const SizingPlan& plan, ask::Language language);
// How long it takes: "5.38 days".
[[nodiscard]] std::string jobTimeText(const SizingPlan& plan, ask::Language language);

} // namespace headroom
