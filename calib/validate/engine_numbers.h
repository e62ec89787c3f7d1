#pragma once

#include "model/catalogue/engine.h"

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace headroom {

// One of the numbers with the values that a fit may choose: its plausible range in steps no finer than runs
// can tell apart.
struct FittedNumber {
    std::string_view name; // as in the engine's file
    std::string_view unit;
    double (*value)(const EngineTimes&);
    void (*set)(EngineTimes&, double);
    std::vector<double> choices; // in the unit, ascending
    bool inSteps;                // changes the length of steps, so that a run must be replayed
    // What it is where no run tells it: one, for a ratio to kernels that were timed.
    std::optional<double> unknown{};
};
constexpr std::size_t fittedNumberCount = 7;
[[nodiscard]] const std::array<FittedNumber, fittedNumberCount>& fittedNumbers();

// Whether a build's runs are asked for this number. What a kernel or a launch takes is, where its file has
// one. A build that shares the host of the engine elsewhere takes that host's times: runs of one model cannot
// tell a host from kernels, and a host's step is the same whichever card waits for it.
[[nodiscard]] bool isFitted(const FittedNumber& number, const EngineTimes& build);
// Of the times of a step, those of the host.
[[nodiscard]] bool isOfHost(const FittedNumber& number);
// The build's own times with the host of the engine elsewhere.
[[nodiscard]] EngineTimes withHostOf(const EngineTimes& elsewhere, EngineTimes build);

} // namespace headroom
