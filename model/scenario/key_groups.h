#pragma once

#include "model/base/code.h"

#include <span>
#include <string_view>

namespace headroom {

// Keys that a help text shows together: from `first` on, in the order of scenarioKeys(), to the first of the
// next group.
struct KeyGroup {
    std::string_view first;
    Code title;
};

[[nodiscard]] std::span<const KeyGroup> keyGroups();

} // namespace headroom
