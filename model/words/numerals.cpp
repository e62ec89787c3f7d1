#include "model/words/items.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

namespace headroom::ask {

namespace {

using Match = std::optional<Lexicon::Match>;

bool isNumber(const Match& word) { return word && word->word->meaning == Meaning::Number; }

// "hundred", "千": of what stands before it.
bool isScale(const Match& word)
{
    return word && word->word->meaning == Meaning::Kilo && word->word->phrase.size() > 1;
}

// The largest power of ten up to 100 that divides it: what may follow is less.
double scaleOf(double value) { return std::fmod(value, 10) != 0 ? 1 : std::fmod(value, 100) != 0 ? 10 : 100; }

// "9 块一小时", "9 块/小时": an hour stands there.
bool isHour(const std::vector<Atom>& atoms, std::size_t at)
{
    constexpr double hour = 3600;
    if (at < atoms.size() && (atoms[at].text == "一" || atoms[at].text == "每" || atoms[at].text == "/"))
        ++at;
    const Match time = phraseAt(atoms, at);
    return time && time->word->meaning == Meaning::Time && time->word->value == hour
        && wordEnds(atoms, at + time->atoms);
}

} // namespace

Numeral numeralAt(const std::vector<Atom>& atoms, std::size_t first)
{
    std::vector<double> parts; // each of what is less than the one before: 300 million, 20 thousand, 5
    double lowest = 1e15;      // the scale of what was added last
    bool scaled = false;
    Numeral read;
    for (std::size_t here = first; here < atoms.size(); here = first + read.atoms) {
        const Match next = phraseAt(atoms, here);
        const double value = next ? next->word->value : 0;
        const bool digit = !parts.empty() && parts.back() < 10;
        if (isScale(next) || (isNumber(next) && digit && value == 10)) { // "七十"
            double counted = 0;
            for (; !parts.empty() && parts.back() < value; parts.pop_back())
                counted += parts.back();
            parts.push_back(counted > 0 ? counted * value : value);
            lowest = value;
            scaled = scaled || isScale(next);
        } else if (isNumber(next) && !digit && value < lowest) {
            parts.push_back(value);
            lowest = value < 10 ? lowest : scaleOf(value);
        } else { // "一百零五", "two hundred and fifty"
            const Match after = phraseAt(atoms, here + 1);
            const bool tens = !parts.empty() && parts.back() >= 20 && parts.back() < 100 && lowest == 10
                && atoms[here].text == "-" && !atoms[here].spaceBefore; // "twenty-five"
            const bool joins = tens || (scaled && (atoms[here].text == "零" || atoms[here].text == "and"));
            if (!joins || !isNumber(after) || after->word->value >= lowest)
                break;
        }
        const bool word = isScale(next) || isNumber(next);
        read.atoms += word ? next->atoms : 1;
    }
    // "一万五" is 15,000: the last figure stands one scale below.
    const std::size_t last = first + read.atoms - 1;
    if (scaled && parts.back() < 10 && lowest >= 100 && atoms[last].kind == AtomKind::Han
        && atoms[last - 1].text != "零")
        parts.back() *= lowest / 10;
    read.value = std::accumulate(parts.begin(), parts.end(), 0.0);
    return read;
}

double tokensOf(const Item& number)
{
    if (!number.kilo)
        return number.value;
    const bool million = number.value >= number.written * 1e6;
    return number.written * (million ? 1024.0 * 1024.0 : 1024.0);
}

bool countsBillions(const std::vector<Atom>& atoms, std::size_t at)
{
    if (at + 2 >= atoms.size() || atoms[at].kind != AtomKind::Digits || atoms[at + 1].text != "b"
        || atoms[at + 1].spaceBefore)
        return false;
    const std::string& next = atoms[at + 2].text; // "1B of output", "3B a month"
    const bool time = next == "a" || next == "per" || next == "/";
    const Match counted = phraseAt(atoms, at + (time || next == "of" ? 3 : 2));
    if (!counted)
        return false;
    constexpr std::array meanings{Meaning::Output,  Meaning::Prompt,      Meaning::Token,
                                  Meaning::Request, Meaning::RequestRate, Meaning::TokenRate};
    return time ? counted->word->meaning == Meaning::Time && wordEnds(atoms, at + 3 + counted->atoms)
                : std::ranges::count(meanings, counted->word->meaning) > 0;
}

bool isListed(const std::vector<Atom>& atoms, std::size_t at, int number)
{
    const auto listed = [&](std::size_t i, int which) {
        constexpr std::array<std::string_view, 10> han{"一", "二", "三", "四", "五",
                                                       "六", "七", "八", "九", "十"};
        if (i + 1 >= atoms.size() || atoms[i + 1].spaceBefore)
            return false;
        const Atom& sign = atoms[i + 1];
        const auto index = static_cast<std::size_t>(which - 1);
        const bool figure
            = atoms[i].text == std::to_string(which) || (index < han.size() && atoms[i].text == han[index]);
        const std::string letter(1, static_cast<char>('a' + index)); // "(a) … (b) …"
        return sign.text == ")" ? figure || atoms[i].text == letter
                                : figure
                && ((sign.text == "," && sign.end > sign.begin + 1)
                    || (sign.text == "." && i + 2 < atoms.size() && atoms[i + 2].spaceBefore));
    };
    bool goes = listed(at, number); // and the first of a list is followed by a second, written alike
    for (std::size_t i = at + 2; goes && number == 1; ++i)
        if (goes = i + 1 < atoms.size(); goes && listed(i, 2) && atoms[i + 1].text == atoms[at + 1].text)
            break;
    return goes;
}

bool unitOfNothing(const std::vector<Atom>& atoms, std::size_t at, const Lexicon::Match& word)
{
    const std::size_t after = at + word.atoms;
    const bool figureBefore = at > 0 && !atoms[at].spaceBefore && atoms[at - 1].kind == AtomKind::Digits;
    return (word.word->meaning == Meaning::Time || word.word->meaning == Meaning::Kilo
            || word.word->phrase == "c") // "C500"
        && atoms[at].kind == AtomKind::Letters && !figureBefore && after < atoms.size()
        && !atoms[after].spaceBefore && atoms[after].kind == AtomKind::Digits;
}

void readSpokenMoney(std::vector<Atom>& atoms)
{
    const auto figure = [&](std::size_t i) { // 0: none
        if (atoms[i].kind == AtomKind::Digits && atoms[i].text.size() <= 2)
            return static_cast<int>(numberIn(atoms[i].text));
        const Match word = atoms[i].kind == AtomKind::Han ? phraseAt(atoms, i) : std::nullopt;
        return isNumber(word) && word->atoms == 1 ? static_cast<int>(word->word->value) : 0;
    };
    for (std::size_t i = 0; i + 3 < atoms.size(); ++i) {
        const bool ofHour = atoms[i + 2].text == "一" && atoms[i + 3].text != "一"; // "9块一小时"
        if (atoms[i + 1].text != "块" || atoms[i + 2].spaceBefore || ofHour)
            continue;
        const int whole = figure(i);
        const int tenths = figure(i + 2);
        const Match next = phraseAt(atoms, i + 3);
        const bool foreign = next && next->word->meaning == Meaning::Dollar;
        if (whole < 1 || tenths < 1 || tenths > 9 || (!foreign && !isHour(atoms, i + 3)))
            continue;
        atoms[i].text = std::to_string(whole) + "." + std::to_string(tenths);
        atoms[i].kind = AtomKind::Digits;
        atoms[foreign ? i : i + 1].end = atoms[i + 2].end;
        const auto gone = atoms.begin() + static_cast<std::ptrdiff_t>(i) + (foreign ? 1 : 2);
        atoms.erase(gone, gone + (foreign ? 2 : 1));
    }
}

bool isNegative(const std::vector<Atom>& atoms, std::size_t at)
{
    return atoms[at].text == "-" && at + 1 < atoms.size() && atoms[at + 1].kind == AtomKind::Digits
        && !atoms[at + 1].spaceBefore && (at == 0 || atoms[at].spaceBefore);
}

} // namespace headroom::ask
