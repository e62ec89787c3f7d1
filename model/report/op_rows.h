#pragma once

#include "model/closed_form/prediction.h"
#include "model/cost/step_cost.h"
#include "model/report/columns.h"

#include <string>
#include <vector>

namespace headroom {

// One operator of a step as tables show it; figures are of one execution on one GPU of the slowest stage.
struct OpRow {
    Code phase = "prefill"; // or "decode"
    std::string name;
    double count = 0; // executions in the step
    double flops = 0;
    double bytes = 0;
    double seconds = 0;
    Bound bound = Bound::Memory;
    Source source = Source::Prior;

    friend bool operator==(const OpRow&, const OpRow&) = default;
};

// The operators of one prompt and of one decode step of that load.
[[nodiscard]] std::vector<OpRow> operatorRows(const Deployment& deployment, const Load& load);
[[nodiscard]] const Columns<OpRow>& operatorColumns();

} // namespace headroom
