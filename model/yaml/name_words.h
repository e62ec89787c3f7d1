#pragma once

#include <string>
#include <string_view>
#include <vector>

// The words of a name as people spell it: "Qwen2.5-72B", "qwen 2.5 72b", "72b qwen2.5". Internal to
// model/yaml.
namespace headroom {

[[nodiscard]] constexpr bool isDigit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool isLetter(char c) { return c >= 'a' && c <= 'z'; }

// In lower case, without the organisation before a slash; sizes are one word ("80gb", "70b").
[[nodiscard]] std::vector<std::string> allWords(std::string_view text);
// Whether a word names the maker or the kind of thing and distinguishes nothing.
[[nodiscard]] bool isNoise(std::string_view word);
// Without those; all where no other is left.
[[nodiscard]] std::vector<std::string> withoutNoise(const std::vector<std::string>& words);
// One spelling for all ways to set blanks and hyphens, but "qwen2 7b" is not "qwen 27b".
[[nodiscard]] std::string squashed(const std::vector<std::string>& words);
// "qwen2.5" also stands for "qwen" and "2.5": where the name's letters end and its figures begin. One letter
// before a figure is a name of its own ("a100", "b200").
void addParts(std::vector<std::string>& words);
// "8b llama" is "llama 8b".
[[nodiscard]] std::vector<std::string> sizeLast(std::vector<std::string> words);

[[nodiscard]] bool hasWord(const std::vector<std::string>& name, const std::string& word);
// A word that was typed with the parts that it may be written in.
using Typed = std::vector<std::vector<std::string>>;
[[nodiscard]] Typed withParts(const std::vector<std::string>& words);
// Every word stands in the name, whole or as its parts.
[[nodiscard]] bool hasWords(const std::vector<std::string>& name, const Typed& words);

} // namespace headroom
