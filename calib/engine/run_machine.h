#pragma once

#include "model/base/result.h"
#include "model/measured/measured_row.h"
#include "model/resolve/resolve.h"
#include "model/scenario/scenario.h"

#include <memory>
#include <span>

namespace headroom {

class Catalogue;

// What a run was made on. What its file says holds, and what was asked fills the gaps; where both speak and
// differ it is refused: a fit would take one engine, card or type for another. A model that was asked for
// stands for whatever name a server or a file gives it, unless that is the id of another. An engine left
// empty is the file's.
[[nodiscard]] Result<std::shared_ptr<const Resolved>>
runMachine(const MeasuredRow& row, const Scenario& asked, const Catalogue& catalogue);

// One model that was asked for is none of several.
[[nodiscard]] Problems severalModels(std::span<const MeasuredRow> rows, const Scenario& asked);

} // namespace headroom
