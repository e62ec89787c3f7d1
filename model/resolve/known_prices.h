#pragma once

#include "model/resolve/resolve.h"

namespace headroom {

// What a GPU of the resolved machine costs an hour, rented or bought, and where that is from: prices that the
// user changed become an accelerator of his own, one that is not known a warning. So does a power that is
// not.
void priceIn(Resolved& out);

} // namespace headroom
