#pragma once

#include "model/search/search.h"

namespace headroom {

class Catalogue;

// Tells, beside a plan of the harder ends of ranges, what the easier ones would take or let a machine carry;
// nothing where no range was said.
void tellEasierEnd(SizingPlan& plan, const Scenario& asked, const Catalogue& catalogue,
                   const SearchOptions& options, const RunControl& control);

} // namespace headroom
