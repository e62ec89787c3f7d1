#pragma once

#include "model/measured/judged_row.h"

#include <string>

namespace headroom {

// {"schema": "headroom.validate/1", …}
[[nodiscard]] std::string validationJson(const ValidationReport& report, std::size_t worst);

} // namespace headroom
