#pragma once

#include "app/probe/call.h"
#include "app/probe/prompts.h"
#include "model/scenario/length_distribution.h"
#include "model/scenario/scenario.h"
#include "model/serve/traffic.h"

#include <cstdint>
#include <functional>
#include <string>

namespace headroom::probe {

// What a server is asked, at every level alike.
struct ProbePlan {
    std::string model; // the server's name for it
    LengthDistribution prompt = LengthDistribution::of(1024);
    LengthDistribution output = LengthDistribution::of(256);
    PromptWriter prompts;
    Targets targets;
    int requests = 0; // measured at a level; 0: four for each user, sixteen at least, more where that decides
                      // nothing
    std::uint64_t seed = 1;
    serve::ArrivalShape arrivals; // of an open loop
    int mostInFlight = 4096;      // of an open loop
    Deadlines deadlines;
    Secrets secrets;
};

// Whether somebody wants it to end; empty: nobody can.
using StopAsked = std::function<bool()>;

// One level of load: users that each ask again when answered, or requests that arrive on their own.
struct Load {
    int users = 1;
    double requestsPerSecond = 0; // open loop; 0: closed
};

} // namespace headroom::probe
