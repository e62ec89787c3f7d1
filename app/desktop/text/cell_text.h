#pragma once

#include "model/report/columns.h"

#include <QString>

namespace headroom::app {

// A cell as people read it, in the language's own digits; the model's own writer is for files.
[[nodiscard]] QString shownText(const ColumnHead& head, const Cell& cell);
[[nodiscard]] QString measureText(double base, Measure measure);
[[nodiscard]] QString columnTitle(const ColumnHead& head);

} // namespace headroom::app
