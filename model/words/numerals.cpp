#include "model/words/items.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

namespace headroom::ask {

namespace {

using Match = Lexicon::Match;

// "hundred", "千": of what stands before it.
bool isScale(const Match& word) { return word.is(Meaning::Kilo) && word.word->phrase.size() > 1; }

// The largest power of ten up to 100 that divides it: what may follow is less.
double scaleOf(double value) { return std::fmod(value, 10) != 0 ? 1 : std::fmod(value, 100) != 0 ? 10 : 100; }

} // namespace

Numeral numeralAt(const std::vector<Atom>& atoms, std::size_t first)
{
    std::vector<double> parts; // each of what is less than the one before: 300 million, 20 thousand, 5
    double lowest = 1e15;      // the scale of what was added last
    bool scaled = false;
    Numeral read;
    for (std::size_t here = first; here < atoms.size(); here = first + read.atoms) {
        const Match next = Lexicon::shipped().longest(atoms, here);
        const bool number = next.is(Meaning::Number);
        const double value = next ? next.word->value : 0;
        const bool digit = !parts.empty() && parts.back() < 10;
        if (isScale(next) || (number && digit && value == 10)) { // "七十"
            double counted = 0;
            for (; !parts.empty() && parts.back() < value; parts.pop_back())
                counted += parts.back();
            parts.push_back(counted > 0 ? counted * value : value);
            lowest = value;
            scaled = scaled || isScale(next);
        } else if (number && !digit && value < lowest) {
            parts.push_back(value);
            lowest = value < 10 ? lowest : scaleOf(value);
        } else { // "一百零五", "two hundred and fifty", "twenty-five"
            const Match after = Lexicon::shipped().longest(atoms, here + 1);
            const bool tens = !parts.empty() && parts.back() >= 20 && parts.back() < 100 && lowest == 10
                && atoms[here].text == "-" && !atoms[here].spaceBefore;
            const bool joins = tens || (scaled && (atoms[here].text == "零" || atoms[here].text == "and"));
            if (!joins || !after.is(Meaning::Number) || after.word->value >= lowest)
                break;
        }
        read.atoms += isScale(next) || number ? next.atoms : 1;
    }
    // "一万五" is 15,000: the last figure stands one scale below.
    const std::size_t last = first + read.atoms - 1;
    if (scaled && parts.back() < 10 && lowest >= 100 && atoms[last].kind == AtomKind::Han
        && atoms[last - 1].text != "零")
        parts.back() *= lowest / 10;
    read.value = std::accumulate(parts.begin(), parts.end(), 0.0);
    return read;
}

bool isCounted(const std::vector<Atom>& atoms, std::size_t at)
{
    constexpr std::array<std::string_view, 3> per{"a", "per", "/"};
    constexpr std::array of{Meaning::Output,  Meaning::Prompt,      Meaning::Token,
                            Meaning::Request, Meaning::RequestRate, Meaning::TokenRate};
    if (at >= atoms.size())
        return false;
    const bool rate = std::ranges::count(per, atoms[at].text) > 0;
    const Match counted = Lexicon::shipped().longest(atoms, at + (rate || atoms[at].text == "of" ? 1 : 0));
    return rate ? counted.is(Meaning::Time) && wordEnds(atoms, at + 1 + counted.atoms)
                : std::ranges::any_of(of, [&](Meaning meaning) { return counted.is(meaning); });
}

double tokensOf(const Item& number)
{
    if (!number.kilo)
        return number.value;
    const bool million = number.value >= number.written * 1e6;
    return number.written * (million ? 1024.0 * 1024.0 : 1024.0);
}

} // namespace headroom::ask
