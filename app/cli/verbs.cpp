#include "app/cli/verb.h"

#include <array>

namespace headroom::cli {

namespace {

constexpr std::array<Verb, 0> allVerbs{};

} // namespace

std::span<const Verb> verbs() { return allVerbs; }

} // namespace headroom::cli
