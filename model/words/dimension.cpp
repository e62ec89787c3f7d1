#include "model/words/dimension.h"

#include "model/words/enum_names.h"

namespace headroom::ask {

std::optional<Dimension> dimensionOf(std::string_view name)
{
    return constantCalled<Dimension, static_cast<std::size_t>(Dimension::Behind) + 1>(name);
}

} // namespace headroom::ask
