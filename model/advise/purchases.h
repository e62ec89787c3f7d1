#pragma once

#include "model/search/candidate.h"

#include <vector>

namespace headroom {

// What a buyer weighs of candidates that stand best first: of each purchase, a machine and a number of GPUs,
// the best layout, without purchases that another beats in everything: no dearer, and no worse in speed, time
// to the first token, users and confidence, and, where a load was stated, without what costs ten times the
// answer. The answer is never left out, nor a machine whose size was stated. What misses the targets for less
// stays: it is told why it will not do.
[[nodiscard]] std::vector<const Candidate*> purchases(const std::vector<Candidate>& ranked);

} // namespace headroom
