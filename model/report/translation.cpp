#include "model/report/translation.h"

#include "chinese_sentences.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace headroom {

namespace {

// What the placeholders %1 … %9 stood for.
using Parts = std::array<std::string_view, 10>;

struct Pattern {
    std::string english;
    std::string chinese;
    std::size_t letters = 0; // outside the placeholders: the more, the better it matches
};

bool isPlaceholder(std::string_view text, std::size_t at)
{
    return at + 1 < text.size() && text[at] == '%' && text[at + 1] >= '1' && text[at + 1] <= '9';
}

// Placeholders take as little as they can, and never nothing.
bool matches(std::string_view pattern, std::string_view text, Parts& parts)
{
    std::size_t at = 0;
    while (at < pattern.size() && !isPlaceholder(pattern, at) && at < text.size() && pattern[at] == text[at])
        ++at;
    if (at == pattern.size())
        return at == text.size();
    if (!isPlaceholder(pattern, at))
        return false;
    const auto number = static_cast<std::size_t>(pattern[at + 1] - '0');
    const std::string_view rest = pattern.substr(at + 2);
    for (std::size_t length = 1; at + length <= text.size(); ++length) {
        parts[number] = text.substr(at, length);
        if (matches(rest, text.substr(at + length), parts))
            return true;
    }
    return false;
}

// Text between two marks of the file, the marks of XML read back into letters.
std::string between(std::string_view text, std::string_view open, std::string_view close)
{
    const std::size_t begin = text.find(open);
    const std::size_t end = begin == std::string_view::npos ? begin : text.find(close, begin);
    if (end == std::string_view::npos)
        return {};
    std::string out(text.substr(begin + open.size(), end - begin - open.size()));
    using Mark = std::pair<std::string_view, char>;
    for (const auto& [mark, letter] : {Mark{"&lt;", '<'}, Mark{"&gt;", '>'}, Mark{"&quot;", '"'},
                                       Mark{"&apos;", '\''}, Mark{"&amp;", '&'}})
        for (std::size_t at = out.find(mark); at != std::string::npos; at = out.find(mark, at + 1))
            out.replace(at, mark.size(), 1, letter);
    return out;
}

std::vector<Pattern> allPatterns()
{
    std::vector<Pattern> out;
    std::string_view rest = chineseSentences;
    for (std::size_t at = rest.find("<message"); at != std::string_view::npos;
         at = rest.find("<message", 1)) {
        rest.remove_prefix(at);
        const std::string_view message = rest.substr(0, rest.find("</message>"));
        Pattern one{between(message, "<source>", "</source>"), {}, 0};
        one.chinese = between(message, "<translation>", "</translation>");
        for (std::size_t i = 0; i < one.english.size(); ++i)
            if (!isPlaceholder(one.english, i) && (i == 0 || !isPlaceholder(one.english, i - 1)))
                ++one.letters;
        if (!one.chinese.empty())
            out.push_back(std::move(one));
        rest.remove_prefix(1);
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const Pattern& a, const Pattern& b) { return a.letters > b.letters; });
    return out;
}

// A long text around few known words is a citation or a name, and stays as it was published.
constexpr std::size_t mostAround = 14; // letters for each known one

std::optional<std::string> known(std::string_view english)
{
    static const std::vector<Pattern> patterns = allPatterns(); // never changed, made when first asked for
    for (const Pattern& pattern : patterns) {
        Parts parts;
        if (pattern.letters > english.size() || english.size() > pattern.letters * mostAround
            || !matches(pattern.english, english, parts))
            continue;
        std::string out;
        for (std::size_t i = 0; i < pattern.chinese.size(); ++i) {
            if (isPlaceholder(pattern.chinese, i))
                out += inChinese(parts[static_cast<std::size_t>(pattern.chinese[++i] - '0')]);
            else
                out += pattern.chinese[i];
        }
        return out;
    }
    return std::nullopt;
}

} // namespace

std::string inChinese(std::string_view english)
{
    // Two known sentences are two: a placeholder of the first must not swallow the second.
    if (const std::size_t at = english.find("; "); at != std::string_view::npos)
        if (std::optional<std::string> first = known(english.substr(0, at)))
            if (const std::string_view rest = english.substr(at + 2); known(rest))
                return *std::move(first) + "；" + inChinese(rest);
    if (std::optional<std::string> whole = known(english))
        return *std::move(whole);
    // Sentences in a row, where one of them is known: what is not is a citation, and keeps its punctuation.
    using Joint = std::pair<std::string_view, std::string_view>;
    for (const auto& [joint, chinese] : {Joint{"; ", "；"}, Joint{": ", "："}, Joint{", ", "，"}})
        if (const std::size_t at = english.find(joint); at != std::string_view::npos) {
            const std::string_view first = english.substr(0, at);
            const std::string_view rest = english.substr(at + joint.size());
            std::string firstSaid = inChinese(first);
            const std::string restSaid = inChinese(rest);
            if (firstSaid == first && restSaid == rest)
                break;
            return std::move(firstSaid) + std::string(chinese) + restSaid;
        }
    return std::string(english);
}

namespace {

// "{} of {:.1f} s" as the file of translations writes it: "%1 of %2 s".
std::string keyOf(std::string_view code, bool places)
{
    if (!places)
        return std::string(code);
    std::string key;
    for (const TemplatePiece& piece : piecesOf(code)) {
        key += piece.text;
        if (piece.place)
            key += '%' + std::to_string(piece.argument + 1);
    }
    return key;
}

const std::string* chineseOf(const std::string& key)
{
    static const std::map<std::string, std::string, std::less<>> all = [] {
        std::map<std::string, std::string, std::less<>> out;
        for (Pattern& pattern : allPatterns())
            out.emplace(std::move(pattern.english), std::move(pattern.chinese));
        return out;
    }();
    const auto found = all.find(key);
    return found == all.end() ? nullptr : &found->second;
}

// As the code's own template writes it: "{:.1f}".
std::string valueAt(const Message& said, std::size_t argument)
{
    const Message& value = said.arguments().at(argument);
    if (value.kind() != Message::Kind::Value)
        return inChinese(value);
    for (const TemplatePiece& piece : piecesOf(said.code()))
        if (piece.place && piece.argument == argument && !piece.form.empty())
            return value.valueIn(piece.form);
    return inChinese(value);
}

std::string listInChinese(const Message& list)
{
    const std::string* const separator = chineseOf(std::string(list.code()));
    std::string out;
    for (const Message& item : list.arguments()) {
        if (&item != &list.arguments().front())
            out += separator != nullptr ? *separator : std::string(list.code());
        out += inChinese(item);
    }
    return out;
}

} // namespace

std::string inChinese(const Message& message)
{
    if (message.kind() == Message::Kind::List)
        return listInChinese(message);
    if (message.kind() == Message::Kind::Value) { // the name of a box may be a description
        const std::string* const name = chineseOf(message.valueIn({}));
        return name != nullptr ? *name : message.valueIn({});
    }
    const std::string* const said = chineseOf(keyOf(message.code(), !message.arguments().empty()));
    if (said == nullptr)
        return message.english();
    std::string out;
    for (std::size_t i = 0; i < said->size(); ++i) {
        if (isPlaceholder(*said, i))
            out += valueAt(message, static_cast<std::size_t>((*said)[++i] - '1'));
        else
            out += (*said)[i];
    }
    return out;
}

} // namespace headroom
