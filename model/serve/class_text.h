#pragma once

#include "model/base/result.h"
#include "model/serve/traffic.h"

#include <string_view>

namespace headroom::serve {

// "chat share=0.6 prompt=lognormal:mean=1155,p99=7000 output=211 system=500 turns=4 think=20 ttft=0.5
// tpot=0.05": a name, then settings; what is not said is as in `otherwise`. The problems' `where` is the
// caller's.
[[nodiscard]] Result<TrafficClass> trafficClassFromText(std::string_view text, const TrafficClass& otherwise);

} // namespace headroom::serve
