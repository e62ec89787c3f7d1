#pragma once

#include "calib/fit/form_fit.h"

#include <cstddef>
#include <vector>

namespace headroom {

// Timings that measured something else beside their operator: of one kernel on one shape, the smaller of two
// amounts of work took more than twice as long as the larger. Of each such pair the timing leaves that more
// of the others contradict; where both have as many against them, neither does. An expert layer that is the
// larger one in some respect only may take as much longer as its additional work does at a quarter of the
// peak of arithmetic and half of the memory's rate: now and then a library tunes a whole configuration four
// to six times too slow.
struct Consistent {
    std::vector<OpSample> samples;
    std::size_t left = 0; // timings that were taken out
};
[[nodiscard]] Consistent withoutContradictions(std::vector<OpSample> samples, const Gpu& gpu);

} // namespace headroom
