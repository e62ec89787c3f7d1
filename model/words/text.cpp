#include "model/words/text.h"

#include "model/text/utf8.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

namespace headroom::ask {

namespace {

struct Character {
    char32_t code = 0;
    std::size_t begin = 0;
    std::size_t end = 0;
};

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
    if (code >= 'A' && code <= 'Z')
        return code + 32;
    return code;
}

bool isDigit(char32_t c) { return c >= '0' && c <= '9'; }
// Accented Latin and Greek belong to words too, so that they are quoted back whole.
bool isLetter(char32_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 0xC0 && c <= 0x24F && c != 0xD7 && c != 0xF7)
        || (c >= 0x370 && c <= 0x52F);
}
bool isHan(char32_t c)
{
    return (c >= 0x3400 && c <= 0x9FFF) || (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x20000 && c <= 0x3FFFF);
}
bool isSpace(char32_t c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class Splitter {
public:
    explicit Splitter(std::string_view text) : m_text(text)
    {
        m_characters.reserve(text.size());
        for (std::size_t at = 0; at < text.size(); at = m_characters.back().end) {
            const Utf8Character next = utf8At(text, at); // a broken sequence gives its first byte
            m_characters.push_back({plain(next.code), at, at + std::max<std::size_t>(next.bytes, 1)});
        }
    }

    std::vector<Atom> split()
    {
        while (m_at < m_characters.size())
            step();
        return std::move(m_atoms);
    }

private:
    [[nodiscard]] char32_t code(std::size_t i) const
    {
        return i < m_characters.size() ? m_characters[i].code : 0;
    }

    void step()
    {
        const char32_t c = code(m_at);
        if (isSpace(c)) {
            m_space = true;
            ++m_at;
        } else if (isDigit(c)) {
            take(AtomKind::Digits, numberEnd());
        } else if (isLetter(c)) {
            // "2xh200": the x between a number and a name is a sign of its own.
            const bool times = c == 'x' && isWrittenTo(AtomKind::Digits);
            take(AtomKind::Letters, times ? m_at + 1 : endOf(isLetter, m_at));
        } else if ((c == '-' || c == '=') && code(m_at + 1) == '>') {
            take(AtomKind::Symbol, m_at + 2); // "800->200"
        } else {
            const bool wide = m_characters[m_at].end > m_characters[m_at].begin + 1;
            take(isHan(c) ? AtomKind::Han : AtomKind::Symbol, m_at + 1);
            m_space = wide && (c == '.' || c == ',' || c == ';'); // "Qwen3-32B。fp8" is no name
        }
    }

    [[nodiscard]] std::size_t endOf(bool (*is)(char32_t), std::size_t i) const
    {
        while (is(code(i)))
            ++i;
        return i;
    }
    [[nodiscard]] std::size_t digitsFrom(std::size_t i) const { return endOf(isDigit, i); }
    // Whether what begins here is written to what ends before it: the "200" of "H200".
    [[nodiscard]] bool isWrittenTo(AtomKind kind) const
    {
        return !m_space && !m_atoms.empty() && m_atoms.back().kind == kind;
    }

    // "1,000,000", "1 000", "2.5" and "0,8", but "1,2" and "3." stay apart.
    [[nodiscard]] std::size_t numberEnd() const
    {
        std::size_t end = digitsFrom(m_at);
        const auto narrow = [&](std::size_t i, char32_t sign) { // a wide one parts sentences
            return code(i) == sign && m_characters[i].end == m_characters[i].begin + 1;
        };
        if (end == m_at + 1 && code(m_at) == '0' && narrow(end, ',') && isDigit(code(end + 1)))
            return digitsFrom(end + 1);
        const bool partOfName = isWrittenTo(AtomKind::Letters);
        const auto zeros = [&](std::size_t i) { // "1 000", not "H100 200"
            return code(i) == ' ' && code(i + 1) == '0' && code(i + 2) == '0' && code(i + 3) == '0';
        };
        if (end - m_at <= 3 && !partOfName) // "R1,300 users" names R1; a full-width comma parts sentences
            while ((narrow(end, ',') || zeros(end)) && digitsFrom(end + 1) == end + 4)
                end += 4;
        if (narrow(end, '.') && isDigit(code(end + 1)))
            end = digitsFrom(end + 1);
        if (!partOfName && code(end) == 'e' && isDigit(code(end + 1)) && !isLetter(code(digitsFrom(end + 1))))
            end = digitsFrom(end + 1); // "2e6"
        return end;
    }

    void take(AtomKind kind, std::size_t end)
    {
        Atom atom{.kind = kind,
                  .begin = m_characters[m_at].begin,
                  .end = m_characters[end - 1].end,
                  .spaceBefore = m_space};
        for (; m_at < end; ++m_at) {
            const Character& c = m_characters[m_at];
            if (c.code < 0x80)
                atom.text += static_cast<char>(c.code);
            else
                atom.text += m_text.substr(c.begin, c.end - c.begin);
        }
        m_space = false;
        m_atoms.push_back(std::move(atom));
    }

    std::string_view m_text;
    std::vector<Character> m_characters;
    std::vector<Atom> m_atoms;
    std::size_t m_at = 0;
    bool m_space = false;
};

} // namespace

std::vector<Atom> atomsOf(std::string_view text) { return Splitter(text).split(); }

double numberIn(std::string_view digits)
{
    std::string plain;
    const bool decimalComma = digits.starts_with("0,");
    for (const char c : digits)
        if (c == ',' && decimalComma)
            plain += '.';
        else if (c != ',' && c != ' ')
            plain += c;
    // "10.000 users", as it is written where a comma parts the decimals.
    if (plain.size() > 4 && plain.ends_with(".000") && plain.front() != '0')
        plain.erase(plain.size() - 4, 1);
    double value = 0;
    std::from_chars(plain.data(), plain.data() + plain.size(), value);
    return value;
}

std::string joined(const std::vector<Atom>& atoms, std::size_t first, std::size_t last)
{
    std::string out;
    for (std::size_t i = first; i < last; ++i) {
        if (i > first && atoms[i].spaceBefore)
            out += ' ';
        out += atoms[i].text;
    }
    return out;
}

bool wordEnds(const std::vector<Atom>& atoms, std::size_t last)
{
    if (last >= atoms.size() || atoms[last].spaceBefore)
        return true;
    if (atoms[last].text == "x" && last + 1 < atoms.size() && atoms[last + 1].kind == AtomKind::Digits)
        return true; // "4090x2"
    if (atoms[last].text == "." && last > 0 && last + 1 < atoms.size() && !atoms[last + 1].spaceBefore
        && atoms[last - 1].kind == AtomKind::Digits && atoms[last + 1].kind == AtomKind::Digits)
        return false; // "vLLM 0.10.2"
    const AtomKind next = atoms[last].kind;
    return next != AtomKind::Letters && next != AtomKind::Digits;
}

bool isPlural(const std::vector<Atom>& atoms, std::size_t last)
{
    return last < atoms.size() && !atoms[last].spaceBefore && atoms[last].text == "s"
        && wordEnds(atoms, last + 1);
}

std::size_t identifierAtoms(const std::vector<Atom>& atoms, std::size_t first)
{
    const auto isOf = [&](std::size_t i, AtomKind kind) {
        return i < atoms.size() && atoms[i].kind == kind && (i == first || !atoms[i].spaceBefore);
    };
    const auto isFigure = [&](std::size_t i) { return isOf(i, AtomKind::Digits); };
    const auto isPart = [&](std::size_t i) { return isOf(i, AtomKind::Letters) || isFigure(i); };
    const auto joins = [&](std::size_t i) { // "gpt-5", but "4-8" is a range
        const auto sign
            = i > first && isOf(i, AtomKind::Symbol) ? std::string_view(atoms[i].text) : std::string_view();
        return isPart(i + 1)
            && (sign == "." || sign == "_" || (sign == "-" && (!isFigure(i - 1) || !isFigure(i + 1))));
    };
    std::size_t end = first;
    bool letters = atoms[first].text.find('.') != std::string::npos; // "0.9.2"
    bool figures = false;
    for (; isPart(end) || joins(end); ++end) {
        letters = letters || isOf(end, AtomKind::Letters);
        figures = figures || isFigure(end);
    }
    return letters && figures ? end - first : 1;
}

bool joinsName(const Atom& atom)
{
    return std::string_view("-._/+()").find(atom.text) != std::string_view::npos;
}

std::size_t typeEnd(const std::vector<Atom>& atoms, std::size_t first)
{
    constexpr std::size_t longest = 7;
    bool spaced = false;
    std::size_t end = first + 1;
    for (; end < atoms.size() && end < first + longest; ++end) {
        const Atom& atom = atoms[end];
        if ((atom.spaceBefore && std::exchange(spaced, true)) || atom.kind == AtomKind::Han
            || (atom.kind == AtomKind::Symbol && !joinsName(atom)))
            break;
    }
    return end;
}

Scripts scriptsOf(std::string_view text)
{
    Scripts scripts;
    bool inWord = false;
    for (std::size_t at = 0; at < text.size();) {
        const Utf8Character next = utf8At(text, at);
        const bool otherLetters = next.code >= 0x400 && next.code <= 0xE7F && !inWord; // Cyrillic to Thai
        const bool kanaOrHangul
            = (next.code >= 0x3040 && next.code <= 0x30FF) || (next.code >= 0xA000 && next.code <= 0xD7FF);
        scripts.foreign += otherLetters || kanaOrHangul ? 1 : 0;
        scripts.chinese = scripts.chinese || isHan(plain(next.code));
        inWord = isLetter(plain(next.code));
        at += std::max<std::size_t>(next.bytes, 1);
    }
    return scripts;
}

} // namespace headroom::ask
