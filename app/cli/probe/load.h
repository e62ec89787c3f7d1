#pragma once

#include "app/cli/probe/http.h"
#include "model/plan/length_distribution.h"
#include "model/plan/scenario.h"
#include "model/serve/measures.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace headroom::cli {

// One request as its sender saw it.
struct ProbeCall {
    std::string failure; // empty: answered
    double ttft = 0;
    double tpot = 0; // 0 with one token
    double latency = 0;
    double promptTokens = 0; // as the server counts them; 0 where it does not
    double outputTokens = 0; // as the server counts them, else events with text
    bool counted = false;    // by the server
};

// A closed loop of so many users, each asking again when answered.
struct ProbeLevel {
    int concurrency = 1;
    int requests = 0;
    int failed = 0;
    std::string firstFailure;
    double seconds = 0; // from the first request to the last answer
    serve::Spread ttft, tpot, latency;
    double outputTokensPerSecond = 0;
    double requestsPerSecond = 0;
    double meanPromptTokens = 0;
    double meanOutputTokens = 0;
    bool countedByServer = true;
    double attainment = 1; // share of requests that met all targets; a failed one met none
    bool meets = true;
};

struct ProbePlan {
    Url url;
    std::string header; // further lines, such as an authorization
    std::string model;
    LengthDistribution prompt = LengthDistribution::of(1024);
    LengthDistribution output = LengthDistribution::of(256);
    Targets targets;
    int requests = 0; // of a level; 0: four for each user, sixteen at least
    std::uint64_t seed = 1;
};

// The id of the only or first model that the server serves.
[[nodiscard]] Result<std::string> servedModel(const Url& url, const std::string& header);

[[nodiscard]] ProbeLevel probeLevel(const ProbePlan& plan, int concurrency);

struct ProbeReport {
    std::vector<ProbeLevel> levels; // in the order they ran
    int highest = 0;                // concurrency that met the targets; 0: none did
};
// Doubles the users from one until a level misses its targets (or `most` is reached), then closes in on the
// highest that meets them. `onLevel` hears of each level as it ends.
[[nodiscard]] ProbeReport probeUpTo(const ProbePlan& plan, int most,
                                    const std::function<void(const ProbeLevel&)>& onLevel);

} // namespace headroom::cli
