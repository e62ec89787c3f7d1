#include "model/words/text.h"

#include "model/text/utf8.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace headroom::ask {

namespace {

// Full-width and typographic forms as the ASCII sign people mean by them.
char32_t plain(char32_t code)
{
    if (code >= 0xFF01 && code <= 0xFF5E)
        code -= 0xFEE0;
    constexpr std::u32string_view typed
        = U"\u3000\u00A0\u2009\u202F、。×✕\u2212\u2010\u2011–—‘’“”「」『』《》∕⁄∶|";
    constexpr std::string_view meant = "    ,.**-----''\"\"\"\"\"\"\"\"//:;";
    if (const std::size_t sign = code < 0x80 && code != '|' ? typed.npos : typed.find(code);
        sign != typed.npos)
        return static_cast<unsigned char>(meant[sign]);
    return code >= 'A' && code <= 'Z' ? code + 32 : code;
}

// Which plain characters make an atom together. Accented Latin, Greek and Cyrillic belong to words, so that
// they are quoted back whole.
AtomKind kindOf(char32_t code)
{
    const auto in = [&](char32_t first, char32_t last) { return code >= first && code <= last; };
    if (in('0', '9'))
        return AtomKind::Digits;
    if (in('a', 'z') || in(0xC0, 0xF6) || in(0xF8, 0x24F) || in(0x370, 0x52F)) // 0xF7 parts numbers
        return AtomKind::Letters;
    return in(0x3400, 0x9FFF) || in(0xF900, 0xFAFF) || in(0x20000, 0x3FFFF) ? AtomKind::Han
                                                                            : AtomKind::Symbol;
}

struct Character {
    char32_t code = 0;
    AtomKind kind = AtomKind::Symbol;
    std::size_t begin = 0;
    std::size_t end = 0;

    [[nodiscard]] bool isWide() const { return end > begin + 1; }
    [[nodiscard]] bool isNarrow(char32_t sign) const { return code == sign && !isWide(); } // in a number
    [[nodiscard]] bool isSpace() const { return code == ' ' || code == '\t' || code == '\n' || code == '\r'; }
    // "Qwen3-32B。fp8" is no name
    [[nodiscard]] bool setsApart() const
    {
        return isSpace() || (isWide() && (code == '.' || code == ',' || code == ';'));
    }
};

// The characters of a text. Beyond them stands nothing.
class Characters {
public:
    explicit Characters(std::string_view text)
    {
        m_all.reserve(text.size());
        for (std::size_t at = 0; at < text.size(); at = m_all.back().end) {
            const Utf8Character next = utf8At(text, at); // of a broken sequence the first byte
            const char32_t code = plain(next.code);
            m_all.push_back({code, kindOf(code), at, at + std::max<std::size_t>(next.bytes, 1)});
        }
    }
    [[nodiscard]] std::size_t size() const { return m_all.size(); }
    [[nodiscard]] const Character& operator[](std::size_t i) const
    {
        static constexpr Character none;
        return i < m_all.size() ? m_all[i] : none;
    }
    // Where the atom ends that begins there.
    [[nodiscard]] std::size_t atomEnd(std::size_t i) const
    {
        const Character& c = (*this)[i];
        if (c.kind == AtomKind::Digits)
            return numberEnd(i);
        // "2xh200": the x between a number and a name is a sign of its own.
        if (c.kind == AtomKind::Letters && !(c.code == 'x' && isDigit(i - 1)))
            return endOf(AtomKind::Letters, i);
        const bool arrow = (c.code == '-' || c.code == '=') && (*this)[i + 1].code == '>'; // "800->200"
        return i + (arrow ? 2 : 1);
    }

private:
    [[nodiscard]] bool isDigit(std::size_t i) const { return (*this)[i].kind == AtomKind::Digits; }
    [[nodiscard]] std::size_t endOf(AtomKind kind, std::size_t i) const
    {
        while (i < size() && m_all[i].kind == kind)
            ++i;
        return i;
    }
    [[nodiscard]] std::size_t digitsFrom(std::size_t i) const { return endOf(AtomKind::Digits, i); }
    // "1,000,000", "1 000", "2.5", "0,8" and "2e6", but "1,2" and "3." stay apart.
    [[nodiscard]] std::size_t numberEnd(std::size_t first) const
    {
        const auto code = [&](std::size_t i) { return (*this)[i].code; };
        std::size_t end = digitsFrom(first);
        const std::size_t digits = end - first;
        if (digits == 1 && code(first) == '0' && (*this)[end].isNarrow(',') && isDigit(end + 1))
            return digitsFrom(end + 1);
        const bool partOfName = (*this)[first - 1].kind == AtomKind::Letters; // "R1,300 users" names R1
        const auto zeros = [&](std::size_t i) {                               // "1 000", not "H100 200"
            return code(i) == ' ' && code(i + 1) == '0' && code(i + 2) == '0' && code(i + 3) == '0';
        };
        while (digits <= 3 && !partOfName && ((*this)[end].isNarrow(',') || zeros(end))
               && digitsFrom(end + 1) == end + 4)
            end += 4;
        if ((*this)[end].isNarrow('.') && isDigit(end + 1))
            end = digitsFrom(end + 1);
        const std::size_t power = !partOfName && code(end) == 'e' ? digitsFrom(end + 1) : end;
        return power > end + 1 && (*this)[power].kind != AtomKind::Letters ? power : end;
    }

    std::vector<Character> m_all;
};

} // namespace

Atoms::Atoms(std::string_view text)
{
    const Characters characters(text);
    m_all.reserve(characters.size() / 2 + 1);
    for (std::size_t i = 0, end = 0; i < characters.size(); i = end) {
        const Character& first = characters[i];
        end = characters.atomEnd(i);
        if (first.isSpace())
            continue;
        const bool apart = characters[i - 1].setsApart();
        Atom& atom = m_all.emplace_back(first.kind, "", "", first.begin, characters[end - 1].end, apart);
        for (std::size_t c = i; c < end; ++c)
            if (const Character& one = characters[c]; one.code < 0x80)
                atom.text += static_cast<char>(one.code);
            else
                atom.text += text.substr(one.begin, one.end - one.begin);
    }
}

const Atom& Atoms::operator[](std::size_t i) const
{
    static const Atom nothing{.spaceBefore = true};
    return i < m_all.size() ? m_all[i] : nothing;
}

std::string Atoms::joined(std::size_t first, std::size_t last) const
{
    std::string out;
    for (std::size_t i = first; i < last; ++i) {
        out += i == first || isTight(i) ? "" : " ";
        out += (*this)[i].text;
    }
    return out;
}

bool Atoms::wordEnds(std::size_t last) const
{
    const Atom& next = (*this)[last];
    const bool times = next.text == "x" && isFigure(last + 1); // "4090x2"
    const bool runsOn = next.kind == AtomKind::Letters || next.kind == AtomKind::Digits
        || (next.text == "." && isFigure(last - 1) && isFigure(last + 1)
            && isTight(last + 1)); // "vLLM 0.10.2"
    return next.spaceBefore || times || !runsOn;
}

std::size_t Atoms::identifier(std::size_t first) const
{
    const auto isWritten = [&](std::size_t i) {
        const AtomKind kind = (*this)[i].kind;
        return (kind == AtomKind::Letters || kind == AtomKind::Digits) && (i == first || isTight(i));
    };
    const auto joins = [&](std::size_t i) { // "gpt-5", but "4-8" is a range
        const std::string& sign = (*this)[i].text;
        return i > first && isTight(i) && isWritten(i + 1)
            && (sign == "." || sign == "_" || (sign == "-" && !(isFigure(i - 1) && isFigure(i + 1))));
    };
    bool letters = (*this)[first].text.find('.') != std::string::npos; // "0.9.2"
    bool figures = false;
    std::size_t end = first;
    for (; isWritten(end) || joins(end); ++end) {
        letters = letters || (*this)[end].kind == AtomKind::Letters;
        figures = figures || isFigure(end);
    }
    return letters && figures ? end - first : 1;
}

double numberIn(std::string_view digits)
{
    std::string plain(digits);
    if (plain.starts_with("0,"))
        plain[1] = '.';
    std::erase_if(plain, [](char c) { return c == ',' || c == ' '; });
    // "10.000 users", as it is written where a comma parts the decimals.
    if (plain.size() > 4 && plain.ends_with(".000") && plain.front() != '0')
        plain.erase(plain.size() - 4, 1);
    double value = 0;
    std::from_chars(plain.data(), plain.data() + plain.size(), value);
    return value;
}

Scripts scriptsOf(std::string_view text)
{
    Scripts scripts;
    for (const Atom& atom : Atoms(text)) {
        const char32_t code = utf8At(atom.text, 0).code;
        const auto isOf = [&](char32_t first, char32_t last) { return code >= first && code <= last; };
        // Cyrillic to Thai, kana and Hangul
        if (isOf(0x400, 0xE7F) || isOf(0x3040, 0x30FF) || isOf(0xA000, 0xD7FF))
            ++scripts.foreign;
        scripts.chinese = scripts.chinese || atom.kind == AtomKind::Han;
    }
    return scripts;
}

} // namespace headroom::ask
