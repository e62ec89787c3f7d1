#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace headroom::twin {

// What must hold whatever the figures are: how often it was asked, where it did not hold, by how much at
// worst.
struct Law {
    std::string name;
    int cases = 0;
    double worst = 0; // of what may differ: how far it does
    std::vector<std::string> broken{};
};
// Over so many seeded deployments: models x accelerators x engines x widths x boxes.
[[nodiscard]] std::vector<Law> lawsOver(std::uint64_t seed, int cases);

} // namespace headroom::twin
