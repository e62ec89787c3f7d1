#pragma once

#include "model/base/result.h"
#include "model/base/units.h"

#include <cstdint>
#include <string_view>

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

    // Of the gaps between arrivals, standard deviation over mean.
    [[nodiscard]] double gapVariation() const
    {
        const bool varies = kind == Kind::Gamma || kind == Kind::Weibull;
        return varies ? variation : kind == Kind::Poisson ? 1 : 0;
    }

    friend bool operator==(const ArrivalShape&, const ArrivalShape&) = default;
};

// The only reader of the key `traffic`: "poisson", "constant", "gamma:cv=2", "weibull:cv=3",
// "weibull:shape=0.5", "gamma:shape=0.7", "at-once", "closed", "closed:think=20"; the open ones also with
// ",peak=2.5,hour=14" for a day of traffic. Refused are unknown words, settings said twice and numbers that
// are none. The problem's `where` is the caller's.
[[nodiscard]] Result<ArrivalShape> arrivalsFromText(std::string_view text);

} // namespace headroom::serve
