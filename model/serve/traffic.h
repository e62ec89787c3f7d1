#pragma once

#include "model/plan/length_distribution.h"
#include "model/result.h"
#include "model/serve/request.h"
#include "model/units.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::serve {

// How arrivals follow one another. The open ones are renewal processes: independent gaps of one law, told
// apart by their coefficient of variation (0 constant, 1 Poisson, above 1 bursts).
struct ArrivalShape {
    enum class Kind : std::uint8_t { Poisson, Constant, Gamma, Weibull, AtOnce, Closed };
    Kind kind = Kind::Poisson;
    double variation = 1; // Gamma and Weibull: standard deviation of a gap over its mean
    Seconds think;        // Closed: mean of an exponential pause before a user's next request
    double peak = 1;      // busiest moment of the day over the day's mean; 1: no daily shape
    double peakHour = 14; // when that is; the simulated time starts at midnight

    friend bool operator==(const ArrivalShape&, const ArrivalShape&) = default;
};

// "poisson", "constant", "gamma:cv=2", "weibull:cv=3", "weibull:shape=0.5", "at-once", "closed",
// "closed:think=20"; the open ones also with ",peak=2.5,hour=14" for a day of traffic. The problem's `where`
// is the caller's.
[[nodiscard]] Result<ArrivalShape> arrivalsFromText(std::string_view text);

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
    std::int32_t users = 0; // Closed
    Seconds startOver; // Closed without pauses: users begin within this; 0: in one moment, as load tools do
    std::vector<TrafficClass> classes{TrafficClass{}};
    std::int64_t requests = 2000;
    std::uint64_t seed = 1;
};

// The same traffic for the same seed, to the bit. Lengths, classes and gaps are drawn from streams of their
// own, so a different rate or shape of arrivals brings the same requests at other times.
[[nodiscard]] Result<Workload> makeWorkload(const Traffic& traffic);

} // namespace headroom::serve
