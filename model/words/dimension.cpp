#include "model/words/dimension.h"

#include "model/words/enum_names.h"

#include <algorithm>

namespace headroom::ask {

std::optional<Dimension> dimensionOf(std::string_view name)
{
    static constexpr auto& names = spellings<Dimension, static_cast<std::size_t>(Dimension::Behind) + 1>;
    static_assert(names.front() == "Plain" && names.back() == "Behind");
    const auto* const found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? std::nullopt : std::optional(static_cast<Dimension>(found - names.begin()));
}

} // namespace headroom::ask
