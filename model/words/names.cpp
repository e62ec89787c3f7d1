#include "model/words/names.h"

#include "model/base/spelling.h"
#include "model/words/lexicon.h"
#include "model/words/tables.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

namespace headroom::ask {

namespace {

bool isFigure(char c) { return c >= '0' && c <= '9'; }

// A character of a shape: of figures * is some, ? one; what is not capital may be.
bool fits(char c, char shape)
{
    return shape == '*' || shape == '?' ? isFigure(c) : c == shape || (shape >= 'a' && c + 32 == shape);
}

// Bytes of `text` that have the shape: a space may be missing.
std::size_t shaped(std::string_view text, std::string_view shape)
{
    std::size_t at = 0;
    const auto next = [&] { return at < text.size() ? text[at] : '\0'; };
    for (const char c : shape) {
        const bool there = fits(next(), c);
        if (!there && c != ' ')
            return 0;
        at += there ? 1 : 0;
        while (c == '*' && isFigure(next()))
            ++at;
    }
    const bool han = static_cast<unsigned char>(shape.back()) >= 0x80;
    const bool runsOn = isFigure(next()) || (next() >= 'a' && next() <= 'z');
    return runsOn && !han ? 0 : at;
}

// Mistyped words.

constexpr std::size_t shortest = 5;   // letters: of fewer too many words are near
constexpr std::size_t twoLetters = 8; // how far a word is of which two are wrong, at least
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

// Of as many letters: two swapped, or one that lies beside the other on a keyboard.
bool slipped(std::string_view typed, std::string_view word)
{
    constexpr std::string_view keys = "qwertyuiopasdfghjkl;zxcvbnm";
    const auto [a, b] = std::mismatch(typed.begin(), typed.end(), word.begin());
    const int one = static_cast<int>(keys.find(*a));
    const int other = static_cast<int>(keys.find(*b));
    return std::is_permutation(typed.begin(), typed.end(), word.begin())
        || (std::abs(one / 10 - other / 10) <= 1 && std::abs(one % 10 - other % 10) <= 1);
}

// A word, and how far it is from the one that was typed.
struct Near {
    std::string_view word;
    std::size_t apart = far;
    const Word* alone = nullptr; // of phrases: the one that has no other word
    bool name = false;

    [[nodiscard]] bool means(const Near& other) const
    {
        return alone != nullptr && other.alone != nullptr && alone->meaning == other.alone->meaning
            && alone->value == other.alone->value;
    }
};

// How far a word is from the one that was meant; `far` where it is another one. A letter may be doubled
// besides; one that is another in a short word stands beside it on the keyboard: a share is no spare.
std::size_t apart(std::string_view typed, const Near& near)
{
    const std::string_view word = near.word;
    if (word.size() + (near.name ? 1 : 0) < shortest || !isLatin(word))
        return far;
    const bool begins = typed.front() == word.front() || (typed[0] == word[1] && typed[1] == word[0]);
    const std::size_t letters = begins || near.name ? editDistance(typed, word, 2) : far;
    if (letters == 0 || letters > (begins ? 2 : 1))
        return far;
    const std::size_t single = editDistance(undoubled(typed), undoubled(word));
    const bool cut = word.starts_with(typed);
    const std::size_t fewest = std::min(typed.size(), word.size());
    constexpr std::size_t enough = 8; // letters, with two of them wrong
    const bool sure = near.name || single == 0
        || (near.alone != nullptr && fewest >= enough && carriesMeaning(*near.alone));
    const bool other = letters == 2
        ? cut || typed.starts_with(word) || fewest < shortest || !sure // "research" is no researcher
        : !near.name && typed.size() == word.size() && fewest == shortest && !slipped(typed, word);
    return other ? far : letters * (twoLetters / 2) + (single > 0 ? 2 : 0) + (cut ? 0 : 1);
}

} // namespace

Names::Names(std::string_view table)
{
    eachRow("names", table, [&](const TsvRow& row) {
        const std::string_view kind = row[0];
        if (kind.empty() || row[1].empty())
            throw std::logic_error("a row needs a kind and a word");
        for (const std::string_view word : partsOf(row[1], '|')) {
            if (word.empty())
                throw std::logic_error("an empty word");
            const auto add = [&](std::string_view to) {
                Kind& all = m_kinds[to];
                all.words.try_emplace(word, row[2]);
                const char first = word.front();
                for (const char c : "0123456789" + std::string{first, static_cast<char>(first - 32)})
                    if (fits(c, first))
                        all.beginning[static_cast<unsigned char>(c)].emplace_back(word, row[2]);
            };
            add(kind);
            if (kind == "Family" || kind == "Variant" || kind == "Engine")
                add("Spelled");
        }
    });
}

const Names& Names::shipped()
{
    static const Names names(tableCalled("names"));
    return names;
}

std::string Names::respelled(std::string text) const
{
    for (const auto& [written, latin] :
         m_kinds.at("Respelling").beginning[static_cast<unsigned char>(text[0])])
        if (text.starts_with(written))
            return std::string(latin) + text.substr(written.size());
    return text;
}

bool Names::isRespelt(std::string_view character) const
{
    return std::ranges::any_of(words("Respelling"), [&](const auto& row) {
        return row.first.find(character) != std::string_view::npos;
    });
}

NameMatch Names::usual(NameMatch match, std::string name) const
{
    std::erase_if(name,
                  [](char c) { return c == ' ' || c == '-' || c == '_'; }); // "Gemma 3" and "gemma-3" are one
    const auto usual = words("Usual").find(name);
    const auto other
        = usual == words("Usual").end() ? match.others.end() : std::ranges::find(match.others, usual->second);
    if (other != match.others.end())
        std::swap(match.id, *other);
    return match;
}

std::size_t Names::shape(std::string_view kind, std::string_view whole, const Atoms& atoms,
                         std::size_t at) const
{
    return shapeOf(kind, whole, atoms, at).atoms;
}

Names::Machine Names::machine(std::string_view whole, const Atoms& atoms, std::size_t at) const
{
    const Shape found = shapeOf("Machine", whole, atoms, at);
    if (found.atoms == 0)
        return {};
    const auto [gpu, cards] = cutAt(found.says, '/');
    return {gpu, numberIn(cards), found.atoms};
}

Names::Shape Names::shapeOf(std::string_view kind, std::string_view whole, const Atoms& atoms,
                            std::size_t at) const
{
    const std::string_view text = whole.substr(atoms[at].begin);
    constexpr std::ptrdiff_t shortestPhone = 8; // digits: "512+256 10" is none
    std::size_t longest = 0;
    std::string_view says;
    for (const auto& [shape, notBefore] :
         m_kinds.at(kind).beginning[static_cast<unsigned char>(text.front())]) {
        const std::size_t end = shaped(text, shape);
        if (end <= longest)
            continue;
        const std::string_view rest = text.substr(std::min(text.find_first_not_of(' ', end), text.size()));
        const bool few
            = text.front() == '+' && std::ranges::count_if(text.substr(0, end), isFigure) < shortestPhone;
        const auto begins = [&](std::string_view word) { return rest.starts_with(word); };
        if (few || std::ranges::any_of(partsOf(notBefore, '|'), begins))
            continue;
        longest = end;
        says = notBefore;
    }
    std::size_t last = at;
    while (last < atoms.size() && atoms[last].end <= atoms[at].begin + longest)
        ++last;
    const bool ends = last > at && atoms[last - 1].end == atoms[at].begin + longest;
    return {ends ? last - at : 0, says};
}

std::string_view meantBy(std::string_view typed, bool ends, const Fits& fits)
{
    if (typed.size() + 1 < shortest || !isLatin(typed))
        return {};
    Near nearest;
    const auto longer = [&](const Near& near) { // or shorter, by so many letters
        return std::abs(static_cast<int>(near.word.size()) - static_cast<int>(typed.size()));
    };
    const auto consider = [&](Near near) {
        near.apart = apart(typed, near);
        const bool nearer = near.apart < nearest.apart;
        if (near.apart == far || (!nearer && (near.apart > nearest.apart || nearest.name != near.name)))
            return;
        const bool alone = near.name ? near.apart < twoLetters && !Names::shipped().is("Variant", near.word)
                                     : near.alone != nullptr;
        if (near.word == nearest.word || !fits(near.word, near.name, alone))
            return;
        if (!nearer && !near.means(nearest)) // several are as near
            nearest = {.apart = near.apart, .name = near.name};
        else if (nearer || longer(near) < longer(nearest))
            nearest = near;
    };
    for (const auto& [word, field] : Names::shipped().words("Spelled"))
        consider({.word = word, .name = true});
    const Lexicon::Spelled& phrases = Lexicon::shipped().spelled();
    for (const char first : {typed[0], typed[1]}) // two may be swapped
        for (auto at = phrases.lower_bound(std::string_view(&first, 1));
             ends && typed.size() >= shortest && at != phrases.end() && at->first.front() == first; ++at)
            consider({.word = at->first, .alone = at->second});
    return nearest.word;
}

} // namespace headroom::ask
