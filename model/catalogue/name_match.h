#pragma once

#include <string>
#include <vector>

namespace headroom {

// What a typed name was read as. Ambiguous names take the newest and list the others.
struct NameMatch {
    std::string id;
    std::string why; // "newest of 3 that 'llama 70b' can mean", "alias", "exact id"
    std::vector<std::string> others;

    friend bool operator==(const NameMatch&, const NameMatch&) = default;
};

} // namespace headroom
