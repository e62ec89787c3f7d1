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

    friend bool operator==(const Atom&, const Atom&) = default;
};

// Splits UTF-8; bytes that are not UTF-8 become symbols. "2xH200" is 2, x, h, 200; "1,000" and "2.5" are one
// number.
[[nodiscard]] std::vector<Atom> atomsOf(std::string_view text);

// Atoms [first, last) as one string, single spaces where there was space: what names are looked up by.
[[nodiscard]] std::string joined(const std::vector<Atom>& atoms, std::size_t first, std::size_t last);

struct Scripts {
    bool chinese = false;
    std::size_t foreign = 0; // signs of kana and Hangul, and words of scripts from Cyrillic to Thai
};
[[nodiscard]] Scripts scriptsOf(std::string_view text);

// What digits say, with or without signs between thousands.
[[nodiscard]] double numberIn(std::string_view digits);

// Whether a word that has come as far as this atom ends before it: letters do not run on into digits, nor the
// other way round.
[[nodiscard]] bool wordEnds(const std::vector<Atom>& atoms, std::size_t last);
// How many atoms from the first are letters and figures written in one, as names are: "MI450", "gpt-5",
// "3n"; one where they are not.
[[nodiscard]] std::size_t identifierAtoms(const std::vector<Atom>& atoms, std::size_t first);
// Names hold no sentence signs but these: - . _ / + ( )
[[nodiscard]] bool joinsName(const Atom& atom);
// "A100s": the plural of a name.
[[nodiscard]] bool isPlural(const std::vector<Atom>& atoms, std::size_t last);

} // namespace headroom::ask
