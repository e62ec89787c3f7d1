#include "model/words/text.h"

#include "model/text/utf8.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

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
    [[nodiscard]] bool isSpace() const { return code == ' ' || code == '\t' || code == '\n' || code == '\r'; }
};

// The next character, made plain; of a broken sequence the first byte.
Character characterAt(std::string_view text, std::size_t at)
{
    const Utf8Character next = utf8At(text, at);
    const char32_t code = plain(next.code);
    return {code, kindOf(code), at, at + std::max<std::size_t>(next.bytes, 1)};
}

class Splitter {
public:
    explicit Splitter(std::string_view text) : m_text(text)
    {
        m_characters.reserve(text.size());
        for (std::size_t at = 0; at < text.size(); at = m_characters.back().end)
            m_characters.push_back(characterAt(text, at));
    }

    std::vector<Atom> split()
    {
        while (m_at < m_characters.size()) {
            const Character& c = m_characters[m_at];
            if (!c.isSpace())
                take(c.kind, atomEnd());
            else
                ++m_at;
            // "Qwen3-32B。fp8" is no name
            m_space = c.isSpace() || (c.isWide() && (c.code == '.' || c.code == ',' || c.code == ';'));
        }
        return std::move(m_atoms);
    }

private:
    [[nodiscard]] const Character& at(std::size_t i) const
    {
        static constexpr Character none;
        return i < m_characters.size() ? m_characters[i] : none;
    }
    [[nodiscard]] bool isDigit(std::size_t i) const { return at(i).kind == AtomKind::Digits; }
    // A wide one parts sentences.
    [[nodiscard]] bool isNarrow(std::size_t i, char32_t sign) const
    {
        return at(i).code == sign && !at(i).isWide();
    }
    [[nodiscard]] std::size_t endOf(AtomKind kind, std::size_t i) const
    {
        while (at(i).kind == kind && i < m_characters.size())
            ++i;
        return i;
    }
    [[nodiscard]] std::size_t digitsFrom(std::size_t i) const { return endOf(AtomKind::Digits, i); }
    // Whether what begins here is written to what ends before it: the "200" of "H200".
    [[nodiscard]] bool isWrittenTo(AtomKind kind) const
    {
        return !m_space && !m_atoms.empty() && m_atoms.back().kind == kind;
    }

    [[nodiscard]] std::size_t atomEnd() const
    {
        const Character& c = at(m_at);
        if (c.kind == AtomKind::Digits)
            return numberEnd();
        // "2xh200": the x between a number and a name is a sign of its own.
        if (c.kind == AtomKind::Letters && !(c.code == 'x' && isWrittenTo(AtomKind::Digits)))
            return endOf(AtomKind::Letters, m_at);
        const bool arrow = (c.code == '-' || c.code == '=') && at(m_at + 1).code == '>'; // "800->200"
        return m_at + (arrow ? 2 : 1);
    }

    // "1,000,000", "1 000", "2.5", "0,8" and "2e6", but "1,2" and "3." stay apart.
    [[nodiscard]] std::size_t numberEnd() const
    {
        std::size_t end = digitsFrom(m_at);
        const std::size_t digits = end - m_at;
        if (digits == 1 && at(m_at).code == '0' && isNarrow(end, ',') && isDigit(end + 1))
            return digitsFrom(end + 1);
        const bool partOfName = isWrittenTo(AtomKind::Letters); // "R1,300 users" names R1
        const auto zeros = [&](std::size_t i) {                 // "1 000", not "H100 200"
            return at(i).code == ' ' && at(i + 1).code == '0' && at(i + 2).code == '0'
                && at(i + 3).code == '0';
        };
        while (digits <= 3 && !partOfName && (isNarrow(end, ',') || zeros(end))
               && digitsFrom(end + 1) == end + 4)
            end += 4;
        if (isNarrow(end, '.') && isDigit(end + 1))
            end = digitsFrom(end + 1);
        const std::size_t power = !partOfName && at(end).code == 'e' ? digitsFrom(end + 1) : end;
        return power > end + 1 && at(power).kind != AtomKind::Letters ? power : end;
    }

    void take(AtomKind kind, std::size_t end)
    {
        Atom atom{.kind = kind, .begin = at(m_at).begin, .end = at(end - 1).end, .spaceBefore = m_space};
        for (; m_at < end; ++m_at)
            if (const Character& c = at(m_at); c.code < 0x80)
                atom.text += static_cast<char>(c.code);
            else
                atom.text += m_text.substr(c.begin, c.end - c.begin);
        m_atoms.push_back(std::move(atom));
    }

    std::string_view m_text;
    std::vector<Character> m_characters;
    std::vector<Atom> m_atoms;
    std::size_t m_at = 0;
    bool m_space = false;
};

} // namespace

Atoms::Atoms(std::string_view text) : m_all(Splitter(text).split()) {}

const Atom& Atoms::operator[](std::size_t i) const
{
    if (i < m_all.size())
        return m_all[i];
    static const Atom nothing{.spaceBefore = true};
    return nothing;
}

void Atoms::spell(std::size_t i, std::string_view word, std::string_view typed)
{
    m_all.at(i).text = word;
    m_all.at(i).typed = typed;
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
    const auto isPart
        = [&](std::size_t i, AtomKind kind) { return (*this)[i].kind == kind && (i == first || isTight(i)); };
    const auto isWritten
        = [&](std::size_t i) { return isPart(i, AtomKind::Letters) || isPart(i, AtomKind::Digits); };
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

bool joinsName(const Atom& atom)
{
    return std::string_view("-._/+()").find(atom.text) != std::string_view::npos;
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
    bool inWord = false;
    for (std::size_t at = 0; at < text.size();) {
        const Character c = characterAt(text, at);
        const auto isOf = [&](char32_t first, char32_t last) { return c.code >= first && c.code <= last; };
        const bool otherLetters = isOf(0x400, 0xE7F) && !inWord; // Cyrillic to Thai
        const bool kanaOrHangul = isOf(0x3040, 0x30FF) || isOf(0xA000, 0xD7FF);
        scripts.foreign += otherLetters || kanaOrHangul ? 1 : 0;
        scripts.chinese = scripts.chinese || c.kind == AtomKind::Han;
        inWord = c.kind == AtomKind::Letters;
        at = c.end;
    }
    return scripts;
}

} // namespace headroom::ask
