#pragma once

#include "app/probe/level.h"

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace headroom::probe {

// What kept a probe from finding that more users are served.
enum class LimitedBy : std::uint8_t {
    Targets,     // the server misses them above
    MostAsked,   // nothing: no more were to be tried
    Failures,    // the server does not answer any more
    ClientFiles, // the machine that asks has no more file descriptors or ports
    ClientBusy,  // it has no more processor time
    Interrupted,
};
// "client-files"
[[nodiscard]] std::string_view limitName(LimitedBy limit);
[[nodiscard]] bool isClients(LimitedBy limit);

struct ProbeReport {
    std::vector<ProbeLevel> levels; // in the order they ran
    int highest = 0;                // concurrency that met the targets; 0: none did
    // Between these, 95 % sure, the most users lie; empty where what was tried cannot say.
    std::optional<int> highestLow, highestHigh;
    LimitedBy limitedBy = LimitedBy::Targets;

    [[nodiscard]] bool partial() const { return limitedBy == LimitedBy::Interrupted; }
};

// Where a probe asks for the counters of the server and tells how it goes.
struct ProbeHooks {
    std::function<std::optional<ServerCounters>()> counters;
    std::function<void(const ProbeLevel&)> onLevel;
    StopAsked stop;
};

// One level.
[[nodiscard]] ProbeReport probeAt(Transport& transport, const ProbePlan& plan, const Load& load,
                                  const ProbeHooks& hooks);

// Doubles the users from one until a level misses its targets (or `most` is reached), then closes in on the
// highest that meets them, to an eighth: the next run of the same load differs by as much.
[[nodiscard]] ProbeReport probeUpTo(Transport& transport, const ProbePlan& plan, int most,
                                    const ProbeHooks& hooks);

} // namespace headroom::probe
