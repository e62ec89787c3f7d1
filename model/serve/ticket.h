#pragma once

#include "model/base/units.h"

#include <cstdint>

namespace headroom::serve {

// A request in front of a replica: new, or preempted with what it has generated so far.
struct Ticket {
    enum class State : std::uint8_t { New, Recompute, Swapped, Transferred };
    std::int32_t request = -1;
    std::int32_t generated = 0;
    State state = State::New;
    Seconds lastToken;     // when `generated` > 0
    double speculated = 0; // as in Sequence
    double forced = 0;
    std::int32_t appended = 0;
};

} // namespace headroom::serve
