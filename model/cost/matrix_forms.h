#pragma once

#include "model/catalogue/gpu.h"
#include "model/cost/forms.h"
#include "model/count/op.h"
#include "model/efficiency/efficiency_set.h"

#include <vector>

namespace headroom {

// Products of matrices: one (product_form.cpp), and those of many experts at once (expert_form.cpp).
[[nodiscard]] OpTime timeGemm(const Op& op, const Gpu& gpu, const GemmForm& form,
                              const std::vector<ExactShape>& exact);
[[nodiscard]] OpTime timeGrouped(const Op& op, const Gpu& gpu, const EfficiencySet& set);

} // namespace headroom
