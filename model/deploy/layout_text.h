#pragma once

#include "model/base/message.h"
#include "model/deploy/layout.h"

namespace headroom {

// "TP 4 × PP 2, 3 replicas"; "1 GPU" when nothing is split.
[[nodiscard]] Message layoutText(const Layout& layout);

} // namespace headroom
