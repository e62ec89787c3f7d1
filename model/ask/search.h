#pragma once

#include "model/ask/roles.h"
#include "model/ask/spans.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace headroom::ask {

// One role that a quantity could have, and how well that explains the words around it.
struct Candidate {
    const Role* role = nullptr;
    double score = 0;
    std::size_t cue = none; // the word that leads to it
};

// A quantity with the role that the best reading of the whole sentence gives it.
struct Assigned {
    Span span;
    std::vector<Candidate> candidates; // best first
    const Role* role = nullptr;        // none: no role explains it
    std::size_t cue = none;
    const Role* nearly = nullptr; // a role with which the sentence reads about as well

    [[nodiscard]] bool is(std::string_view id) const { return role != nullptr && role->id == id; }
    // Its role, or what it could have been.
    [[nodiscard]] const Role* likely() const
    {
        return role != nullptr || candidates.empty() ? role : candidates.front().role;
    }
    void become(const Role* other, std::size_t word)
    {
        role = other;
        cue = word;
        nearly = nullptr;
    }
    void become(const Role& other) // led by its own word, where one leads there
    {
        const auto own
            = std::ranges::find_if(candidates, [&](const Candidate& one) { return one.role == &other; });
        become(&other, own == candidates.end() || own->cue == none ? cue : own->cue);
    }
};

// "200 tokens" by itself: what it could be, of what no other number says, to be asked about.
[[nodiscard]] std::vector<const Role*> openRoles(const Draft& draft, const Span& span);

// The reading of all quantities together that explains the sentence best: each role at most once.
[[nodiscard]] std::vector<Assigned> assigned(const Draft& draft);

} // namespace headroom::ask
