#pragma once

#include "app/probe/plan.h"
#include "app/probe/server_metrics.h"
#include "model/serve/confidence.h"
#include "model/serve/measures.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::probe {

// Why a level came to its end.
enum class LevelEnd : std::uint8_t {
    Complete,
    EqualFailures, // so many of one name in a row that the next would be another
    Deadline,
    Interrupted,
    ClientLimit, // the machine that asks could not hold it
};
// "equal-failures"
[[nodiscard]] std::string_view levelEndName(LevelEnd end);

// Between these, 95 % sure, the true percentile lies; empty where so few requests cannot say.
struct Bounds {
    std::optional<double> low, high;
};
// Percentiles of one time, with what the number of requests makes of them.
struct TimeSpread {
    serve::Spread spread;
    Bounds p50, p90, p99;
};

struct FailureCount {
    std::string name;
    int count = 0;
    Message example; // the first one's sentence
};

// What one level of load showed.
struct ProbeLevel {
    int concurrency = 1;  // of an open loop the most that were in flight
    double rateAsked = 0; // open loop
    LevelEnd end = LevelEnd::Complete;
    int requests = 0; // measured, and all that failed
    int failed = 0;
    int warmUp = 0;                     // requests before the window, not measured
    std::vector<FailureCount> failures; // the most frequent first
    double seconds = 0;                 // the steady window
    TimeSpread ttft, tpot, latency;
    double outputTokensPerSecond = 0;
    double requestsPerSecond = 0;
    double meanPromptTokens = 0; // as the server counts them
    double meanOutputTokens = 0;
    std::array<int, 3> countedBy{}; // answers by CountedBy
    double attainment = 1;          // share of requests that met all targets; a failed one met none
    serve::ShareInterval attainmentRange;
    bool meets = true;
    bool settled = false;   // as many requests as it takes, or as are worth it
    double clientShare = 0; // of one processor, spent by the probe
    double clientLag = 0;   // s, within which nearly all events were noticed
    bool clientBusy = false;
    std::optional<ServerCounters> server; // what its counters say of these minutes

    [[nodiscard]] const FailureCount* commonestFailure() const
    {
        return failures.empty() ? nullptr : &failures.front();
    }
};

// What to do when the requests so far do not decide whether the targets are met: stop (No), send more only
// where the targets look missed (Misses), or send more in either case (Both).
enum class Settle : std::uint8_t { No, Misses, Both };

// Holds the load, measures the requests of the steady window, and ends by itself.
[[nodiscard]] ProbeLevel runLevel(Transport& transport, const ProbePlan& plan, const Load& load,
                                  Settle settle, const StopAsked& stop = {});

} // namespace headroom::probe
