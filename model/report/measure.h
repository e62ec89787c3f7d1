#pragma once

#include "model/base/estimate.h"
#include "model/base/message.h"
#include "model/base/units.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace headroom {

// What a number measures: decides how it is scaled and named for people. Base units everywhere else.
enum class Measure : std::uint8_t {
    Count,   // "12.3"
    Whole,   // "70,553,706,496"
    Plain,   // a year, a version: digits as they are
    Share,   // of one: "61 %"
    Storage, // bytes
    Work,    // floating-point operations
    Time,
    Length, // tokens
    TokenRate,
    RequestRate,
    Bandwidth,
    WorkRate,
    Power,
    Energy,
    Money, // in US dollars, told in the currency of the program
    HourlyPrice,
    MillionPrice // of a million tokens
};

// Of a value that is not scaled: "bytes", "s", "tokens/s"; empty for plain numbers and shares.
[[nodiscard]] std::string_view baseUnit(Measure measure);

// "14.1 ms", "141 GB", "$8.24/h", "70,553,706,496": three digits that matter, a unit that fits.
[[nodiscard]] std::string forPeople(double base, Measure measure);

[[nodiscard]] inline std::string forPeople(Seconds time) { return forPeople(time.base(), Measure::Time); }

// The same as a message, in which the words of a unit have their own language.
[[nodiscard]] Message inUnits(double base, Measure measure);
[[nodiscard]] inline Message inUnits(Seconds time) { return inUnits(time.base(), Measure::Time); }
[[nodiscard]] Message inUnits(double value, double low, double high, Measure measure);
template <typename Q>
[[nodiscard]] Message inUnits(const Estimate<Q>& estimate, Measure measure)
{
    return inUnits(estimate.value.base(), estimate.low.base(), estimate.high.base(), measure);
}

// "12.3 %": of an error, where the tenth matters.
[[nodiscard]] std::string percent(double share);

// "21.3 ms (19.1 to 24.0 ms)"; the value alone when the interval is closed.
[[nodiscard]] std::string forPeople(double value, double low, double high, Measure measure);
template <typename Q>
[[nodiscard]] std::string forPeople(const Estimate<Q>& estimate, Measure measure)
{
    return forPeople(estimate.value.base(), estimate.low.base(), estimate.high.base(), measure);
}

} // namespace headroom
