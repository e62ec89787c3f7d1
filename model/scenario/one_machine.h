#pragma once

#include "model/base/result.h"
#include "model/scenario/scenario.h"

#include <cstddef>

namespace headroom {

// The scenario of one of its accelerators, with as many as were said of it.
[[nodiscard]] Scenario ofOneMachine(const Scenario& scenario, std::size_t which);

// A few accelerators were named: which of them is better is a part of the question.
[[nodiscard]] bool comparesAccelerators(const Scenario& scenario);

// A number for each accelerator and one for all of them at once, or more of one than of the other.
[[nodiscard]] Problems countedTwice(const Scenario& scenario);

} // namespace headroom
