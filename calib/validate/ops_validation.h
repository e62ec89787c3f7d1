#pragma once

#include "model/base/result.h"
#include "model/measured/judged_row.h"
#include "model/yaml/catalogue.h"

#include <string>
#include <string_view>

namespace headroom {

// The same for single operators: CSV with gpu, op, dtype, m, n, k, batch, context, heads, kv_heads, head_dim,
// bytes, ranks, time_us (id where it stands; columns an operator does not need may be empty or missing, one
// it needs and has not skips the row with that reason). `op` is one of gemm, attention_prefill,
// attention_decode, all_reduce, all_gather, send_recv, copy, elementwise. `engine` says whose kernels.
[[nodiscard]] Result<ValidationReport> validateOps(std::string_view csv, const std::string& name,
                                                   const Catalogue& catalogue, const std::string& engine);

} // namespace headroom
