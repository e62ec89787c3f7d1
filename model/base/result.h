#pragma once

#include "model/base/message.h"

#include <string>
#include <tl/expected.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace headroom {

// A message, or a sentence that is told in English alone: readers of files hand theirs over finished.
class ProblemText : public Message {
public:
    using Message::Message;
    ProblemText(Code code) : Message(code) {}
    ProblemText(Message message) : Message(std::move(message)) {}
    ProblemText(const std::string& english) : Message(asIs(english)) {}
    template <typename T>
    requires(std::is_convertible_v<T, const char*> && !std::is_array_v<std::remove_reference_t<T>>)
        ProblemText(T&& english)
        : Message(asIs(english))
    {}
};

// One thing wrong with an input, said where the user can fix it.
struct Problem {
    std::string where; // "hw_profiles/h200-sxm.yaml:12:9 memory.bandwidth"
    ProblemText what;  // "expected a rate such as '4.8 TB/s', got '4.8 Gb/s'"
    ProblemText hint;  // "a byte is 8 bits: write '0.6 GB/s'", may be empty

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
inline tl::unexpected<Problems> refuse(std::string where, ProblemText what, ProblemText hint = {})
{
    return refuse(Problems{{std::move(where), std::move(what), std::move(hint)}});
}

} // namespace headroom
