#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace headroom {

// What the free text of a measured row says. All of these look for whole words.

// The number behind `key`: "EP=4", "range ratio 0.8".
[[nodiscard]] std::optional<double> numberAfter(std::string_view text, std::string_view key);
// The whole number before `word`, which no rate is of: 1000 of "1000 requests", nothing of "1.5 requests/s".
[[nodiscard]] std::optional<double> numberBefore(std::string_view text, std::string_view word);
// The same with a decimal point: "1.5/s offered".
[[nodiscard]] std::optional<double> decimalBefore(std::string_view text, std::string_view word);
// The word behind `key`, up to a blank, a comma or a semicolon: "machine=dgx-h200".
[[nodiscard]] std::optional<std::string> wordAfter(std::string_view text, std::string_view key);
// "static" is said of "one static batch", not of "--mem-fraction-static".
[[nodiscard]] bool says(std::string_view text, std::string_view words);
// A setting that is named and not switched off: "enable_attention_dp", but not "enable_attention_dp: false".
[[nodiscard]] bool switchedOn(std::string_view text, std::string_view setting);

[[nodiscard]] std::string lowered(std::string_view text);

} // namespace headroom
