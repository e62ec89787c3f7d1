#pragma once

#include "model/ask/language.h"
#include "model/ask/vocabulary.h"
#include "model/currency.h"
#include "model/plan/scenario.h"
#include "model/result.h"

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
    Memory    // what does the model take, whatever its speed
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

struct Question {
    std::string text;
    QuestionKind kind = QuestionKind::Size;
    Asked asked = Asked::Speed;
    Language language = Language::English;
    Scenario scenario;
    std::optional<Currency> currency;           // that its amounts are in, where it is not the dollar
    std::vector<Interpretation> interpretation; // in the order of the text
    std::vector<std::string> assumptions;       // what the text did not say and was filled in

    friend bool operator==(const Question&, const Question&) = default;
};

// Reads a question in English, Chinese or both. Every word is read, known to carry no meaning, or quoted back
// as a problem with the nearest meaning; nothing is dropped. What was understood is said in `speak`, or in
// the language of the question.
[[nodiscard]] Result<Question> read(std::string_view text, const Vocabulary& vocabulary,
                                    std::optional<Language> speak = {});

} // namespace headroom::ask
