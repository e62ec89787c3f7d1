#pragma once

#include "model/words/lexicon.h"
#include "model/words/tables.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace headroom::ask {

// The same in both languages.
struct Wording {
    std::string_view english;
    std::string_view chinese;
};

// What leads a quantity to a role: a word near it, or how it was said.
struct Cue {
    enum class How : std::uint8_t {
        Near, // where the word stands, seen from the number
        Before,
        Behind,
        Label,
        Inside,
        Per,   // it is said of one of so many
        Around // a rule of this stage fits around it
    };
    How how = How::Near;
    Meaning word = Meaning::Filler;
    std::string_view stage;
    double weight = 0;

    [[nodiscard]] bool isWord() const { return how < How::Per; }
};

// What a quantity can be said of: a row of the table of roles.
struct Role {
    std::size_t line = 0; // of the table
    struct Fit {
        Dimension dimension = Dimension::Plain;
        double score = 0;
    };
    struct Range {
        double from = 0;
        double to = 0;
        [[nodiscard]] bool has(double value) const { return value >= from && value <= to; }
    };
    std::string_view id;
    std::vector<Fit> fits;
    Range usual;    // values that people say
    Range possible; // beyond these it hardly is this role
    std::vector<Cue> cues;
    bool many = false;             // of several quantities at once
    Wording name;                  // "the batch"
    Wording read;                  // "{} sequences at once in each replica"
    Wording say;                   // how to say it beyond doubt: "batch {}"
    std::string_view key;          // of the scenario; "*": settled in code; "-": not used
    Wording why;                   // why it is not used
    std::vector<Meaning> with;     // words right beside it that are read with it
    std::vector<Setting> settings; // how its key is set: "comes", "easier", "other", and what is refused

    [[nodiscard]] const Setting& setting(std::string_view what) const // an empty one where it has none
    {
        static const Setting nothing;
        const Setting* const found = firstWith(settings, what, &Setting::what);
        return found == nullptr ? nothing : *found;
    }
    [[nodiscard]] bool saysOfOne(Meaning scope) const; // whether it can be said of one user, one card
};

constexpr std::size_t mostRoles = 128; // that a reading keeps apart

[[nodiscard]] std::vector<Role> rolesOf(std::string_view table);
// The ones the program was built with.
[[nodiscard]] std::span<const Role> shippedRoles();
[[nodiscard]] const Role& roleCalled(std::string_view id);

} // namespace headroom::ask
