#pragma once

#include "model/report/candidate_columns.h"

namespace headroom::app {

// The columns of candidates as people see them: what does not run has no speed, no users and no chance.
[[nodiscard]] const Columns<Candidate>& shownCandidateColumns();

} // namespace headroom::app
