#pragma once

#include <cstdint>
#include <string>
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
    Remark(std::string sentence) : text(std::move(sentence)) {} // implicit: most are plain sentences
    Remark(const char* sentence) : text(sentence) {}
    Remark(RemarkKind about, std::string sentence) : kind(about), text(std::move(sentence)) {}

    operator const std::string&() const { return text; }
    friend bool operator==(const Remark&, const Remark&) = default;

    RemarkKind kind = RemarkKind::Plain;
    std::string text;
};

[[nodiscard]] inline std::vector<std::string> textsOf(const std::vector<Remark>& remarks)
{
    return {remarks.begin(), remarks.end()};
}

} // namespace headroom
