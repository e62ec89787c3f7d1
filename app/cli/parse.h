#pragma once

#include "app/cli/verb.h"
#include "model/base/result.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headroom::cli {

// What is printed in place of what a verb does.
enum class Page : std::uint8_t { None, Help, Version };

// What the words of a command line ask for: a verb with its arguments, or a page.
struct Wish {
    const Verb* verb = nullptr; // null: of the whole program
    Page page = Page::None;
    Arguments arguments;
    Problems problems; // with the words of a known verb: what follows from the rest of them is told too
};

// Every word that is wrong at once: unknown verbs and flags with their nearest spelling, missing values,
// words too many.
[[nodiscard]] Result<Wish> parse(const std::vector<std::string>& words);

} // namespace headroom::cli
