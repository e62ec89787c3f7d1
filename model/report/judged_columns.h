#pragma once

#include "model/measured/judged_row.h"
#include "model/report/columns.h"

namespace headroom {

// A measured figure beside the predicted one, in the row's own unit.
[[nodiscard]] const Columns<JudgedRow>& judgedColumns();

} // namespace headroom
