#pragma once

#include "model/ask/lexicon.h"
#include "model/ask/spans.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace headroom::ask {

// What leads a quantity to a role: a word near it, or how it was said.
struct Cue {
    enum class Side : std::uint8_t {
        Any,
        Before,
        Behind,
        Label
    }; // where the word stands, seen from the number
    enum class How : std::uint8_t {
        Word,
        Each,
        PerCard,
        At,
        BesideGpu,
        AtMost,
        Interval,
        OfDays,
        OfMonths,
        Window,
        BesidePeak,
        To,    // "to 400 tokens"
        Daily, // users of a day are said
        AtOnce,
        AfterJob,
        Targets,
        Memory
    };
    How how = How::Word;
    Meaning word = Meaning::Filler;
    double weight = 0;
    Side side = Side::Any;
};

// What a quantity can be said of: a row of the table of roles.
struct Role {
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
    bool many = false;    // of several quantities at once
    Wording name;         // "the batch"
    Wording read;         // "{} sequences at once in each replica"
    Wording say;          // how to say it beyond doubt: "batch {}"
    std::string_view key; // of the scenario; "*": settled in code; "-": not used
    Wording why;          // why it is not used
};

[[nodiscard]] std::vector<Role> rolesOf(std::string_view table, const Lexicon& lexicon);
// The ones the program was built with.
[[nodiscard]] std::span<const Role> shippedRoles();
[[nodiscard]] const Role& roleCalled(std::string_view id);

} // namespace headroom::ask
