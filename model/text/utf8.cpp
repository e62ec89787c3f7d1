#include "model/text/utf8.h"

#include <array>

namespace headroom {

Utf8Character utf8At(std::string_view text, std::size_t at)
{
    const auto byte
        = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
    const unsigned lead = byte(at);
    if (lead < 0x80)
        return {lead, 1};
    const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 0;
    char32_t code = lead & (0x7FU >> bytes);
    for (std::size_t i = 1; i < bytes; ++i) {
        if ((byte(at + i) & 0xC0U) != 0x80U)
            return {};
        code = (code << 6U) | (byte(at + i) & 0x3FU);
    }
    constexpr std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000}; // what takes fewer bytes is overlong
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    return bytes == 0 || code < least.at(bytes) || code > 0x10FFFF || surrogate ? Utf8Character{}
                                                                                : Utf8Character{code, bytes};
}

void appendUtf8(std::string& out, char32_t code)
{
    const std::size_t tails = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    constexpr std::array<unsigned, 4> leads{0, 0xC0, 0xE0, 0xF0};
    out += static_cast<char>(leads.at(tails) | (code >> (6 * tails)));
    for (std::size_t i = tails; i-- > 0;)
        out += static_cast<char>(0x80U | ((code >> (6 * i)) & 0x3FU));
}

} // namespace headroom
