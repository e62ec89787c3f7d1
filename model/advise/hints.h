#pragma once

#include "model/advise/explain_plan.h"

#include <string_view>
#include <vector>

namespace headroom {

// Changes that nobody asked for, each by itself, that would save a quarter of the price or more, or carry a
// quarter more where machines were stated. Each is planned as if it had been asked, with the replays that
// takes, and held against a service that is no surer to keep the targets. The most first; none where the
// answer is no.
struct FoundHints {
    std::vector<Hint> hints;
    bool all = true; // false: the runs that they may take were spent before every promising change was tried
};
[[nodiscard]] FoundHints hintsFor(const SizingPlan& plan, const Scenario& scenario,
                                  const Catalogue& catalogue, const Replanner& replanner,
                                  const RunControl& control);

// In a document: "pools".
[[nodiscard]] std::string_view hintKey(Hint::Kind kind);

} // namespace headroom
