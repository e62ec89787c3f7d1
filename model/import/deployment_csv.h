#pragma once

#include "model/base/result.h"
#include "model/measured/measured_row.h"
#include "model/text/csv.h"

#include <vector>

namespace headroom {

// A table of services whose prompts have GPUs of their own: one service a row, both pools and all of its
// figures as columns. Two are known: InferenceX's export of such runs, and collections of published
// deployments in the columns prefill_… and decode_….
[[nodiscard]] bool isDeploymentTable(const CsvTable& table);

// A row for each figure of each service.
[[nodiscard]] Result<std::vector<MeasuredRow>> deploymentRows(const CsvTable& table);

} // namespace headroom
