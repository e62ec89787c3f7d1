#pragma once

#include <QString>

namespace headroom {
class Catalogue;
struct Problem;
} // namespace headroom

namespace headroom::app {

// What was written, and what may have been meant.
struct MeantWord {
    QString said;
    QString with;
};

// A problem as rich text, in which the names that its hint offers ("nearest: h100-sxm-80gb", "did you mean
// 'vllm'?") are links: each says what stands in its place.
[[nodiscard]] QString withMeantWords(const Problem& problem, const Catalogue& catalogue);
[[nodiscard]] MeantWord meantWordOf(const QString& link);
[[nodiscard]] QString plainText(const QString& richText);

} // namespace headroom::app
