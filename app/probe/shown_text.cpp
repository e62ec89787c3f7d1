#include "app/probe/shown_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>

namespace headroom::probe {

namespace {

struct Letter {
    char32_t code = 0;
    std::size_t bytes = 1;
    bool good = false;
};

// The first letter of a text that is not empty, by RFC 3629: no overlong forms, no surrogates.
Letter firstLetter(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    if (byte(0) < 0x80)
        return {byte(0), 1, true};
    const std::size_t size = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
    if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < size)
        return {};
    char32_t code = byte(0) & (0xFFU >> (size + 1));
    for (std::size_t i = 1; i < size; ++i) {
        if ((byte(i) & 0xC0U) != 0x80)
            return {};
        code = (code << 6U) | (byte(i) & 0x3FU);
    }
    constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
    const bool good = code >= least[size] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
    return good ? Letter{code, size, true} : Letter{};
}

// C0, DEL, C1, and the marks of Unicode that break lines, hide or turn the direction of writing.
bool steersTerminals(char32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x61C || (code >= 0x200B && code <= 0x200F)
        || (code >= 0x2028 && code <= 0x202E) || (code >= 0x2060 && code <= 0x206F) || code == 0xFEFF
        || (code >= 0xFFF9 && code <= 0xFFFB);
}

std::string percentEncoded(std::string_view text)
{
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) != 0 || std::string_view("-._~").find(c) != std::string_view::npos)
            out += c;
        else
            (out += '%').append({digits[byte >> 4U], digits[byte & 15U]});
    }
    return out;
}

std::string jsonEscaped(std::string_view text, std::string_view alsoEscaped)
{
    std::string out;
    for (const char c : text) {
        if (c == '"' || c == '\\' || alsoEscaped.find(c) != std::string_view::npos)
            out += '\\';
        out += c;
    }
    return out;
}

std::string base64(std::string_view text)
{
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string out;
    std::uint32_t bits = 0;
    int held = 0;
    for (const char c : text) {
        bits = (bits << 8U) | static_cast<unsigned char>(c);
        for (held += 8; held >= 6; held -= 6)
            out += digits[(bits >> static_cast<unsigned>(held - 6)) & 63U];
    }
    if (held > 0)
        out += digits[(bits << static_cast<unsigned>(6 - held)) & 63U];
    return out; // without what pads it, so that both spellings are found
}

char lowered(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

} // namespace

bool isUtf8(std::string_view text)
{
    while (!text.empty()) {
        const Letter letter = firstLetter(text);
        if (!letter.good)
            return false;
        text.remove_prefix(letter.bytes);
    }
    return true;
}

std::string printable(std::string_view text, std::size_t most)
{
    constexpr std::string_view unknown = "\xEF\xBF\xBD";
    constexpr std::string_view more = "…";
    std::string out;
    while (!text.empty()) {
        const Letter letter = firstLetter(text);
        const std::string_view shown = !letter.good ? unknown
            : steersTerminals(letter.code)          ? std::string_view(" ")
                                                    : text.substr(0, letter.bytes);
        if (out.size() + shown.size() > most)
            return out.append(more);
        out += shown;
        text.remove_prefix(letter.bytes);
    }
    return out;
}

void Secrets::add(std::string_view secret)
{
    constexpr std::size_t shortest
        = 4; // what is shorter is no key, and would black out half of every sentence
    if (secret.size() < shortest)
        return;
    for (std::string spelling : {std::string(secret), percentEncoded(secret), jsonEscaped(secret, ""),
                                 jsonEscaped(secret, "/"), base64(secret)})
        if (std::find(m_spellings.begin(), m_spellings.end(), spelling) == m_spellings.end())
            m_spellings.push_back(std::move(spelling));
    std::stable_sort(m_spellings.begin(), m_spellings.end(),
                     [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
}

std::string Secrets::redacted(std::string_view text) const
{
    std::string out(text);
    for (const std::string& secret : m_spellings) {
        std::string rest;
        auto from = out.cbegin();
        while (true) {
            const auto found = std::search(from, out.cend(), secret.begin(), secret.end(),
                                           [](char a, char b) { return lowered(a) == lowered(b); });
            rest.append(from, found);
            if (found == out.cend())
                break;
            rest += "[redacted]";
            from = found + static_cast<std::ptrdiff_t>(secret.size());
        }
        out = std::move(rest);
    }
    return out;
}

std::string Secrets::shown(std::string_view text, std::size_t most) const
{
    return printable(redacted(text), most);
}

Message Secrets::shown(const Message& message) const
{
    const std::string plain = message.english();
    std::string clean = shown(plain);
    return clean == plain ? message : asIs(clean);
}

} // namespace headroom::probe
