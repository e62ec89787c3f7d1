#pragma once

#include "model/plan/search.h"

#include <cstdint>

namespace headroom {

// How much is worked out of a candidate.
enum class Depth : std::uint8_t {
    Verdict, // whether it meets and what users feel; the most it carries only as far as the load asks
    Whole
};

// Judges one layout of a machine: how many replicas carry the load, what users then feel, why it will not do.
// `sure`: targets hold at the 90th percentile of the estimates.
[[nodiscard]] Candidate judge(const std::shared_ptr<const Resolved>& machine, const Layout& layout,
                              const Scenario& scenario, bool sure = false, Depth depth = Depth::Whole);

// Fills in what a verdict left out.
void complete(Candidate& candidate, const Scenario& scenario);

} // namespace headroom
