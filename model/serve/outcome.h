#pragma once

#include "model/base/units.h"

#include <cstdint>

namespace headroom::serve {

// What happened to one request, by the engine's clock.
struct Outcome {
    enum class State : std::uint8_t {
        Unfinished, // cancelled before its end
        Done,
        Refused // longer than the cache could ever hold
    };
    Seconds arrival;
    Seconds start; // first scheduled; the time before is its queue time
    Seconds firstToken;
    Seconds end;
    std::int32_t cachedTokens = 0; // of the prompt, found in the prefix cache when it was first scheduled
    std::int32_t preemptions = 0;
    std::int16_t replica = -1; // of the pool that generated its answer
    State state = State::Unfinished;

    friend bool operator==(const Outcome&, const Outcome&) = default;
};

} // namespace headroom::serve
