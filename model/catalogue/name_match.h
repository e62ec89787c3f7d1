#pragma once

#include <string>
#include <vector>

namespace headroom {

// What a typed name was read as. Ambiguous names take the newest and list the others.
struct NameMatch {
    std::string id;
    std::string why; // "newest of 3 that 'llama 70b' can mean", "alias", "exact id"
    std::vector<std::string> others;

    // Not only the one thing that a part of a name fits, which may be another thing altogether.
    [[nodiscard]] bool isNamed() const { return !why.starts_with("the only one"); }

    friend bool operator==(const NameMatch&, const NameMatch&) = default;
};

} // namespace headroom
