#pragma once

#include "app/cli/arguments.h"
#include "app/cli/verb.h"
#include "model/base/result.h"
#include "model/words/text.h"

#include <string>
#include <vector>

namespace headroom::cli {

// Of verbs whose text is in English unless told otherwise.
inline constexpr Flag languageFlag{"--lang", "en|zh", "language of the text; default en"};

// --lang en|zh, else `usual`.
[[nodiscard]] Result<ask::Language> languageFrom(const Arguments& arguments,
                                                 ask::Language usual = ask::Language::English);

// What the words of a command line ask for, whatever else is wrong with them.
[[nodiscard]] ask::Language languageIn(const std::vector<std::string>& words);

} // namespace headroom::cli
