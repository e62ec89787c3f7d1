#pragma once

#include "model/base/units.h"
#include "model/scenario/request.h"
#include "model/serve/intake.h"
#include "model/serve/simulate.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace headroom::serve {

// A spread of times. Percentiles between two requests are interpolated linearly, as most load generators do.
struct Spread {
    std::int64_t count = 0;
    Seconds mean, p50, p75, p90, p95, p99;
    Seconds judged; // at the percentile that targets are promised for

    friend bool operator==(const Spread&, const Spread&) = default;
};
[[nodiscard]] Spread spreadOf(std::vector<double> seconds, double judged = 90);
// The p-th percentile (0 to 100) of an ascending list; 0 of an empty one.
[[nodiscard]] double percentileOf(const std::vector<double>& ascending, double p);

// Warm-up of a service that is watched: requests are measured from the first one behind the earliest tenth of
// arrivals on, and behind the first of each user who takes turns. Rates count measured requests from the
// first of their arrivals to the last of their ends.
constexpr double warmUpShare = 0.1;

// What lies between the scheduler and the one who waits.
struct Surroundings {
    Intake intake;               // by the engine: part of both views
    double besideFirst = 0;      // tokens that the piece of the answer shows which shows the first
    Seconds network;             // there and back: the client's view only, as is
    Seconds perPromptToken;      // tokenising before the engine, by length
    double warmUp = warmUpShare; // of the arrivals that are not measured
    // How spread the times are is asked of TTFT, TPOT and latency alone: what a verdict needs.
    bool forVerdict = false;
};

// Times of one request as the engine sees them, from its reception on. The first token is there when the
// piece of the answer goes out that shows it.
struct RequestTimes {
    Seconds queue; // until first scheduled
    Seconds ttft;  // queue time included
    Seconds tpot;  // mean time between its tokens after the first; 0 with one token
    Seconds latency;
};
[[nodiscard]] RequestTimes timesOf(const Outcome& outcome, const Request& request, Seconds admission = {},
                                   double besideFirst = 0);
[[nodiscard]] bool meets(const RequestTimes& times, const Request& request, const Targets& targets);

struct ClassMeasures {
    std::string name;
    std::int64_t requests = 0; // measured
    Spread ttft, tpot, latency, queue;
    double attainment = 1;     // share that met all of its class's targets
    RequestsPerSecond goodput; // of those that met them
    bool promised = false;     // there are targets to meet
    double percentile = 90;    // share of requests, in per cent, for which the promise must hold
    [[nodiscard]] bool kept() const { return !promised || attainment * 100 >= percentile; }
};

// Of everything at once: tokens and requests a second until the last of the queue begins, those of running
// requests in proportion. What an offline run reaches before it drains.
struct QueuedRates {
    TokensPerSecond output;
    TokensPerSecond prompt;
    RequestsPerSecond requests;

    friend bool operator==(const QueuedRates&, const QueuedRates&) = default;
};

struct Measures {
    std::int64_t requests = 0; // of the workload
    std::int64_t finished = 0;
    std::int64_t refused = 0;
    std::int64_t measured = 0;
    bool partial = false;

    Spread ttft, tpot, interToken, latency, queue; // the engine's view
    Spread clientTtft, clientLatency;
    // Of the same requests, what the trace recorded of a real service; without requests where it did not.
    Spread recordedTtft, recordedTpot, recordedLatency;
    std::vector<ClassMeasures> classes;
    double attainment = 1;
    RequestsPerSecond goodput;
    RequestsPerSecond requestRate;
    TokensPerSecond outputRate;
    TokensPerSecond promptRate;             // cached tokens included
    std::optional<QueuedRates> whileQueued; // where somebody waits for a third of the run or more

    std::int64_t steps = 0;
    std::int64_t preemptions = 0;
    std::int64_t peakKvTokens = 0; // of the fullest replica, in allocated blocks
    double meanKvTokens = 0;       // of a replica while it is busy
    double meanBatch = 0;          // sequences in a step, weighted by its time
    double busy = 0;               // share of the simulated time in which a replica runs a step, mean of all
    double cachedShare = 0;        // of prompt tokens, found in the prefix cache
    Seconds simulated;             // from the first arrival to the last end
    Seconds warmUp;                // requests that came before are not measured
    Seconds admission;             // part of every time to the first token and latency
    Seconds gapAtWork;      // of a usual step, times the share of requests that find the engine at work
    Seconds gap;            // between two tokens, mean
    double besideFirst = 0; // tokens that are waited for with the first
};

[[nodiscard]] Measures measure(const Simulation& simulation, const Workload& workload,
                               const Surroundings& around = {});

} // namespace headroom::serve
