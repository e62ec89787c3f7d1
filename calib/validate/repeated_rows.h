#pragma once

#include "model/measured/measured_row.h"

#include <cstddef>
#include <vector>

namespace headroom {

// Takes out rows that were given before, whatever they are called and whichever file they stand in; says how
// many.
std::size_t dropRepeats(std::vector<MeasuredRow>& rows);

} // namespace headroom
