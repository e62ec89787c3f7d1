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

// Which letters a text has. One that another has not has to be changed.
using Letters = std::bitset<64>;
Letters lettersOf(std::string_view text)
{
    Letters letters;
    for (const char c : text)
        letters.set(static_cast<unsigned char>(lower(c)) % letters.size());
    return letters;
}

bool startsLike(std::string_view whole, std::string_view start)
{
    return whole.size() >= start.size()
        && std::equal(start.begin(), start.end(), whole.begin(),
                      [](char a, char b) { return lower(a) == lower(b); });
}

// Up to `most`; what is farther is only told to be farther. The letters are those of `a`.
std::size_t distanceUpTo(std::size_t most, std::string_view a, const Letters& letters, std::string_view b)
{
    if (a.size() > longestWord || b.size() > longestWord)
        return std::max(a.size(), b.size());
    // No word is nearer than its length is, nor than its letters are.
    std::size_t apart = difference(a.size(), b.size());
    if (apart <= most) {
        const Letters other = lettersOf(b);
        apart = std::max({apart, (letters & ~other).count(), (other & ~letters).count()});
    }
    if (apart > most)
        return apart;
    // No allocations: a question is held against thousands of names and phrases.
    using Row = std::array<std::size_t, longestWord + 1>;
    std::array<Row, 3> rows;
    Row* before = &rows[0];
    Row* last = &rows[1];
    Row* row = &rows[2];
    for (std::size_t j = 0; j <= b.size(); ++j)
        (*last)[j] = (*before)[j] = j;
    std::size_t leastBefore = 0; // of the row before
    for (std::size_t i = 1; i <= a.size(); ++i) {
        (*row)[0] = i;
        std::size_t leastHere = i;
        const char letter = lower(a[i - 1]);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const char other = lower(b[j - 1]);
            std::size_t least
                = std::min({(*last)[j] + 1, (*row)[j - 1] + 1, (*last)[j - 1] + (letter == other ? 0 : 1)});
            if (i > 1 && j > 1 && letter == lower(b[j - 2]) && lower(a[i - 2]) == other) // swapped
                least = std::min(least, (*before)[j - 2] + 1);
            (*row)[j] = least;
            leastHere = std::min(leastHere, least);
        }
        // A letter further on adds to one of the last two rows.
        if (leastHere > most && leastBefore > most)
            return most + 1;
        leastBefore = leastHere;
        std::swap(before, last);
        std::swap(last, row);
    }
    return (*last)[b.size()];
}

} // namespace

std::size_t editDistance(std::string_view a, std::string_view b, std::size_t most)
{
    return distanceUpTo(most, a, lettersOf(a), b);
}

std::vector<std::string> nearestSpellings(std::string_view typed, std::span<const std::string> known,
                                          std::size_t atMost)
{
    const std::size_t tolerance = std::max<std::size_t>(2, typed.size() / 3);
    const Letters letters = lettersOf(typed);
    std::vector<std::pair<std::size_t, std::string>> near; // nearest first
    for (const std::string& candidate : known) {
        const bool full = near.size() == atMost; // then only a nearer one is of use
        if (atMost == 0 || (full && near.back().first == 0))
            break;
        const std::size_t most = full ? std::min(tolerance, near.back().first - 1) : tolerance;
        const bool begins
            = typed.size() >= 3 && (startsLike(candidate, typed) || startsLike(typed, candidate));
        std::size_t distance = distanceUpTo(most, typed, letters, candidate);
        distance = begins ? std::min(distance, tolerance) : distance;
        if (distance > most)
            continue;
        if (full)
            near.pop_back();
        near.emplace(std::upper_bound(near.begin(), near.end(), distance,
                                      [](std::size_t d, const auto& one) { return d < one.first; }),
                     distance, candidate);
    }
    std::vector<std::string> out;
    for (auto& [distance, candidate] : near)
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
