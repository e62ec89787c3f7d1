#pragma once

#include "model/report/candidate_columns.h"

#include <vector>

namespace headroom::app {

// The columns of candidates as people see them: what does not run has no speed, no users and no chance.
[[nodiscard]] const Columns<Candidate>& shownCandidateColumns();

// A layout and its replicas are one row: the first, which is the best of them.
[[nodiscard]] std::vector<const Candidate*> withoutReplicas(const std::vector<const Candidate*>& ranked);

} // namespace headroom::app
