#pragma once

#include "calib/fit/form_fit.h"

#include <cmath>
#include <string>
#include <vector>

namespace headroom {

// Who judges a form: its own held-out shapes, or whole layers alone (a processor shares its cores and its
// clock with everything else that runs).
enum class JudgedBy { Shapes, Layers };

// To a hundredth of a per cent, as it is written down.
[[nodiscard]] inline double rounded(double share) { return std::round(share * 1e4) / 1e4; }

// What `fit` tells of its form, written beside it. A form that misses a condition of form_gates.h is marked
// in `set`, and its interval made wide enough to hold what was held out.
[[nodiscard]] FormRecord recordForm(EfficiencySet& set, const FormFit& fit,
                                    const std::vector<OpSample>& samples, std::string origin, JudgedBy by);

} // namespace headroom
