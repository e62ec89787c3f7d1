#pragma once

#include "calib/fit/form_fit.h"
#include "model/catalogue/gpu.h"
#include "model/count/op.h"

#include <vector>

namespace headroom {

// Timed over and over, operands that fit into the last-level cache are read from it; in a step of a model
// they never are, as all its other weights and caches pass between. Such timings say nothing of memory:
// `copies` is how many of them the publisher took in turn. What multiplies longer than it reads is not
// affected, nor what is read in the time of a launch.
[[nodiscard]] bool readsLongest(const Op& op, const Gpu& gpu);
[[nodiscard]] bool servedFromCache(const Op& op, const Gpu& gpu, double copies);

// Faster than the memory gives what the cache cannot hold: whatever was timed, it was not this operator. A
// shape of which more than a tenth of the rows are so is not believed in any; of others those rows are left
// out.
[[nodiscard]] std::vector<OpSample> withoutImpossible(std::vector<OpSample> samples, const Gpu& gpu);

} // namespace headroom
