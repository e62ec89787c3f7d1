#pragma once

#include "model/base/result.h"
#include "model/scenario/scenario.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

// A way to split that a layout states, with the word that stands for it in a text.
struct LayoutPart {
    std::string_view word;
    std::optional<int> StatedLayout::*size;
    std::optional<int> Scenario::*key;
};
inline constexpr std::array layoutParts{
    LayoutPart{"tp", &StatedLayout::tp, &Scenario::tp}, LayoutPart{"pp", &StatedLayout::pp, &Scenario::pp},
    LayoutPart{"ep", &StatedLayout::ep, &Scenario::ep}, LayoutPart{"dp", &StatedLayout::dp, &Scenario::dp},
    LayoutPart{"r", &StatedLayout::replicas, &Scenario::replicas}};

// "tp8pp2"; nothing where it is none.
[[nodiscard]] std::optional<StatedLayout> layoutFromText(std::string_view text);
[[nodiscard]] std::string textOf(const StatedLayout& layout);

// "tp8pp2,tp16", and two replicas of eight: "tp8r2".
[[nodiscard]] Result<std::vector<StatedLayout>> layoutsFromText(std::string_view text);
[[nodiscard]] std::string textOf(const std::vector<StatedLayout>& layouts);

// As people read it: "TP 8 x PP 2".
[[nodiscard]] std::string titleOf(const StatedLayout& layout);

} // namespace headroom
