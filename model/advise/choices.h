#pragma once

#include "model/search/sizing_plan.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

// What a service is chosen for. One service may be several of them.
enum class ChoiceKind : std::uint8_t {
    Asked,     // the best by what was asked for, where that is neither their number nor their cost
    Fewest,    // fewest GPUs that work, where another accelerator costs less
    Cheapest,  // costs least of what works; of one accelerator, the fewest
    Likely,    // three in four sure, for less than what is safe
    Safe,      // nine in ten sure
    Surest,    // rests on timings of its own accelerator
    Elsewhere, // the best on another accelerator
};

// A service that one may choose, and what for.
struct Choice {
    std::vector<ChoiceKind> kinds; // at least one
    const Candidate* service = nullptr;

    [[nodiscard]] bool is(ChoiceKind kind) const;
};

// Why one of them is recommended.
enum class Recommended : std::uint8_t {
    SureEnough,     // what costs least is nine in ten sure
    Likely,         // what costs least is at least three in four sure
    TooUnsure,      // what costs least is a gamble: the safe one
    TooMany,        // the most users are a gamble: as many as are safe
    NothingSafer,   // it is a gamble, but nothing is safer
    RunsSpent,      // it is a gamble, and not all that may be safer was tried
    AsAsked,        // by what was asked for
    NothingPromised // no speed was asked for that could be missed
};

// Services to choose from, of an answer that meets what was asked; empty of one that does not.
struct Choices {
    std::vector<Choice> all; // the recommended one is the answer
    std::size_t recommended = 0;
    Recommended because = Recommended::SureEnough;
    std::vector<const Candidate*> unpriced; // would work, but nobody knows for how much
};

// Points into the plan.
[[nodiscard]] Choices choicesOf(const SizingPlan& plan);

// Whether what it costs is known.
[[nodiscard]] inline bool priced(const Candidate& c) { return c.point.prediction.service.priceKnown; }

// In a document: "cheapest", "safe".
[[nodiscard]] std::string_view choiceKey(ChoiceKind kind);
[[nodiscard]] std::string_view recommendedKey(Recommended because);
// For people: "cheapest that works".
[[nodiscard]] Message choiceText(ChoiceKind kind);
// Why, as a sentence.
[[nodiscard]] Message recommendedText(Recommended because);

} // namespace headroom
