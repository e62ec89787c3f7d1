#include "model/base/spelling.h"
#include "model/words/lexicon.h"
#include "model/words/names.h"

#include <algorithm>
#include <string>

namespace headroom::ask {

namespace {

constexpr std::size_t shortest = 5; // letters: of fewer too many words are near
constexpr std::size_t far = static_cast<std::size_t>(-1);

bool isLatin(std::string_view word)
{
    return std::ranges::all_of(word, [](char c) { return c >= 'a' && c <= 'z'; });
}

// "lama" of "llamma".
std::string undoubled(std::string_view word)
{
    std::string out(word);
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

// On a keyboard.
bool neighbours(char a, char b)
{
    constexpr std::size_t row = 10;
    constexpr std::string_view keys = "qwertyuiopasdfghjkl;zxcvbnm";
    const auto apart = [](std::size_t x, std::size_t y) { return std::max(x, y) - std::min(x, y); };
    const std::size_t one = keys.find(a);
    const std::size_t other = keys.find(b);
    return apart(one / row, other / row) <= 1 && apart(one % row, other % row) <= 1;
}

// Of as many letters: two swapped, or one that lies beside the other.
bool slipped(std::string_view typed, std::string_view word)
{
    const auto [a, b] = std::mismatch(typed.begin(), typed.end(), word.begin());
    return std::is_permutation(typed.begin(), typed.end(), word.begin()) || neighbours(*a, *b);
}

// How far a word is from the one that was meant; `far` where it is another one.
std::size_t apart(std::string_view typed, std::string_view word, bool checked, const Word* alone = nullptr)
{
    if (word.size() < (checked ? shortest - 1 : shortest) || word.size() > typed.size() + 2
        || typed.size() > word.size() + 2 || !isLatin(word))
        return far;
    const bool begins = typed.front() == word.front() || (typed[0] == word[1] && typed[1] == word[0]);
    if (!begins && !checked)
        return far;
    const std::size_t letters = editDistance(typed, word);
    if (!begins && letters != 1)
        return far;
    const std::size_t fewest = std::min(typed.size(), word.size());
    if (letters == 0 || letters > 2)
        return far;
    const std::size_t single = editDistance(undoubled(typed), undoubled(word));
    constexpr std::size_t enough = 8;                                       // letters, with two of them wrong
    const bool longer = word.starts_with(typed) || typed.starts_with(word); // "research" is no researcher
    if (letters == 2
        && (longer || fewest < shortest
            || !(checked || single == 0 || (alone != nullptr && fewest >= enough && carriesMeaning(*alone)))))
        return far;
    if (letters == 1 && !checked && fewest == shortest && typed.size() == word.size()
        && !slipped(typed, word))
        return far;
    const bool cut = word.starts_with(typed);
    return letters * 4 + (single > 0 ? 2 : 0) + (cut ? 0 : 1);
}

// A word, and how far it is from the one that was typed.
struct Near {
    std::string_view word;
    std::size_t apart = far;
};

// The word of names that is nearest; none where several are.
Near nameNear(std::string_view typed, const Fits& fits)
{
    Near nearest;
    if (typed.size() + 1 >= shortest && isLatin(typed))
        for (const auto& [word, field] : Names::shipped().rows("Spelled")) {
            const std::size_t so = apart(typed, word, true);
            if (so != far && so <= nearest.apart
                && fits(word, so < 8 && !Names::shipped().is("Variant", word)))
                nearest = {so == nearest.apart ? std::string_view() : word, so};
        }
    return nearest;
}

// The word of the phrases that is nearest; none where several that mean different things are as near. A
// letter may be doubled besides; one that is another in a short word stands beside it on the keyboard: a
// share is no spare.
Near wordNear(std::string_view typed, const Fits& fits)
{
    Near nearest;
    const Word* means = nullptr;
    bool several = false;
    if (typed.size() < shortest || !isLatin(typed))
        return nearest;
    const auto shorter = [&](std::string_view word) {
        return std::max(word.size(), typed.size()) - std::min(word.size(), typed.size());
    };
    for (const char first : {typed[0], typed[1]}) // two may be swapped
        for (auto at = Lexicon::shipped().spelled().lower_bound(std::string_view(&first, 1));
             at != Lexicon::shipped().spelled().end() && at->first.front() == first; ++at) {
            const auto& [word, alone] = *at;
            const std::size_t so = apart(typed, word, false, alone);
            if (so == far || so > nearest.apart || word == nearest.word || !fits(word, alone != nullptr))
                continue;
            const bool same = so == nearest.apart && alone != nullptr && means != nullptr
                && alone->meaning == means->meaning && alone->value == means->value;
            several = so == nearest.apart && (several || !same);
            if (same && shorter(nearest.word) <= shorter(word))
                continue;
            nearest = {word, so};
            means = alone;
        }
    return several ? Near{} : nearest;
}

} // namespace

std::string_view meantBy(std::string_view typed, const Fits& isName, const Fits& isPhrase, bool ends)
{
    const Near name = nameNear(typed, isName);
    const Near word = ends ? wordNear(typed, isPhrase) : Near{};
    return word.apart < name.apart ? word.word : name.word;
}

bool isWordOfTables(std::string_view word)
{
    const Names& names = Names::shipped();
    return Lexicon::asides().isPhrase(word) || names.is("Other", word) || names.is("Spelled", word);
}

} // namespace headroom::ask
