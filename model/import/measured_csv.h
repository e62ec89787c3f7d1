#pragma once

#include "model/base/result.h"
#include "model/measured/measured_row.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

// A measured-rows CSV: id, source, engine, model, gpu, gpus, tp, pp, dp, weight_dtype, kv_dtype, input_len,
// output_len, batch_or_concurrency, metric, value, unit; and, where they stand, source_url_or_path,
// source_commit_or_date, engine_version, gpu_mem_gb, compute_dtype, notes, ep, replicas, and
// prefill_replicas, prefill_tp, prefill_dp, prefill_ep of a service whose prompts have GPUs of their own; or
// a table of deployments (deployment_csv.h), which gives several rows each. Other columns are passed over.
// Required: model, gpu, metric, value. A cell that cannot be read is a problem; a length or load in words is
// kept for the reader of the rows to skip.
[[nodiscard]] Result<std::vector<MeasuredRow>> readMeasuredCsv(std::string_view text,
                                                               const std::string& name);
[[nodiscard]] Result<std::vector<MeasuredRow>> readMeasuredCsv(const std::filesystem::path& file);

[[nodiscard]] std::string measuredCsv(const std::vector<MeasuredRow>& rows);

} // namespace headroom
