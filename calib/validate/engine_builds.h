#pragma once

#include "model/catalogue/engine.h"

#include <fmt/format.h>
#include <string>
#include <string_view>

namespace headroom {

// A build of an engine whose numbers are its own: "sglang on cdna3", "vllm on rocm".
[[nodiscard]] inline std::string buildName(const Engine& engine, const EngineOnFamilies& on)
{
    return fmt::format("{} on {}", engine.id, on.name());
}

// The version class of an engine, whichever accelerators it is built for: "sglang" of "sglang on cdna3".
[[nodiscard]] inline std::string_view versionClassOf(std::string_view build)
{
    return build.substr(0, build.find(" on "));
}

} // namespace headroom
