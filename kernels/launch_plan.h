#pragma once

#include "model/base/units.h"

namespace headroom::kernels {

// How launches of one task are laid out in replays of a recorded graph.
struct LaunchPlan {
    int each = 1; // launches in the graph; 1: no graph, the host starts it
    int replays = 1;
    bool emptied
        = false; // caches are emptied before each replay: what it reads was left there by the last one

    [[nodiscard]] int launches() const { return each * replays; }
    friend bool operator==(const LaunchPlan&, const LaunchPlan&) = default;
};

struct LaunchRequest {
    int launches = 1; // so many at least
    int copies = 1;   // sets of operands there are
    Bytes set;        // what one of them takes
    Bytes cold; // what lies between two uses of operands that shall come from memory; 0: they may be in cache
    int recorded = 0; // launches in the graph that is recorded already; 0: none is
};

// A graph holds as many launches as were asked for: what lasts long is run once, not a fixed number of times.
// A graph that is there already is used again while it is neither longer than asked for nor many times
// shorter.
[[nodiscard]] LaunchPlan planLaunches(const LaunchRequest& request);

// Sets of operands that a task is given: as many as keep caches cold, in so much memory.
[[nodiscard]] int copiesFor(Bytes set, Bytes cold, Bytes memory);

} // namespace headroom::kernels
