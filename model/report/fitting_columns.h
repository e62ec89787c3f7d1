#pragma once

#include "model/advise/fitting_models.h"
#include "model/report/columns.h"

namespace headroom {

// What people choose between the models that a machine runs by.
[[nodiscard]] const Columns<FittingModel>& fittingColumns();

} // namespace headroom
