#pragma once

#include "app/cli/verb.h"
#include "model/base/result.h"

#include <string>
#include <vector>

namespace headroom::cli {

// All flags that a verb takes, in the order of its help.
[[nodiscard]] std::vector<Flag> flagsOf(const Verb& verb);

// The words of a verb as far as they can be read.
struct ReadableWords {
    std::vector<std::string> words;
    std::vector<std::string> plain; // what stands behind "--": never a flag
    Problems problems;              // of what was taken out
};

// Takes out what CLI11 would stop at: flags without a value (at the end, or before another flag: no value
// begins with "--"), switches with a value, and flags given twice that may be given once. The rest can be
// read.
[[nodiscard]] ReadableWords readableWords(const Verb& verb, const std::vector<std::string>& words);

} // namespace headroom::cli
