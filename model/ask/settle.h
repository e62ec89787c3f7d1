#pragma once

#include "model/ask/search.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace headroom::ask {

// What the search found, by role; and what several parts of the settling need to know of each other.
struct Settled {
    std::vector<Assigned> quantities;
    // Of ranges that were said the easier end, by the key of the scenario.
    std::vector<std::pair<std::string_view, double>> easier;
    std::size_t weights = none; // the type that the weights were said to have
    std::size_t kv = none;
    std::optional<Assigned> rate; // of requests: "rate" among the roles
    // Of the rules: numbers that they named ("kind", "objective": that it was said), where they stand and
    // those that were taken, and why a note says so.
    std::map<std::string_view, double> known;
    std::map<std::string_view, Place> places;
    std::string why;
    std::vector<std::string> others; // what it could have meant too

    // The one with a role, and the one of a number; null where there is none.
    [[nodiscard]] const Assigned* find(std::string_view role) const;
    [[nodiscard]] Assigned* find(std::string_view role);
    [[nodiscard]] const Assigned* ofNumber(std::size_t item) const;
};

// Marks the quantity, the word that led to its role, those between and those that its row reads with it as
// read, and says where they stand.
Place takeQuantity(Draft& draft, const Assigned& quantity);

// False, and a problem, where the row of the role says that a bound makes no sense ("TTFT at least 2 s"); and
// what its row says of a value that is none.
bool isBoundRight(Draft& draft, const Assigned& quantity, const Place& place, const std::string& text);
void refuseValue(Draft& draft, const Role& role, const Place& place, const std::string& text);

// "15 to 20": which of them is planned for; nothing where there is one.
[[nodiscard]] std::string endOfRange(const Draft& draft, const Span& span, double value);

// A quantity that could be either: both as ready questions.
void askBetween(Draft& draft, const Span& span, const Role& one, const Role& other);

// Two names where a scenario has one: both as ready questions.
void askWhichOf(Draft& draft, std::size_t one, std::size_t other, std::string_view what);

// What the plan is to be best in, by the key of the objective.
void aimAt(Draft& draft, Settled& settled, std::string_view objective, Place place);

void settleMachines(Draft& draft, Settled& settled);
void settleApart(Draft& draft, Settled& settled);
void settlePeople(Draft& draft, Settled& settled);
// "H100 at $2.1/hr, H200 at $2.9/hr", "$2.9 on demand, $2.1 reserved": of one price alone a plan is made.
void refuseSeveralPrices(Draft& draft, Settled& settled);
// The published rate of a currency, or the user's own where amounts are told in it.
[[nodiscard]] Currency atRateTold(const Currency& published);
// The currency of an amount that is none of dollars: at the rate that amounts are told at, or the published
// one.
[[nodiscard]] std::optional<Currency> currencyOf(const Draft& draft, const Assigned& quantity);
[[nodiscard]] double dollarsOf(const Draft& draft, const Assigned& quantity);
// "$2.475", "$100,000", "18 元（1 美元合 7.2734 元，即 2.475 美元）".
[[nodiscard]] std::string amountText(const Draft& draft, const Assigned& quantity, double dollars);
[[nodiscard]] double roundedTo(double amount, int significant);
// Of a role that is a key of the scenario: the key, as its row says, and where it was read.
Place setKey(Draft& draft, Settled& settled, const Assigned& quantity);
void tellUnused(Draft& draft, const Assigned& quantity); // a role without a key
void settleKeys(Draft& draft, Settled& settled);         // all that nothing has read yet
void settleTypes(Draft& draft, Settled& settled);        // how weights and caches are stored
// A type of weights or of caches, and those that stand at a place as ones that a search may try.
void setType(Draft& draft, Settled& settled, std::size_t word, const Place& place, bool ofWeights, bool ofKv);
void allowTypes(Draft& draft, Settled& settled, std::size_t word, const Place& place, bool ofWeights,
                bool ofKv);
// "200 tokens" by itself: what it could be, of what no other number says.
[[nodiscard]] std::vector<const Role*> openRoles(const Draft& draft, const Settled& settled,
                                                 const Span& span);
void tellAbsent(Draft& draft, std::size_t first, std::size_t last); // a name that the catalogue lacks
[[nodiscard]] std::string hintFor(const Draft& draft, const std::string& text);
void settleLeftovers(Draft& draft, Settled& settled);

} // namespace headroom::ask
