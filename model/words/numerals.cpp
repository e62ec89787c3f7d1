#include "model/words/items.h"

#include <cmath>
#include <string>

namespace headroom::ask {

namespace {

using Match = Lexicon::Match;

// "hundred", "千": of what stands before it.
bool isScale(const Match& word) { return word.is(Meaning::Kilo) && word.word->phrase.size() > 1; }

// The largest power of ten up to 100 that divides it: what may follow is less.
double scaleOf(double value) { return std::fmod(value, 10) != 0 ? 1 : std::fmod(value, 100) != 0 ? 10 : 100; }

} // namespace

Numeral numeralAt(const Atoms& atoms, std::size_t first)
{
    double last = 0;      // what was added last
    double lowest = 1e15; // its scale: 300 million, 20 thousand, 5
    bool scaled = false;
    Numeral read;
    for (std::size_t here = first; here < atoms.size(); here = first + read.atoms) {
        const Match next = Lexicon::shipped().longest(atoms, here);
        const bool number = next.is(Meaning::Number);
        const double value = next ? next.word->value : 0;
        const bool digit = last > 0 && last < 10;
        if (isScale(next) || (number && digit && value == 10)) { // "七十"
            const double counted = std::fmod(read.value, value); // what stands before it is less
            last = counted > 0 ? counted * value : value;
            read.value += last - counted;
            lowest = value;
            scaled = scaled || isScale(next);
        } else if (number && !digit && value < lowest) {
            last = value;
            read.value += value;
            lowest = value < 10 ? lowest : scaleOf(value);
        } else { // "一百零五", "two hundred and fifty", "twenty-five"
            const Match after = Lexicon::shipped().longest(atoms, here + 1);
            const bool tens
                = last >= 20 && last < 100 && lowest == 10 && atoms[here].text == "-" && atoms.isTight(here);
            const bool joins = tens || (scaled && (atoms[here].text == "零" || atoms[here].text == "and"));
            if (!joins || !after.is(Meaning::Number) || after.word->value >= lowest)
                break;
        }
        read.atoms += isScale(next) || number ? next.atoms : 1;
    }
    // "一万五" is 15,000: the last figure stands one scale below.
    const std::size_t end = first + read.atoms;
    if (scaled && last < 10 && lowest >= 100 && atoms[end - 1].kind == AtomKind::Han
        && atoms[end - 2].text != "零")
        read.value += last * (lowest / 10 - 1);
    return read;
}

bool isCounted(const Atoms& atoms, std::size_t at)
{
    using enum Meaning;
    const std::string& text = atoms[at].text;
    const bool rate = text == "a" || text == "per" || text == "/";
    const Match counted = Lexicon::shipped().longest(atoms, at + (rate || text == "of" ? 1 : 0));
    return rate ? counted.is(Time) && atoms.wordEnds(at + 1 + counted.atoms)
                : counted.is(Output, Prompt, Token, Request, RequestRate, TokenRate);
}

double tokensOf(const Item& number)
{
    constexpr double kilo = 1024;
    const bool million = number.value >= number.written * 1e6;
    return number.kilo ? number.written * (million ? kilo * kilo : kilo) : number.value;
}

} // namespace headroom::ask
