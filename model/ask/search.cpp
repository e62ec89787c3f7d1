#include "model/ask/search.h"

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <utility>

namespace headroom::ask {

namespace {

constexpr std::size_t mostCandidates = 6; // of one quantity; what stands behind explains little
constexpr std::size_t mostReadings = 48;  // that are followed

// A reading of the first quantities: what each is, and how well that explains them.
struct Reading {
    double score = 0;
    std::bitset<mostRoles> roles; // that are taken
    std::size_t before = 0;       // the reading of the quantities before the last, among those kept then
    std::int8_t choice = -1;      // of the last quantity; -1: no role
};

std::size_t indexOf(const Role* role) { return static_cast<std::size_t>(role - shippedRoles().data()); }

// The best readings after each quantity, best first.
std::vector<std::vector<Reading>> readings(const std::vector<Assigned>& quantities)
{
    std::vector<std::vector<Reading>> kept{{Reading{}}};
    for (const Assigned& quantity : quantities) {
        std::vector<Reading> grown;
        for (std::size_t r = 0; r < kept.back().size(); ++r) {
            Reading next = kept.back()[r];
            next.before = r;
            next.choice = -1;
            grown.push_back(next);
            for (std::size_t c = 0; c < std::min(quantity.candidates.size(), mostCandidates); ++c) {
                const Candidate& candidate = quantity.candidates[c];
                const std::size_t role = indexOf(candidate.role);
                if (next.roles.test(role) && !candidate.role->many)
                    continue;
                Reading with = next;
                with.choice = static_cast<std::int8_t>(c);
                with.score += candidate.score;
                with.roles.set(role);
                grown.push_back(with);
            }
        }
        std::stable_sort(grown.begin(), grown.end(),
                         [](const Reading& a, const Reading& b) { return a.score > b.score; });
        grown.resize(std::min(grown.size(), mostReadings));
        kept.push_back(std::move(grown));
    }
    return kept;
}

// What the `r`-th best reading makes of each quantity.
std::vector<std::int8_t> choicesOf(const std::vector<std::vector<Reading>>& kept, std::size_t r)
{
    std::vector<std::int8_t> choices(kept.size() - 1);
    for (std::size_t i = kept.size() - 1; i > 0; --i) {
        choices[i - 1] = kept[i][r].choice;
        r = kept[i][r].before;
    }
    return choices;
}

} // namespace

std::vector<Assigned> assigned(const Draft& draft)
{
    std::vector<Assigned> quantities;
    for (Span& span : spansOf(draft))
        quantities.push_back({.span = std::move(span)});
    findCandidates(draft, quantities);
    const std::vector<std::vector<Reading>> kept = readings(quantities);
    const std::vector<std::int8_t> best = choicesOf(kept, 0);
    for (std::size_t i = 0; i < quantities.size(); ++i) {
        if (best[i] < 0)
            continue;
        const Candidate& chosen = quantities[i].candidates[static_cast<std::size_t>(best[i])];
        // "batch 1 and batch 64": what its own words lead to is another number's, and far from what is left.
        constexpr double farther = 1.5;
        constexpr double weak = 2; // no word says it
        if (chosen.score < weak && quantities[i].candidates.front().score - chosen.score > farther)
            continue;
        quantities[i].role = chosen.role;
        quantities[i].cue = chosen.cue;
    }
    constexpr double aboutAsWell = 0.2;
    for (std::size_t r = 1;
         r < kept.back().size() && kept.back()[r].score > kept.back()[0].score - aboutAsWell; ++r) {
        const std::vector<std::int8_t> other = choicesOf(kept, r);
        for (std::size_t i = 0; i < quantities.size(); ++i)
            if (best[i] >= 0 && other[i] >= 0 && other[i] != best[i] && quantities[i].nearly == nullptr)
                quantities[i].nearly = quantities[i].candidates[static_cast<std::size_t>(other[i])].role;
    }
    return quantities;
}

} // namespace headroom::ask
