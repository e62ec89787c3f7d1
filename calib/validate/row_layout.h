#pragma once

#include "model/catalogue/llm.h"
#include "model/deploy/layout.h"
#include "model/measured/measured_row.h"

#include <string>
#include <variant>

namespace headroom {

// How a row spreads its model: what the row does not say is filled from what it does, for tp x pp x dp is the
// number of GPUs. Else why it cannot be.
[[nodiscard]] std::variant<Layout, Message> layoutOf(const MeasuredRow& row, const Llm& llm);

// Copies of experts that give every rank as many: nobody runs widths that do not divide without them.
[[nodiscard]] int fillingExperts(const Llm& llm, int ep);

} // namespace headroom
