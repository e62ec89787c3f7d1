#include "model/ask/search.h"

#include <algorithm>
#include <bitset>
#include <cstdint>
#include <utility>

namespace headroom::ask {

namespace {

constexpr std::size_t mostRoles = 96;
constexpr std::size_t mostCandidates = 6; // of one quantity; what stands behind explains little
constexpr std::size_t mostReadings = 48;  // that are followed

// A reading of the first quantities: what each is, and how well that explains them.
struct Reading {
    double score = 0;
    std::bitset<mostRoles> roles; // that are taken
    std::vector<std::int8_t> choice;
};

std::size_t indexOf(const Role* role) { return static_cast<std::size_t>(role - shippedRoles().data()); }

std::vector<Reading> readings(const std::vector<Assigned>& quantities)
{
    std::vector<Reading> kept{Reading{}};
    for (const Assigned& quantity : quantities) {
        std::vector<Reading> grown;
        for (const Reading& reading : kept) {
            const auto grow = [&](std::int8_t choice) -> Reading& {
                grown.push_back(reading);
                grown.back().choice.push_back(choice);
                return grown.back();
            };
            for (std::size_t c = 0; c < std::min(quantity.candidates.size(), mostCandidates); ++c) {
                const std::size_t role = indexOf(quantity.candidates[c].role);
                if (reading.roles.test(role) && !quantity.candidates[c].role->many)
                    continue;
                Reading& next = grow(static_cast<std::int8_t>(c));
                next.score += quantity.candidates[c].score;
                next.roles.set(role);
            }
            grow(-1); // no role
        }
        std::stable_sort(grown.begin(), grown.end(),
                         [](const Reading& a, const Reading& b) { return a.score > b.score; });
        grown.resize(std::min(grown.size(), mostReadings));
        kept = std::move(grown);
    }
    return kept;
}

} // namespace

std::vector<Assigned> assigned(const Draft& draft)
{
    std::vector<Assigned> quantities;
    std::vector<Span> spans = spansOf(draft);
    std::vector<bool> taken(draft.size(), false);
    for (const Span& span : spans)
        for (const std::size_t part : span.parts)
            taken[part] = true;
    for (Span& span : spans) {
        std::vector<Candidate> candidates = candidatesOf(draft, span, taken);
        quantities.push_back({.span = std::move(span), .candidates = std::move(candidates)});
    }
    const std::vector<Reading> all = readings(quantities);
    const Reading& best = all.front();
    constexpr double aboutAsWell = 0.2;
    for (std::size_t i = 0; i < quantities.size(); ++i) {
        Assigned& quantity = quantities[i];
        if (best.choice[i] < 0)
            continue;
        const Candidate& chosen = quantity.candidates[static_cast<std::size_t>(best.choice[i])];
        quantity.role = chosen.role;
        quantity.cue = chosen.cue;
        for (const Reading& other : all)
            if (other.choice[i] >= 0 && other.choice[i] != best.choice[i] && quantity.nearly == nullptr
                && other.score > best.score - aboutAsWell)
                quantity.nearly = quantity.candidates[static_cast<std::size_t>(other.choice[i])].role;
    }
    return quantities;
}

} // namespace headroom::ask
