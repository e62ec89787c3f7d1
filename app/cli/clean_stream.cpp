#include "app/cli/clean_stream.h"

#include <cctype>
#include <cstdint>
#include <fmt/format.h>

namespace headroom::cli {

namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

struct Character {
    std::uint32_t code = 0;
    std::size_t length = 0; // 0: no UTF-8; above what is there: not whole yet
};

// RFC 3629: no overlong forms, no surrogates, nothing beyond U+10FFFF.
Character firstOf(std::string_view bytes)
{
    const auto lead = static_cast<unsigned char>(bytes.front());
    if (lead < 0x80)
        return {lead, 1};
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
    if (lead < 0xC2 || lead > 0xF4)
        return {};
    std::uint32_t code = lead & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if (i == bytes.size())
            return {0, length};
        const auto next = static_cast<unsigned char>(bytes[i]);
        const bool low = i == 1 && ((lead == 0xE0 && next < 0xA0) || (lead == 0xF0 && next < 0x90));
        const bool high = i == 1 && ((lead == 0xED && next > 0x9F) || (lead == 0xF4 && next > 0x8F));
        if ((next & 0xC0U) != 0x80 || low || high)
            return {};
        code = code << 6U | (next & 0x3FU);
    }
    return {code, length};
}

// What moves the cursor, rings, colours or turns the direction of what stands around it (UAX #9).
bool acts(std::uint32_t code)
{
    return (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7F && code < 0xA0)
        || (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

bool opensTag(char next)
{
    return std::isalpha(static_cast<unsigned char>(next)) != 0 || next == '/' || next == '!' || next == '?';
}

// "<" before what makes it a tag; one at the end is kept back until what follows is known.
CleanText withoutTagsIn(std::string_view text)
{
    CleanText out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '<' && i + 1 == text.size())
            out.rest = "<";
        else if (text[i] == '<' && opensTag(text[i + 1]))
            out.text += "&lt;";
        else
            out.text += text[i];
    }
    return out;
}

// Whether it may be shown byte for byte.
bool isClean(std::string_view bytes, bool tags)
{
    while (!bytes.empty()) {
        const Character one = firstOf(bytes);
        if (one.length == 0 || one.length > bytes.size() || acts(one.code) || (!tags && one.code == '<'))
            return false;
        bytes.remove_prefix(one.length);
    }
    return true;
}

} // namespace

CleanText cleanText(std::string_view bytes)
{
    CleanText out;
    out.text.reserve(bytes.size());
    while (!bytes.empty()) {
        const Character one = firstOf(bytes);
        if (one.length > bytes.size()) {
            out.rest = bytes;
            return out;
        }
        if (one.length == 0)
            out.text += replacement;
        else if (!acts(one.code))
            out.text += bytes.substr(0, one.length);
        else
            out.text
                += one.code < 0x100 ? fmt::format("\\x{:02x}", one.code) : fmt::format("\\u{:04x}", one.code);
        bytes.remove_prefix(std::max<std::size_t>(one.length, 1));
    }
    return out;
}

CleanStream::CleanStream(std::ostream& to) : std::ostream(nullptr), m_buffer(to) { rdbuf(&m_buffer); }

CleanStream::~CleanStream() { m_buffer.finish(); }

void CleanStream::Buffer::finish()
{
    if (m_rest.empty())
        return;
    m_to << (m_rest == "<" ? std::string_view("<") : replacement);
    m_rest.clear();
}

CleanStream::Buffer::int_type CleanStream::Buffer::overflow(int_type next)
{
    if (traits_type::eq_int_type(next, traits_type::eof()))
        return traits_type::not_eof(next);
    const char one = traits_type::to_char_type(next);
    return xsputn(&one, 1) == 1 ? next : traits_type::eof();
}

std::streamsize CleanStream::Buffer::xsputn(const char* text, std::streamsize size)
{
    // Without a copy where nothing is to be cleaned: a stream swallows what is thrown in here, and half a
    // document would be left where the memory for the copy is not there.
    if (m_rest.empty() && isClean({text, static_cast<std::size_t>(size)}, tags))
        return m_to.write(text, size) ? size : 0;
    std::string whole = std::move(m_rest);
    whole.append(text, static_cast<std::size_t>(size));
    CleanText clean = cleanText(whole);
    m_rest = std::move(clean.rest);
    if (!tags) {
        CleanText plain = withoutTagsIn(clean.text);
        clean.text = std::move(plain.text);
        m_rest.insert(0, plain.rest);
    }
    m_to << clean.text;
    return m_to ? size : 0;
}

int CleanStream::Buffer::sync() { return m_to.flush() ? 0 : -1; }

} // namespace headroom::cli
