#pragma once

#include "model/report/columns.h"
#include "model/search/search.h"

namespace headroom {

// What people choose between the candidates of a search by, in the order they ask.
[[nodiscard]] const Columns<Candidate>& candidateColumns();

} // namespace headroom
