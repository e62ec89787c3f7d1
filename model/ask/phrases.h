#pragma once

#include "model/ask/lexicon.h"

#include <span>
#include <string_view>

namespace headroom::ask {

// One meaning with its phrases, separated by '|'; within a phrase spaces are optional, latin words are whole
// words.
struct PhraseRow {
    Meaning meaning;
    double value;
    std::string_view phrases;
};
[[nodiscard]] std::span<const PhraseRow> phraseRows();

} // namespace headroom::ask
