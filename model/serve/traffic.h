#pragma once

#include "model/base/result.h"
#include "model/base/units.h"
#include "model/scenario/arrival_shape.h"
#include "model/scenario/length_distribution.h"
#include "model/scenario/request.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::serve {

// One kind of requests in a mix.
struct TrafficClass {
    RequestClass promised;
    double share = 1; // of the conversations, relative to the other classes
    LengthDistribution prompt = LengthDistribution::of(1024);
    LengthDistribution output = LengthDistribution::of(256);
    double systemTokens = 0;     // leading tokens of every prompt that are the same for the whole class
    double cachedShare = 0;      // leading share of every prompt that is, instead of a fixed number
    int turns = 1;               // of a conversation; each repeats all that was said and adds to it
    LengthDistribution followUp; // what a user adds in a later turn; without one, as long as the first prompt
    Seconds think;               // mean of an exponential pause before a later turn

    friend bool operator==(const TrafficClass&, const TrafficClass&) = default;
};

struct Traffic {
    ArrivalShape arrivals;
    RequestsPerSecond rate; // of requests, later turns included; open arrivals
    // n arrivals of a rate take exactly n / rate, as vLLM's and SGLang's load tools scale their gaps; else
    // they take what chance gives them.
    bool spansRate = false;
    std::int32_t users = 0; // Closed
    // Open arrivals: so many in flight at most, as load tools bound them; 0: without bound.
    std::int32_t mostInFlight = 0;
    Seconds startOver; // Closed without pauses: users begin within this; 0: in one moment, as load tools do
    std::vector<TrafficClass> classes{TrafficClass{}};
    std::int64_t requests = 2000;
    std::uint64_t seed = 1;
};

// The same traffic for the same seed, to the bit. Lengths, classes and gaps are drawn from streams of their
// own, so a different rate or shape of arrivals brings the same requests at other times.
[[nodiscard]] Result<Workload> makeWorkload(const Traffic& traffic);

} // namespace headroom::serve
