#include "model/launch/quote.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <fmt/format.h>

namespace headroom {

namespace {

// Not std::isalnum: what a letter is must not hang on a locale.
bool letterOrFigure(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool onlyOf(std::string_view text, std::string_view besides)
{
    return std::all_of(text.begin(), text.end(), [besides](char c) {
        return letterOrFigure(c) || besides.find(c) != std::string_view::npos;
    });
}

// A line that the content does not have.
std::string endOf(std::string_view content)
{
    std::string end = "EOF";
    while (content.find(end) != std::string_view::npos)
        end += 'F';
    return end;
}

std::string variableText(const LaunchVariable& variable, const LaunchPlace& place)
{
    using Kind = LaunchVariable::Kind;
    switch (variable.kind) {
    case Kind::NodeRank: {
        if (variable.factor == 1)
            return place.rank;
        int rank = 0;
        const auto [end, error]
            = std::from_chars(place.rank.data(), place.rank.data() + place.rank.size(), rank);
        return error == std::errc() && end == place.rank.data() + place.rank.size()
            ? std::to_string(rank * variable.factor)
            : fmt::format("$(({} * {}))", place.rank, variable.factor);
    }
    case Kind::HeadAddress:
        return place.head;
    case Kind::OwnAddress:
        return "$(hostname -i)";
    case Kind::Slot:
        return std::to_string(variable.base + place.slot * variable.factor);
    case Kind::Host:
        break;
    }
    return '$' + variable.name;
}

bool printable(std::string_view text)
{
    return std::all_of(text.begin(), text.end(), [](char c) { return c == '\n' || (c >= ' ' && c <= '~'); });
}

// With escapes that JSON and YAML share. Bytes above ASCII stand as they are: both are UTF-8.
std::string doubleQuoted(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += std::string("\\") + c;
        else if (c == '\n')
            out += "\\n";
        else if (c == '\t')
            out += "\\t";
        else if (static_cast<unsigned char>(c) < ' ' || c == 0x7F)
            out += fmt::format("\\u{:04x}", static_cast<unsigned char>(c));
        else
            out += c;
    }
    return out + '"';
}

} // namespace

std::string shellQuoted(std::string_view text)
{
    if (!text.empty() && onlyOf(text, "-_./:=,@%+"))
        return std::string(text);
    std::string out = "'";
    for (const char c : text)
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

std::string shellWord(const LaunchWord& word, const LaunchPlace& place)
{
    std::string out;
    for (const auto& piece : word)
        if (const auto* text = std::get_if<std::string>(&piece))
            out += text->empty() ? "" : shellQuoted(*text);
        else
            out += variableText(std::get<LaunchVariable>(piece), place);
    return out;
}

std::string hereDocument(std::string_view content)
{
    const std::string end = endOf(content);
    return fmt::format("<<'{0}'\n{1}{2}{0}\n", end, content,
                       content.empty() || content.back() == '\n' ? "" : "\n");
}

std::string shellFile(std::string_view name, std::string_view content)
{
    return fmt::format("cat > {} {}", shellQuoted(name), hereDocument(content));
}

std::string commentText(std::string_view text)
{
    std::string out(text);
    std::replace_if(
        out.begin(), out.end(), [](unsigned char c) { return c < ' ' || c == 0x7F; }, ' ');
    return out;
}

std::string jsonQuoted(std::string_view text) { return doubleQuoted(text); }

std::string yamlQuoted(std::string_view text)
{
    // Words that some reader of YAML 1.1 or 1.2 takes for a truth or for nothing.
    constexpr std::array<std::string_view, 9> taken{"y",     "n",  "yes", "no",  "true",
                                                    "false", "on", "off", "null"};
    std::string small(text);
    std::transform(small.begin(), small.end(), small.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    const bool plain = !text.empty() && letterOrFigure(text.front())
        && (text.front() < '0' || text.front() > '9') && onlyOf(text, "-_./")
        && std::find(taken.begin(), taken.end(), small) == taken.end();
    return plain ? std::string(text) : doubleQuoted(text);
}

std::string yamlBlock(std::string_view text, std::string_view indent)
{
    // A block that begins with a blank would say how far it is indented; one with control characters is none.
    if (text.empty() || text.front() == ' ' || text.front() == '\n' || text.back() != '\n'
        || text.ends_with("\n\n") || !printable(text))
        return doubleQuoted(text) + '\n';
    std::string out = "|\n";
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find('\n', at);
        if (end > at)
            out += std::string(indent) + std::string(text.substr(at, end - at));
        out += '\n';
        at = end + 1;
    }
    return out;
}

std::string kubernetesArgument(std::string_view text)
{
    // Expansion of $(NAME), and $$ for a dollar: Kubernetes, "Define a Command and Arguments for a
    // Container".
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        out += text[i];
        if (text[i] == '$' && i + 1 < text.size() && (text[i + 1] == '$' || text[i + 1] == '('))
            out += '$';
    }
    return out;
}

std::string kubernetesName(std::string_view text)
{
    constexpr std::size_t longest = 63;
    std::string out;
    for (const char c : text)
        out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : letterOrFigure(c) ? c : '-';
    if (out.empty() || out.front() < 'a' || out.front() > 'z')
        out = "m-" + out;
    out.resize(std::min(out.size(), longest));
    out.erase(out.find_last_not_of('-') + 1);
    return out;
}

} // namespace headroom
