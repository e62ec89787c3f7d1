#pragma once

#include "model/json/value_json.h"
#include "model/resolve/tco.h"

namespace headroom {

[[nodiscard]] Json billJson(const Bill& bill);
[[nodiscard]] Json rentOrOwnJson(const RentOrOwn& choice);
[[nodiscard]] Json costsJson(const CostOverYears& costs);

} // namespace headroom
