#include "model/yaml/built_from.h"

namespace headroom {

std::filesystem::path builtFrom() { return HEADROOM_BUILT_FROM; }

} // namespace headroom
