#pragma once

#include "model/base/result.h"

#include <string_view>

namespace headroom {

struct Resolved;

// "vllm 0.11": the version that stands in a name of the engine is that of its build, where none is stated.
void takeVersionOf(std::string_view typed, Resolved& out);

// Whether the model's experts are as new as the engine's build: by the version that is stated, else the
// newest that the engine notes. Told where they are.
void dateBuild(Resolved& out, Problems& problems);

} // namespace headroom
