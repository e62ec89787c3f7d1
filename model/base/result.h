#pragma once

#include "model/base/message.h"

#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

namespace headroom {

// One thing wrong with an input, said where the user can fix it.
struct Problem {
    std::string where; // "hw_profiles/h200-sxm.yaml:12:9 memory.bandwidth"
    Message what;      // "expected a rate such as '4.8 TB/s', got '4.8 Gb/s'"
    Message hint;      // "a byte is 8 bits: write '0.6 GB/s'", may be empty

    friend bool operator==(const Problem&, const Problem&) = default;
};
using Problems = std::vector<Problem>;

// Either the value, or everything that is wrong with the input at once.
template <typename T>
using Result = tl::expected<T, Problems>;

inline tl::unexpected<Problems> refuse(Problems problems)
{
    return tl::unexpected<Problems>(std::move(problems));
}
inline tl::unexpected<Problems> refuse(std::string where, Message what, Message hint = {})
{
    return refuse(Problems{{std::move(where), std::move(what), std::move(hint)}});
}

} // namespace headroom
