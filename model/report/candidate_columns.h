#pragma once

#include "model/plan/search.h"
#include "model/report/columns.h"

namespace headroom {

// What people choose between the candidates of a search by, in the order they ask.
[[nodiscard]] const Columns<Candidate>& candidateColumns();

} // namespace headroom
