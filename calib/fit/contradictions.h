#pragma once

#include "calib/fit/form_fit.h"

#include <cstddef>
#include <vector>

namespace headroom {

// Timings that measured something else beside their operator: of one kernel on one shape, the smaller of two
// amounts of work took more than twice as long as the larger. Of each such pair the timing leaves that more
// of the others contradict; where both have as many against them, neither does.
struct Consistent {
    std::vector<OpSample> samples;
    std::size_t left = 0; // timings that were taken out
};
[[nodiscard]] Consistent withoutContradictions(std::vector<OpSample> samples);

} // namespace headroom
