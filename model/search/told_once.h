#pragma once

#include "model/search/sizing_plan.h"

namespace headroom {

// A service may have been judged in closed form, replayed, and proven to carry so much: wherever a plan tells
// of it, it is what was found out last, and among the candidates it stands once.
void tellOnce(SizingPlan& plan);

} // namespace headroom
