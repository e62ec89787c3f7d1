#include "calib/validate/row_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace headroom {
namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
// A character that a word, a flag or a number goes on with.
bool goesOn(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_'; }

// The number of such characters that stands right before the word.
std::optional<double> before(std::string_view text, std::string_view word, bool (*isOfNumber)(char))
{
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
        const std::size_t behind = at + word.size();
        if (behind < text.size() && (goesOn(text[behind]) || text[behind] == '/'))
            continue; // "requests/s"
        std::size_t begin = at;
        while (begin > 0 && isOfNumber(text[begin - 1]))
            --begin;
        if (begin == at || (begin > 0 && (text[begin - 1] == '.' || goesOn(text[begin - 1]))))
            continue; // no number, or the end of "1.5"
        double value = 0;
        const auto [end, error] = std::from_chars(text.data() + begin, text.data() + at, value);
        if (error == std::errc() && end == text.data() + at)
            return value;
    }
    return std::nullopt;
}

} // namespace

std::optional<double> numberAfter(std::string_view text, std::string_view key)
{
    for (std::size_t at = text.find(key); at != std::string_view::npos; at = text.find(key, at + 1)) {
        if (at > 0 && goesOn(text[at - 1]) && goesOn(key.front()))
            continue; // the end of another word
        const char* const begin = text.data() + at + key.size();
        double value = 0;
        const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value);
        if (error == std::errc() && end != begin)
            return value;
    }
    return std::nullopt;
}

std::optional<double> numberBefore(std::string_view text, std::string_view word)
{
    return before(text, word, isDigit);
}

std::optional<double> decimalBefore(std::string_view text, std::string_view word)
{
    return before(text, word, [](char c) { return isDigit(c) || c == '.'; });
}

std::optional<std::string> wordAfter(std::string_view text, std::string_view key)
{
    const std::size_t at = text.find(key);
    if (at == std::string_view::npos || (at > 0 && goesOn(text[at - 1])))
        return std::nullopt;
    const std::string_view rest = text.substr(at + key.size());
    const std::string_view word = rest.substr(0, rest.find_first_of(" ,;"));
    return word.empty() ? std::nullopt : std::optional<std::string>(word);
}

bool says(std::string_view text, std::string_view words)
{
    for (std::size_t at = text.find(words); at != std::string_view::npos; at = text.find(words, at + 1)) {
        const std::size_t behind = at + words.size();
        const bool begins = at == 0 || !goesOn(text[at - 1]);
        const bool ends = behind == text.size() || !goesOn(text[behind]);
        if (begins && ends)
            return true;
    }
    return false;
}

bool switchedOn(std::string_view text, std::string_view setting)
{
    const std::size_t at = text.find(setting);
    if (at == std::string_view::npos)
        return false;
    std::size_t value = at + setting.size();
    while (value < text.size() && (text[value] == ' ' || text[value] == ':' || text[value] == '='))
        ++value;
    const std::string said = lowered(text.substr(value, 5));
    constexpr std::array<std::string_view, 4> off{"false", "off", "no", "0"};
    return std::none_of(off.begin(), off.end(), [&](std::string_view word) {
        return said.starts_with(word) && (said.size() == word.size() || !goesOn(said[word.size()]));
    });
}

std::string lowered(std::string_view text)
{
    std::string out(text);
    std::transform(out.begin(), out.end(), out.begin(),
                   [](unsigned char c) { return char(std::tolower(c)); });
    return out;
}

} // namespace headroom
