#pragma once

#include "calib/validate/prepared_runs.h"
#include "model/base/run_control.h"
#include "model/measured/judged_row.h"
#include "model/yaml/catalogue.h"

#include <vector>

namespace headroom {

// Predicts every row and says which cannot be: names the catalogue lacks, a load or lengths not in numbers,
// figures that their collector marked as anomalous, figures better than the hardware allows, figures that
// contradict one another.
[[nodiscard]] ValidationReport validate(const std::vector<MeasuredRow>& rows, const Catalogue& catalogue,
                                        const RunControl& control = {});

[[nodiscard]] ValidationReport validate(PreparedRuns prepared, const RunControl& control = {});

} // namespace headroom
