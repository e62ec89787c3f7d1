#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::ask {

// The languages that questions are understood in and answers are written in.
enum class Language : std::uint8_t { English, Chinese };

enum class AtomKind : std::uint8_t { Letters, Digits, Han, Symbol };

// The smallest piece of a question: a run of letters, a number, one Chinese character, one sign.
struct Atom {
    AtomKind kind = AtomKind::Symbol;
    std::string text;      // lower case, full-width forms made ASCII
    std::string typed;     // where another word stood, which is no word
    std::size_t begin = 0; // bytes of the question as typed
    std::size_t end = 0;
    bool spaceBefore = false;
};

// The pieces of a question. Beyond them stands nothing: a sign without text, apart from the rest.
class Atoms {
public:
    // Splits UTF-8; bytes that are not UTF-8 become symbols. "2xH200" is 2, x, h, 200; "1,000" and "2.5" are
    // one number.
    explicit Atoms(std::string_view text);

    [[nodiscard]] const Atom& operator[](std::size_t i) const;
    [[nodiscard]] std::size_t size() const { return m_all.size(); }
    [[nodiscard]] auto begin() const { return m_all.begin(); }
    [[nodiscard]] auto end() const { return m_all.end(); }
    // Another word in the place of one.
    void spell(std::size_t i, std::string_view word, std::string_view typed)
    {
        m_all.at(i).text = word;
        m_all.at(i).typed = typed;
    }

    [[nodiscard]] bool isFigure(std::size_t i) const { return (*this)[i].kind == AtomKind::Digits; }
    // Whether it stands there and is written to what is before it.
    [[nodiscard]] bool isTight(std::size_t i) const { return !(*this)[i].spaceBefore; }
    // Those of [first, last) as one string, single spaces where there was space: what names are looked up by.
    [[nodiscard]] std::string joined(std::size_t first, std::size_t last) const;
    // Whether a word that has come as far as this atom ends before it: letters do not run on into digits, nor
    // the other way round.
    [[nodiscard]] bool wordEnds(std::size_t last) const;
    // How many from the first are letters and figures written in one, as names are: "MI450", "gpt-5", "3n";
    // one where they are not.
    [[nodiscard]] std::size_t identifier(std::size_t first) const;

private:
    std::vector<Atom> m_all;
};

// What digits say, with or without signs between thousands.
[[nodiscard]] double numberIn(std::string_view digits);

struct Scripts {
    bool chinese = false;
    std::size_t foreign = 0; // signs of kana and Hangul, and words of scripts from Cyrillic to Thai
};
[[nodiscard]] Scripts scriptsOf(std::string_view text);

} // namespace headroom::ask
