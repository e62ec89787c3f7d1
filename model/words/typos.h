#pragma once

#include <functional>
#include <string_view>

namespace headroom::ask {

using Fits = std::function<bool(std::string_view word, bool sure)>;

// What a mistyped word was meant to be; empty where nothing is near, or several are as near: a word of names,
// of which the catalogue has to have one (two letters may be wrong, and any word of it where more of it
// stands beside; one that is `sure` needs no more), or one of phrases, that stands alone or not.
[[nodiscard]] std::string_view meantBy(std::string_view typed, const Fits& isName, const Fits& isPhrase,
                                       bool ends);

// Whether the word stands in names, or a table has it for what the plan does not depend on.
[[nodiscard]] bool isWordOfTables(std::string_view word);

} // namespace headroom::ask
