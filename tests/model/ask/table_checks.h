#pragma once

#include "model/ask/rules.h"

#include <string_view>
#include <vector>

namespace headroom::tests {

// The rules of a table whose every row can be done: an effect that nothing knows, that lacks a value or tells
// of a place that no row has said, and a stage that there is not, are refused with the row. The program reads
// tables that were checked so when it was built.
[[nodiscard]] ask::Rules checkedRules(std::string_view table);

// The stages that an effect tries.
[[nodiscard]] std::vector<std::string_view> stagesOf(const ask::Setting& effect);

// The roles of a table whose keys, settings, sentences and stages are there.
[[nodiscard]] std::vector<ask::Role> checkedRoles(std::string_view table, const ask::Rules& rules);

} // namespace headroom::tests
