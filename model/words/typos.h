#pragma once

#include "model/words/lexicon.h"

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

namespace headroom::ask {

// What a mistyped word may have been meant to be, and how far from it that is.
struct Near {
    std::string_view word;
    std::size_t apart = static_cast<std::size_t>(-1);
    bool sure = false; // by itself
};

// Words of names that are near: the catalogue has to have the name. Two letters may be wrong, and any word of
// it, where more of it stands beside.
[[nodiscard]] std::vector<Near> namesNear(std::string_view typed);

// The word of the phrases that is nearest; none where several that mean different things are as near. A
// letter may be doubled besides; one that is another in a short word stands beside it on the keyboard: a
// share is no spare.
[[nodiscard]] Near wordNear(std::string_view typed,
                            const std::function<bool(std::string_view word, bool alone)>& fits);

// Whether the word stands in names, or a table has it for what the plan does not depend on.
[[nodiscard]] bool isWordOfTables(std::string_view word);

} // namespace headroom::ask
