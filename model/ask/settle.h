#pragma once

#include "model/ask/draft.h"
#include "model/ask/rules.h"

#include <string>
#include <string_view>
#include <vector>

namespace headroom::ask {

// Marks the quantity, the word that led to its role, those between and those that its row reads with it as
// read, and says where they stand.
Place takeQuantity(Draft& draft, const Assigned& quantity);

// False, and a problem, where the row of the role says that a bound makes no sense ("TTFT at least 2 s"); and
// what its row says of a value that is none.
bool isBoundRight(Draft& draft, const Assigned& quantity, const Place& place, const std::string& text);
void refuseValue(Draft& draft, const Role& role, const Place& place, const std::string& text);

// A quantity that could be either: both as ready questions.
void askBetween(Draft& draft, const Span& span, const Role& one, const Role& other);

// Two names where a scenario has one: both as ready questions.
void askWhichOf(Draft& draft, std::size_t one, std::size_t other, std::string_view what);

void settleApart(Draft& draft);
// A currency at its published rate, or at the user's own where amounts are told in it.
[[nodiscard]] Currency atRateTold(bool euro);
[[nodiscard]] double dollarsOf(const Draft& draft, const Assigned& quantity);
// Of a role that is a key of the scenario: the key, as its row says, and where it was read.
Place setKey(Draft& draft, const Assigned& quantity);
void tellUnused(Draft& draft, const Assigned& quantity); // a role without a key
void tellAbsent(Draft& draft, Place place);              // a name that the catalogue lacks
[[nodiscard]] std::string hintFor(const Draft& draft, const std::string& text); // what it was meant to be
// A number whose role was given to another one: the same once more, or one too many.
void tellAgain(Draft& draft, Assigned own);
// A name of the catalogue, as the question says it.
void takeName(Draft& draft, std::size_t word);
// What the numbers of accelerators come to: one machine, or several of which one is chosen.
void chooseMachines(Draft& draft);
// "TP8 PP2 or TP16": layouts that are to be weighed; false where no list of them begins with this word.
bool readLayouts(Draft& draft, std::size_t word);
// "TP4 on 4 H100 or TP2 on 2 H200": each in its own, once the machines are known.
void settleOwnLayouts(Draft& draft);
// "TP or PP on 2 boxes of 8": all cards share each layer, or only those of a box; in one box each has its
// own.
void weighSplits(Draft& draft, Place place);
// The accelerator that a number is of: the one beside it, or the only one there is; empty where there is
// none.
[[nodiscard]] std::string gpuOf(const Draft& draft, const Span& span);
// The accelerators of the maker that a word names, as its note spells it.
[[nodiscard]] std::vector<std::string> gpusOf(const Draft& draft, std::size_t vendor);
// All of the maker that a word names, where no accelerator is named; `too`: beside those that are.
void addMaker(Draft& draft, std::size_t vendor, Place place, bool too);
// What a word names, an accelerator or a maker, is none of those that are named, or else of these makers.
void leaveOut(Draft& draft, std::size_t word, Place place, const std::vector<std::string_view>& makers);

} // namespace headroom::ask
