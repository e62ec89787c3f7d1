#pragma once

#include "model/base/wide_parts.h"

#include <string>
#include <string_view>

namespace headroom {

// What the notes of a measured row say that its checkpoint left in 16 bits: "keeps attention,shared-experts
// in 16 bits". Words that are none of `widePartNames` stand in `unknown`, as they were written.
struct KeptWide {
    WideParts parts;
    std::string unknown;
};
[[nodiscard]] KeptWide keptWideOfNotes(std::string_view notes);

} // namespace headroom
