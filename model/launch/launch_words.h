#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace headroom {

// What only the machine knows on which a start line runs. Everything else in one is text, and quoted.
struct LaunchVariable {
    enum class Kind : std::uint8_t {
        NodeRank,    // number of the node in its replica, times `factor`
        HeadAddress, // of the replica's node 0
        OwnAddress,
        Slot, // `base` and, for each replica before it in the same box, `factor`
        Host, // that the reader fills in, under `name`
    };
    Kind kind = Kind::NodeRank;
    int base = 0;
    int factor = 1;
    std::string name;
};

// One word of a start line, its pieces written without a gap.
using LaunchWord = std::vector<std::variant<std::string, LaunchVariable>>;
using LaunchSetting = std::pair<std::string, LaunchWord>; // a flag or a variable of the environment

} // namespace headroom
