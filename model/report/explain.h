#pragma once

#include "model/base/message.h"
#include "model/base/result.h"
#include "model/closed_form/prediction.h"
#include "model/report/measure.h"
#include "model/resolve/resolve.h"
#include "model/words/text.h"

#include <string>
#include <string_view>
#include <vector>

namespace headroom {

// The source of a number that is a figure with an explanation of its own.
[[nodiscard]] Message explainedBy(const std::string& figure);
// The figure that such a source names, else empty.
[[nodiscard]] std::string figureExplaining(const Message& source);

// A number that a formula uses, and whence it is.
struct ExplainedNumber {
    Message symbol;
    double value = 0;
    Measure measure = Measure::Count;
    Message source;

    friend bool operator==(const ExplainedNumber&, const ExplainedNumber&) = default;
};

// How one figure came about: the formula, the formula with its numbers, where each number is from, and what
// helps to understand it.
struct Explanation {
    std::string figure; // "tpot"
    Message title;      // "Time for each token after the first, no prompts beside it"
    Message formula;
    Message worked;
    double result = 0; // base units
    Measure measure = Measure::Count;
    std::vector<ExplainedNumber> numbers;
    std::vector<Message> notes;

    friend bool operator==(const Explanation&, const Explanation&) = default;
};

// Figures that can be explained, in the order of a reading.
[[nodiscard]] std::vector<std::string> explainedFigures();

// One figure by its name, or all of them for "all"; an unknown name is refused with the nearest.
[[nodiscard]] Result<std::vector<Explanation>>
explainFigures(const Resolved& resolved, const Prediction& prediction, std::string_view figure);

[[nodiscard]] std::string explanationText(const Explanation& explanation, ask::Language language);

} // namespace headroom
