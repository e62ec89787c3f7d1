#pragma once

#include "app/cli/arguments.h"
#include "app/cli/verb.h"
#include "model/ask/question.h"
#include "model/base/message.h"

#include <functional>
#include <string>

namespace headroom::cli {

// Of verbs whose text is in English unless told otherwise.
inline constexpr Flag languageFlag{"--lang", "en|zh", "language of the text; default en"};

// --lang en|zh, else `usual`.
[[nodiscard]] Result<ask::Language> languageFrom(const Arguments& arguments,
                                                 ask::Language usual = ask::Language::English);

// How words are told in it.
[[nodiscard]] std::function<std::string(const Message&)> tellerIn(ask::Language language);

// What is wrong, told in it.
[[nodiscard]] Problems toldIn(ask::Language language, Problems problems);

} // namespace headroom::cli
