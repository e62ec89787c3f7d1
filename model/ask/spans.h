#pragma once

#include "model/ask/roles.h"
#include "model/words/items.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace headroom::ask {

class Draft;

constexpr std::size_t none = static_cast<std::size_t>(-1);

// Items from the first to the last.
struct Place {
    std::size_t first = 0;
    std::size_t last = 0;

    Place() = default;
    Place(std::size_t one) : first(one), last(one) {} // a place of one item is that item
    Place(std::size_t from, std::size_t to) : first(from), last(to) {}
};

// A quantity of the sentence: a number, its unit, its bound, and where it stands.
struct Span {
    double value = 0;               // in base units; of a range the upper end
    std::optional<double> from;     // of a range the lower end
    bool grows = false;             // from there: what it was is no length of a request
    Meaning unit = Meaning::Filler; // Filler: a bare number
    double unitValue = 1;
    std::size_t unitAt = none;       // its item
    double perTime = 0;              // seconds of "per hour"; 0: not per time
    std::set<Meaning> per;           // what it is said of one of: users, cards, machines, replicas, groups
    std::vector<std::size_t> scope;  // the words that say so: they lead it to no role
    bool interval = false;           // "every 30 seconds": one in so long
    Meaning bound = Meaning::Filler; // AtMost, AtLeast or none
    Dimension dimension = Dimension::Plain;
    std::size_t number = 0; // its item
    std::size_t first = 0;  // the first and the last item it is made of
    std::size_t last = 0;
    std::vector<std::size_t> parts;
    double boxSize = 0;     // of a count of machines: GPUs in each
    std::size_t gpu = none; // of a count: the accelerator it is of, where it is named

    operator Place() const { return {first, last}; } // where it stands
    void take(std::size_t item)
    {
        parts.push_back(item);
        first = std::min(first, item);
        last = std::max(last, item);
    }
    void takeAll(const std::vector<std::size_t>& items)
    {
        for (const std::size_t item : items)
            take(item);
    }
    void takeTo(std::size_t from, std::size_t to) // both included
    {
        for (std::size_t item = from; item <= to; ++item)
            take(item);
    }
    void scale(double by)
    {
        value *= by;
        if (from)
            *from *= by;
    }
    [[nodiscard]] bool isPer(Meaning what) const { return per.contains(what); }
    [[nodiscard]] bool isIn(Place part) const { return number >= part.first && number < part.last; }
    [[nodiscard]] double perSecond() const { return perTime > 0 ? value / perTime : value; }
    [[nodiscard]] bool isMoney() const
    {
        return unit == Meaning::Dollar || unit == Meaning::Yuan || unit == Meaning::Euro
            || unit == Meaning::Cent || unit == Meaning::OtherMoney;
    }
};

// The quantities of the sentence in their order. Numbers that belong to one (the ends of a range, "2 nodes of
// 8") are in it and none of their own.
[[nodiscard]] std::vector<Span> spansOf(const Draft& draft);

// What one of something is called, where any role can be said of one of it: a user, a card, a replica, a
// school.
[[nodiscard]] Meaning scopeAt(const Draft& draft, std::size_t i);

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
        const Candidate* const own = firstWith(candidates, &other, &Candidate::role);
        become(&other, own == nullptr || own->cue == none ? cue : own->cue);
    }
};

// What a quantity could as well be, to be asked about: two roles with which the sentence reads about as well,
// or of "200 tokens" by itself those that no other number has.
[[nodiscard]] std::vector<const Role*> openRoles(const Draft& draft, const Assigned& quantity);

// The reading of all quantities together that explains the sentence best: each role at most once.
[[nodiscard]] std::vector<Assigned> assigned(const Draft& draft);

} // namespace headroom::ask
