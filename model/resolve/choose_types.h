#pragma once

#include "model/resolve/resolve.h"

namespace headroom {

// The types of weights, KV cache and products of a scenario that names none, each told as an assumption; one
// that engine or accelerator does not run is refused.
void chooseTypes(Resolved& out, Problems& problems);

} // namespace headroom
