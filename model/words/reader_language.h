#pragma once

#include "model/words/text.h"

#include <string_view>

namespace headroom::ask {

// The variables of an environment that name the language of its messages; empty where they are not set.
struct LocaleVariables {
    std::string_view all;      // LC_ALL
    std::string_view messages; // LC_MESSAGES
    std::string_view usual;    // LANG
};

// The first that says anything decides, as for programs with gettext. Chinese in whatever country or script
// ("zh_CN.UTF-8", "zh-Hans", "zh_TW"); everything else is English, and so is Chinese in another encoding than
// UTF-8, which is the only one that is written.
[[nodiscard]] Language languageOf(const LocaleVariables& variables);

// The same of the environment that this process runs in.
[[nodiscard]] Language languageOfEnvironment();

} // namespace headroom::ask
