#pragma once

#include "model/base/estimate.h"
#include "model/base/units.h"

#include <QString>

namespace headroom::app {

// Quantities as people read them, in the language's own digits and marks: "64.2 GB", "12.4 ms", "31 tok/s",
// "$4.20".

// What was computed has three digits, zeros among them ("24.0"); what somebody said is as short as he said it
// ("20").
enum class Zeros { Kept, Dropped };
[[nodiscard]] QString figureText(double value, Zeros zeros = Zeros::Kept);
[[nodiscard]] QString numberText(double value, int digits = 3); // without zeros at its end
[[nodiscard]] QString wholeText(double value);
[[nodiscard]] QString percentText(double share,
                                  Zeros zeros
                                  = Zeros::Dropped); // never all of it, nor nothing, by rounding: "> 99 %"
[[nodiscard]] QString probabilityText(double probability); // of a prediction: neither certain nor impossible
[[nodiscard]] QString text(Bytes bytes);
[[nodiscard]] QString text(Seconds seconds, Zeros zeros = Zeros::Kept);
[[nodiscard]] QString text(Flops flops);
[[nodiscard]] QString text(TokensPerSecond rate, Zeros zeros = Zeros::Kept);
[[nodiscard]] QString text(RequestsPerSecond rate, Zeros zeros = Zeros::Kept);
[[nodiscard]] QString text(BytesPerSecond rate);
[[nodiscard]] QString text(FlopsPerSecond rate);
[[nodiscard]] QString text(Watts power);
// Amounts are told in the currency of the program.
[[nodiscard]] QString text(Dollars money);
[[nodiscard]] double toldAmount(Dollars money); // of an axis
[[nodiscard]] QString amountUnit();             // "$"
[[nodiscard]] QString hourlyUnit();             // "$/h"
[[nodiscard]] QString text(Joules energy);
[[nodiscard]] QString perHourText(DollarsPerSecond rate);
[[nodiscard]] QString parametersText(double parameters); // "70.6B"

// "27 – 35 tok/s" of "27 tok/s" and "35 tok/s": a unit is said once.
[[nodiscard]] QString spanText(const QString& low, const QString& high);
// "31 tok/s (27 – 35)"
[[nodiscard]] QString spanText(const QString& value, const QString& low, const QString& high);

// "27 – 35 tok/s": the 10th to 90th percentile; empty when exact.
template <typename Q>
[[nodiscard]] QString rangeText(const Estimate<Q>& estimate)
{
    return estimate.high > estimate.low ? spanText(text(estimate.low), text(estimate.high)) : QString();
}

[[nodiscard]] QString sourceText(Source source);
[[nodiscard]] QString confidenceText(double probability); // "83 % sure"

} // namespace headroom::app
