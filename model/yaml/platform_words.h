#pragma once

#include "model/base/joined_names.h"
#include "model/catalogue/platform.h"
#include "model/yaml/reader.h"

#include <array>

namespace headroom {

inline constexpr auto platformWords = [] {
    std::array<Choice<Platform>, allPlatforms.size()> words{};
    for (std::size_t i = 0; i < words.size(); ++i)
        words[i] = {platformRow(allPlatforms[i])->word, allPlatforms[i]};
    return words;
}();

// "cuda, rocm …": for refusals.
inline constexpr auto platformList = joinedNames(
    allPlatforms, [](Platform platform) { return platformRow(platform)->word; }, ", ");

} // namespace headroom
