#pragma once

#include "model/base/message.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace headroom {

// What a sentence is about, where somebody acts on it: nobody looks for words in a sentence.
enum class RemarkKind : std::uint8_t {
    Plain,
    Price,       // a price that is not known
    Power,       // a power that is not known
    OneSequence, // no load was given: one sequence at a time
    Box          // the box that the GPUs stand in
};

// A choice that was made for the user, or something to keep in mind.
struct Remark {
    Remark(Message message) : text(std::move(message)) {} // implicit: most are about nothing special
    template <std::size_t N>
    Remark(const char (&code)[N]) : text(code)
    {}
    Remark(RemarkKind about, Message message) : kind(about), text(std::move(message)) {}

    operator const Message&() const { return text; }
    friend bool operator==(const Remark&, const Remark&) = default;

    RemarkKind kind = RemarkKind::Plain;
    Message text;
};

[[nodiscard]] inline std::vector<Message> textsOf(const std::vector<Remark>& remarks)
{
    return {remarks.begin(), remarks.end()};
}

} // namespace headroom
