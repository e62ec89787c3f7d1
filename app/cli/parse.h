#pragma once

#include "app/cli/verb.h"
#include "model/base/result.h"

#include <string>
#include <variant>
#include <vector>

namespace headroom::cli {

// What the words of a command line ask for: a verb with its arguments, or a page of help to print.
struct Wish {
    const Verb* verb = nullptr; // null: print `page` and be done
    Arguments arguments;
    std::string page;
    Problems problems; // with the words of a known verb: what follows from the rest of them is told too
};

// Every word that is wrong at once: unknown verbs and flags with their nearest spelling, missing values,
// words too many.
[[nodiscard]] Result<Wish> parse(const std::vector<std::string>& words);

} // namespace headroom::cli
