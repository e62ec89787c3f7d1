#pragma once

#include "model/base/message.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headroom {

// What a typed name was read as. Ambiguous names take the newest and list the others.
struct NameMatch {
    enum class How : std::uint8_t {
        Exact,   // its id
        Alias,   // another spelling of it alone
        OnlyOne, // the only one that a part of a name fits
        Usual,   // of several that one spelling can mean
        Newest
    };

    std::string id;
    How how = How::Exact;
    Message why; // "newest of 3 that 'llama 70b' can mean", "alias", "exact id"
    std::vector<std::string> others;

    // Not only the one thing that a part of a name fits, which may be another thing altogether.
    [[nodiscard]] bool isNamed() const { return how != How::OnlyOne; }

    friend bool operator==(const NameMatch&, const NameMatch&) = default;
};

// Whose names, of those that a sentence may use.
struct NameKinds {
    bool model = false;
    bool gpu = false;
    bool engine = false;

    [[nodiscard]] static constexpr NameKinds all() { return {true, true, true}; }
    [[nodiscard]] constexpr bool any() const { return model || gpu || engine; }
    [[nodiscard]] friend constexpr NameKinds operator&(NameKinds a, NameKinds b)
    {
        return {a.model && b.model, a.gpu && b.gpu, a.engine && b.engine};
    }
    [[nodiscard]] friend constexpr NameKinds operator|(NameKinds a, NameKinds b)
    {
        return {a.model || b.model, a.gpu || b.gpu, a.engine || b.engine};
    }
};

} // namespace headroom
