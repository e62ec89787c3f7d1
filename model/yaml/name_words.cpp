#include "model/yaml/name_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>

namespace headroom {

namespace {

std::string_view withoutOrganisation(std::string_view text)
{
    const std::size_t slash = text.rfind('/');
    return slash != std::string_view::npos && slash + 1 < text.size() ? text.substr(slash + 1) : text;
}

std::vector<std::string> splitWords(std::string_view text)
{
    std::vector<std::string> words(1);
    const std::string_view rest = withoutOrganisation(text);
    for (std::size_t i = 0; i < rest.size(); ++i) {
        const char c = static_cast<char>(std::tolower(static_cast<unsigned char>(rest[i])));
        const bool decimalPoint = (c == '.' || c == '_') && i > 0 && isDigit(rest[i - 1])
            && i + 1 < rest.size() && isDigit(rest[i + 1]);
        if (isDigit(c) || isLetter(c) || decimalPoint || c == '+'
            || (static_cast<unsigned char>(c) & 0x80) != 0)
            words.back() += c == '_' ? '.' : c; // "Llama-3_3" is Llama 3.3
        else if (!words.back().empty())
            words.emplace_back();
    }
    if (words.back().empty())
        words.pop_back();
    return words;
}

// "80 gb" and "80gib" are "80gb"; "70 b" is "70b".
void joinSizes(std::vector<std::string>& words)
{
    static constexpr std::array<std::string_view, 5> sizes{"gb", "gib", "g", "b", "m"};
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool number
            = std::all_of(words[i].begin(), words[i].end(), [](char c) { return isDigit(c) || c == '.'; });
        if (number && i + 1 < words.size()
            && std::find(sizes.begin(), sizes.end(), words[i + 1]) != sizes.end()) {
            words[i] += words[i + 1];
            words.erase(words.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        }
        if (words[i].ends_with("gib"))
            words[i].replace(words[i].size() - 3, 3, "gb");
    }
}

// "70b", "1.5b", "8x7b", "80gb": how much of the thing, which people say before its name as well as behind.
bool isSize(const std::string& word)
{
    const std::string_view unit = std::string_view(word).ends_with("gb") ? "gb" : "b";
    if (word.size() <= unit.size() || !word.ends_with(unit))
        return false;
    const std::string_view number(word.data(), word.size() - unit.size());
    return isDigit(number.back()) && number.find_first_not_of("0123456789.x") == std::string_view::npos;
}

} // namespace

bool isNoise(std::string_view word)
{
    static constexpr std::array<std::string_view, 12> noise{"nvidia", "amd",    "intel",  "google",
                                                            "aws",    "gpu",    "gpus",   "tensor",
                                                            "core",   "radeon", "habana", "geforce"};
    return std::find(noise.begin(), noise.end(), word) != noise.end();
}

std::vector<std::string> allWords(std::string_view text)
{
    std::vector<std::string> words = splitWords(text);
    joinSizes(words);
    return words;
}

std::vector<std::string> withoutNoise(const std::vector<std::string>& words)
{
    std::vector<std::string> kept;
    std::copy_if(words.begin(), words.end(), std::back_inserter(kept),
                 [](const std::string& w) { return !isNoise(w); });
    return kept.empty() ? words : kept;
}

std::string squashed(const std::vector<std::string>& words)
{
    std::string out;
    for (const std::string& word : words) {
        if (!out.empty() && isDigit(out.back()) && isDigit(word.front()))
            out += ' ';
        out += word;
    }
    return out;
}

void addParts(std::vector<std::string>& words)
{
    const std::size_t whole = words.size();
    for (std::size_t i = 0; i < whole; ++i) {
        const std::string word = words[i];
        std::size_t letters = 0;
        while (letters < word.size() && isLetter(word[letters]))
            ++letters;
        if (letters >= 2 && letters < word.size() && isDigit(word[letters])) {
            words.push_back(word.substr(0, letters));
            words.push_back(word.substr(letters));
        }
    }
}

std::vector<std::string> sizeLast(std::vector<std::string> words)
{
    if (words.size() > 1 && isSize(words.front()))
        std::rotate(words.begin(), words.begin() + 1, words.end());
    return words;
}

bool hasWord(const std::vector<std::string>& name, const std::string& word)
{
    return std::find(name.begin(), name.end(), word) != name.end();
}

Typed withParts(const std::vector<std::string>& words)
{
    Typed typed;
    for (const std::string& word : words) {
        typed.push_back({word});
        addParts(typed.back());
    }
    return typed;
}

bool hasWords(const std::vector<std::string>& name, const Typed& words)
{
    return std::all_of(words.begin(), words.end(), [&](const std::vector<std::string>& word) {
        return hasWord(name, word[0])
            || (word.size() == 3 && hasWord(name, word[1]) && hasWord(name, word[2]));
    });
}

} // namespace headroom
