#pragma once

#include "app/cli/arguments.h"
#include "app/cli/verb.h"
#include "model/base/result.h"
#include "model/words/text.h"

#include <string>
#include <vector>

namespace headroom::cli {

inline constexpr Flag languageFlag{"--lang", "en|zh",
                                   "language of the text; default: that of the environment (LC_ALL, "
                                   "LC_MESSAGES, LANG), English with --json"};

// --lang en|zh, else `usual`.
[[nodiscard]] Result<ask::Language> languageFrom(const Arguments& arguments, ask::Language usual);

// What the words of a command line ask for, whatever else is wrong with them; where they do not, what the
// environment says. A program that reads documents finds the same in them wherever it runs.
[[nodiscard]] ask::Language languageIn(const std::vector<std::string>& words);

// Of who asked in Chinese, whatever his environment says.
[[nodiscard]] ask::Language languageOfAnswer(ask::Language question, ask::Language reader);

} // namespace headroom::cli
