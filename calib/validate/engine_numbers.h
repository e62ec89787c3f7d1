#pragma once

#include "model/catalogue/engine.h"

#include <array>
#include <string_view>
#include <vector>

namespace headroom {

// What an engine costs beside its kernels, and which no engine publishes: fitted to published runs.
struct EngineNumbers {
    Seconds perStep;            // host time of a step, whatever the batch
    Seconds perStepAndSequence; // and for each sequence of it
    Seconds perRequest;         // admission, the first answer's way back
    double admissionSteps = 0;  // steps that pass before a new request is looked at
    Seconds eagerLaunch;        // of one kernel where no graph holds it; zero: the calibration's
    double expertTime = 1;      // of its expert layers, in that of the kernels that were timed for it

    friend bool operator==(const EngineNumbers&, const EngineNumbers&) = default;
};

[[nodiscard]] EngineNumbers numbersOf(const Engine& engine);
[[nodiscard]] Engine withNumbers(const Engine& engine, const EngineNumbers& numbers);

// One of the numbers with the values that a fit may choose: its plausible range in steps no finer than runs
// can tell apart.
struct FittedNumber {
    std::string_view name; // as in the engine's file
    std::string_view unit;
    double (*value)(const EngineNumbers&);
    void (*set)(EngineNumbers&, double);
    std::vector<double> choices; // in the unit, ascending
    bool inSteps;                // changes the length of steps, so that a run must be replayed
};
[[nodiscard]] const std::array<FittedNumber, 6>& fittedNumbers();

} // namespace headroom
