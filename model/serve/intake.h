#pragma once

#include "model/base/units.h"

namespace headroom::serve {

// What happens to a request before its prompt is in a step.
struct Intake {
    Seconds host; // accepting it: on top of every latency, and who asks again asks so much later
    // The engine's steps that pass before a new request is in one: simulated. Nobody waits for steps of an
    // idle engine.
    double steps = 0;
    // Until a prompt that another pool computed is among those who decode, in times between two tokens: on
    // top of every latency as `host` is.
    double handOverSteps = 0;

    friend bool operator==(const Intake&, const Intake&) = default;
};

} // namespace headroom::serve
