#pragma once

#include "model/base/currency.h"
#include "model/base/result.h"
#include "model/scenario/scenario.h"
#include "model/words/text.h"
#include "model/words/vocabulary.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::ask {

enum class QuestionKind : std::uint8_t {
    Size,     // how many, which, cheapest
    Predict,  // what does this machine give
    Fit,      // can this machine run it
    Capacity, // how many users does this machine carry
    Memory,   // what does the model take, whatever its speed
    Models    // what runs on this machine (only where the vocabulary lists models)
};

// What the answer to a question about a machine or about memory says first.
enum class Asked : std::uint8_t {
    Speed,
    FirstToken,
    BetweenTokens,
    Request,
    Throughput,
    Power,
    Memory,
    KvOfToken,
    KvOfContext,
    LongestContext
};

// One phrase of the question and what it was read as.
struct Interpretation {
    std::string said; // as typed
    std::string readAs;
    std::string why;
    std::vector<std::string> others; // what it could have meant too
    std::size_t position = 0;        // byte of the question where it begins

    friend bool operator==(const Interpretation&, const Interpretation&) = default;
};
// A phrase that the plan is the same without, or whose part of a plan is not modelled: it was read as
// nothing.
using Unused = Interpretation;

struct Question {
    std::string text;
    QuestionKind kind = QuestionKind::Size;
    Asked asked = Asked::Speed;
    Language language = Language::English;
    Scenario scenario;                          // of a range its harder end
    bool changesAtHand = false;                 // it changes the scenario at hand
    std::optional<Currency> currency;           // that its amounts are in, where it is not the dollar
    std::vector<Interpretation> interpretation; // in the order of the text
    std::vector<Unused> unused;                 // in the order of the text
    std::vector<std::string> assumptions;       // what the text did not say and was filled in

    friend bool operator==(const Question&, const Question&) = default;
};

// Reads a question in English, Chinese or both, as the assignment of its quantities to roles that explains
// the sentence best as a whole. What was not used is told; what would be lost (a number, a name, a
// constraint) is refused with the nearest meaning, and where two readings explain about as much, both are
// offered as ready questions. What was understood is said in `speak`, or in the language of the question.
// With a scenario `atHand` a question that names no model changes that one ("double it", "same on
// H200", "and with fp8?"), and so does "what about X".
[[nodiscard]] Result<Question> read(std::string_view text, const Vocabulary& vocabulary,
                                    std::optional<Language> speak = {}, const Scenario* atHand = nullptr);

} // namespace headroom::ask
