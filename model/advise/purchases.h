#pragma once

#include "model/search/candidate.h"

#include <vector>

namespace headroom {

// What a buyer weighs of candidates that stand best first: of each purchase, a machine and a number of GPUs,
// the best layout, without purchases that another beats in everything: no dearer, and no worse in speed, time
// to the first token, users and confidence, and, where a load was stated, without what costs ten times the
// answer. The answer is never left out, nor a machine whose size was stated. What misses the targets for less
// stays: it is told why it will not do. One machine whose size was stated is bought already: there it is the
// layouts that are weighed, and fewer of its GPUs save nothing.
[[nodiscard]] std::vector<const Candidate*> purchases(const std::vector<Candidate>& ranked);

// A layout and its replicas are told once: the first, which is the best of them.
[[nodiscard]] std::vector<const Candidate*> withoutReplicas(const std::vector<const Candidate*>& ranked);

// Whether both are one purchase, or one layout of a machine whose size was stated.
[[nodiscard]] bool samePurchase(const Candidate& a, const Candidate& b);

} // namespace headroom
