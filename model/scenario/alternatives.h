#pragma once

#include "model/base/result.h"
#include "model/scenario/scenario.h"

#include <cstddef>
#include <vector>

namespace headroom {

// Machines of sizes of their own, layouts, or types of weights were named to be weighed.
[[nodiscard]] bool statesAlternatives(const Scenario& scenario);

// The scenario of each of them: every machine that has a number or a layout of its own, in every layout and
// with every type of weights that was named.
// What one layout names and another does not is not split there: of "TP 8 x PP 2 or TP 16" the second has one
// stage.
[[nodiscard]] std::vector<Scenario> alternativesOf(const Scenario& scenario);

// The same scenario, of whichever of them is asked otherwise.
void forgetAlternatives(Scenario& scenario);

// All that was named to be weighed, as `asked` has it, in place of the one that `scenario` is of.
void takeAlternatives(Scenario& scenario, const Scenario& asked);

// The scenario of one of its accelerators, with as many as were said of it.
[[nodiscard]] Scenario ofOneMachine(const Scenario& scenario, std::size_t which);

// A few accelerators were named: which of them is better is a part of the question.
[[nodiscard]] bool comparesAccelerators(const Scenario& scenario);

// A number for each accelerator and one for all of them at once, or more of one than of the other; and so of
// boxes and layouts.
[[nodiscard]] Problems statedTwice(const Scenario& scenario);

} // namespace headroom
