#pragma once

#include <cstdint>
#include <string>

namespace headroom {

enum class Confidence : std::uint8_t { High, Medium, Low };

// Where a group of figures comes from, as the file says it; shown beside every figure of that group.
struct Citation {
    std::string key;  // "memory", "peaks", "price": the group the figures stand in
    std::string text; // "NVIDIA H200 datasheet, 2024; checked against …"
    Confidence confidence = Confidence::Medium;

    friend bool operator==(const Citation&, const Citation&) = default;
};

} // namespace headroom
