#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace headroom::test {

// Two words of small letters and more with single blanks between them: an English sentence has them, names
// and identifiers do not. Commands in backticks are typed as they are.
[[nodiscard]] std::vector<std::string> englishIn(std::string_view text);

// One a line.
[[nodiscard]] std::string listed(const std::vector<std::string>& all);

// The program, asked in Chinese, ends so and says nothing in English.
void checkChinese(const std::vector<std::string>& words, int exitCode);
// The same of a verb whose results are files: only what it says beside them.
void checkSaysChinese(const std::vector<std::string>& words, int exitCode, bool saysAnything = true);

} // namespace headroom::test
