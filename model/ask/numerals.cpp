#include "model/ask/items.h"

#include <cmath>
#include <optional>

namespace headroom::ask {

namespace {

using Match = std::optional<Lexicon::Match>;

bool isNumber(const Match& word) { return word && word->word->meaning == Meaning::Number; }

// "hundred", "千": of what stands before it.
bool isScale(const Match& word)
{
    constexpr double least = 100;
    return word && word->word->meaning == Meaning::Kilo && word->word->value >= least
        && word->word->phrase.size() > 1;
}

// The largest power of ten up to 100 that divides it: what may follow is less.
double scaleOf(double value) { return std::fmod(value, 10) != 0 ? 1 : std::fmod(value, 100) != 0 ? 10 : 100; }

} // namespace

Numeral numeralAt(const std::vector<Atom>& atoms, std::size_t first, const Lexicon& lexicon)
{
    const auto at
        = [&](std::size_t i) { return i < atoms.size() ? lexicon.longest(atoms, i) : std::nullopt; };
    double sum = 0;
    double digit = 0;     // under ten, waits for its scale
    double lowest = 1e15; // the scale of what was added last
    bool scaled = false;
    Numeral read;
    for (Match next = at(first); next; next = at(first + read.atoms)) {
        const double value = next->word->value;
        if (isScale(next) && read.atoms > 0) {
            const bool ofDigit = digit > 0 && value < lowest;
            sum = ofDigit ? sum + digit * value : (sum + digit) * value;
            digit = 0;
            lowest = value;
            scaled = true;
        } else if (isNumber(next) && digit > 0 && value == 10) { // "七十"
            sum += digit * value;
            digit = 0;
            lowest = value;
        } else if (isNumber(next) && digit == 0 && value < lowest) {
            (value < 10 ? digit : sum) += value;
            lowest = value < 10 ? lowest : scaleOf(value);
        } else { // "一百零五", "two hundred and fifty"
            const bool joins = scaled && (next->word->phrase == "零" || next->word->phrase == "and");
            const Match after = at(first + read.atoms + next->atoms);
            if (!joins || !isNumber(after) || after->word->value >= lowest)
                break;
        }
        read.atoms += next->atoms;
    }
    // "一万五" is 15,000: the last figure stands one scale below.
    const std::size_t last = first + read.atoms - 1;
    if (scaled && digit > 0 && lowest >= 100 && atoms[last].kind == AtomKind::Han
        && atoms[last - 1].text != "零")
        digit *= lowest / 10;
    read.value = sum + digit;
    return read;
}

} // namespace headroom::ask
