#include "model/base/spelling.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <unordered_set>
#include <utility>

namespace headroom {

namespace {

// Longer words than any id: comparing them would only cost time.
constexpr std::size_t longestWord = 96;

// Of ASCII, as ids are: whatever the locale says would only cost time.
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::size_t difference(std::size_t a, std::size_t b) { return a > b ? a - b : b - a; }

// How many letters, at least, one of them has and the other has not: no fewer have to be changed.
std::size_t lettersApart(std::string_view a, std::string_view b)
{
    constexpr std::size_t kinds = 64;
    const auto lettersOf = [](std::string_view text) {
        std::bitset<kinds> letters;
        for (const char c : text)
            letters.set(static_cast<unsigned char>(lower(c)) % kinds);
        return letters;
    };
    const auto one = lettersOf(a);
    const auto other = lettersOf(b);
    return std::max((one & ~other).count(), (other & ~one).count());
}

bool startsLike(std::string_view whole, std::string_view start)
{
    return whole.size() >= start.size()
        && std::equal(start.begin(), start.end(), whole.begin(),
                      [](char a, char b) { return lower(a) == lower(b); });
}

} // namespace

std::size_t editDistance(std::string_view a, std::string_view b)
{
    if (a.size() > longestWord || b.size() > longestWord)
        return std::max(a.size(), b.size());
    // No allocations: a question is held against thousands of names and phrases.
    using Row = std::array<std::size_t, longestWord + 1>;
    std::array<Row, 3> rows;
    Row* before = &rows[0];
    Row* last = &rows[1];
    Row* row = &rows[2];
    for (std::size_t j = 0; j <= b.size(); ++j)
        (*last)[j] = (*before)[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        (*row)[0] = i;
        const char letter = lower(a[i - 1]);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const char other = lower(b[j - 1]);
            std::size_t least
                = std::min({(*last)[j] + 1, (*row)[j - 1] + 1, (*last)[j - 1] + (letter == other ? 0 : 1)});
            if (i > 1 && j > 1 && letter == lower(b[j - 2]) && lower(a[i - 2]) == other) // swapped
                least = std::min(least, (*before)[j - 2] + 1);
            (*row)[j] = least;
        }
        std::swap(before, last);
        std::swap(last, row);
    }
    return (*last)[b.size()];
}

std::vector<std::string> nearestSpellings(std::string_view typed, std::span<const std::string> known,
                                          std::size_t atMost)
{
    const std::size_t tolerance = std::max<std::size_t>(2, typed.size() / 3);
    std::vector<std::pair<std::size_t, std::string>> near;
    for (const std::string& candidate : known) {
        // No word is nearer than its length is, nor than its letters are.
        std::size_t apart = difference(typed.size(), candidate.size());
        if (apart <= tolerance)
            apart = std::max(apart, lettersApart(typed, candidate));
        const std::size_t distance = apart > tolerance ? apart : editDistance(typed, candidate);
        const bool begins
            = typed.size() >= 3 && (startsLike(candidate, typed) || startsLike(typed, candidate));
        if (distance <= tolerance || begins)
            near.emplace_back(std::min(distance, begins ? tolerance : distance), candidate);
    }
    std::stable_sort(near.begin(), near.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<std::string> out;
    for (auto& [distance, candidate] : near)
        if (out.size() < atMost)
            out.push_back(std::move(candidate));
    return out;
}

std::vector<std::string> withBeginnings(std::span<const std::string> ids, std::string_view typed)
{
    const auto hyphens
        = std::count_if(typed.begin(), typed.end(), [](char c) { return c == '-' || c == ' '; });
    std::vector<std::string> out(ids.begin(), ids.end());
    std::unordered_set<std::string_view> known(ids.begin(), ids.end());
    for (const std::string& id : ids) {
        std::size_t end = id.find('-');
        for (std::ptrdiff_t word = 0; word < hyphens && end != std::string::npos; ++word)
            end = id.find('-', end + 1);
        const std::string_view beginning = std::string_view(id).substr(0, end);
        if (known.insert(beginning).second)
            out.emplace_back(beginning);
    }
    return out;
}

Message spellingHint(std::string_view typed, std::span<const std::string> known)
{
    std::vector<Message> near;
    for (const std::string& name : nearestSpellings(typed, known))
        near.push_back(asIs('\'' + name + '\''));
    if (near.empty())
        return {};
    const Message last = near.back();
    near.pop_back();
    return near.empty() ? say("did you mean {}?", last)
                        : say("did you mean {} or {}?", joined(std::move(near), ", "), last);
}

} // namespace headroom
