#include "model/report/measure.h"

#include "model/base/currency.h"
#include "model/base/figure_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <span>
#include <string_view>

namespace headroom {

namespace {

struct Step {
    double unit;
    std::string_view name;
};
constexpr std::array byteSteps{Step{1, "B"}, Step{1e3, "KB"}, Step{1e6, "MB"}, Step{1e9, "GB"},
                               Step{1e12, "TB"}};
constexpr std::array flopSteps{Step{1, "FLOP"}, Step{1e6, "MFLOP"}, Step{1e9, "GFLOP"}, Step{1e12, "TFLOP"},
                               Step{1e15, "PFLOP"}};
constexpr std::array secondSteps{Step{1e-9, "ns"}, Step{1e-6, "µs"}, Step{1e-3, "ms"},
                                 Step{1, "s"},     Step{60, "min"},  Step{3600, "h"}};
constexpr std::array byteRateSteps{Step{1, "B/s"}, Step{1e6, "MB/s"}, Step{1e9, "GB/s"}, Step{1e12, "TB/s"}};
constexpr std::array flopRateSteps{Step{1, "FLOP/s"}, Step{1e9, "GFLOP/s"}, Step{1e12, "TFLOP/s"},
                                   Step{1e15, "PFLOP/s"}};
constexpr std::array wattSteps{Step{1, "W"}, Step{1e3, "kW"}, Step{1e6, "MW"}};
constexpr std::array jouleSteps{Step{1e-3, "mJ"}, Step{1, "J"}, Step{1e3, "kJ"}};

// Three digits that matter; whole thousands in groups.
std::string groupedThreeDigits(double value)
{
    if (!std::isfinite(value))
        return "unknown";
    const double size = std::abs(value);
    if (size >= 999.5)
        return groupedDigits(std::round(value));
    if (size == 0)
        return "0";
    // Half a unit of the third digit more, so that 0.9999 counts as 1.00 and not as 1.000.
    const int before = static_cast<int>(std::floor(std::log10(size * 1.0005))) + 1;
    return fmt::format("{:.{}f}", value, std::clamp(3 - before, 0, 6));
}

// The largest unit of which there is at least one.
const Step& stepFor(double base, std::span<const Step> steps)
{
    const Step* best = &steps.front();
    for (const Step& step : steps)
        if (std::abs(base) >= step.unit * 0.9995)
            best = &step;
    if (base == 0)
        for (const Step& step : steps)
            if (step.unit == 1)
                best = &step;
    return *best;
}

std::span<const Step> stepsOf(Measure measure)
{
    switch (measure) {
    case Measure::Storage:
        return byteSteps;
    case Measure::Work:
        return flopSteps;
    case Measure::Time:
        return secondSteps;
    case Measure::Bandwidth:
        return byteRateSteps;
    case Measure::WorkRate:
        return flopRateSteps;
    case Measure::Power:
        return wattSteps;
    case Measure::Energy:
        return jouleSteps;
    default:
        return {};
    }
}

// The words around digits.
Message withUnit(const std::string& digits, Measure measure)
{
    switch (measure) {
    case Measure::Length:
        return say("{} tokens", digits);
    case Measure::TokenRate:
        return say("{} tokens/s", digits);
    case Measure::RequestRate:
        return say("{} requests/s", digits);
    case Measure::Share:
        return say("{} %", digits);
    case Measure::Money:
    case Measure::MillionPrice:
        return asIs(fmt::format("{}{}", toldCurrency().sign, digits));
    case Measure::HourlyPrice:
        return say("{}{}/h", asIs(toldCurrency().sign), digits);
    default:
        return asIs(digits);
    }
}

// "0.45" of a price that is stated so; "0.245" of one that was worked out.
bool isWholeCents(double amount)
{
    constexpr double same = 1e-9;
    return std::abs(amount * 100 - std::round(amount * 100)) < same;
}

// An amount has cents, of the currency it is told in; a share is in hundredths.
std::string digitsOf(double base, Measure measure)
{
    switch (measure) {
    case Measure::Plain:
        return fmt::format("{}", base);
    case Measure::Whole:
        return groupedDigits(std::round(base));
    case Measure::Length:
        return std::abs(base) >= 100 ? groupedDigits(std::round(base)) : groupedThreeDigits(base);
    case Measure::Share:
        return groupedThreeDigits(base * 100);
    case Measure::Money:
    case Measure::HourlyPrice:
    case Measure::MillionPrice:
        base *= toldCurrency().perDollar;
        if (base == 0 || std::abs(base) >= 999.995 || (std::abs(base) < 0.995 && !isWholeCents(base)))
            return groupedThreeDigits(base);
        return fmt::format("{:.2f}", base);
    default:
        return groupedThreeDigits(base);
    }
}

} // namespace

std::string percent(double share) { return fmt::format("{:.1f} %", share * 100); }

std::string_view baseUnit(Measure measure)
{
    switch (measure) {
    case Measure::Count:
    case Measure::Whole:
    case Measure::Plain:
    case Measure::Share:
        return {};
    case Measure::Storage:
        return "bytes";
    case Measure::Work:
        return "FLOP";
    case Measure::Time:
        return "s";
    case Measure::Length:
        return "tokens";
    case Measure::TokenRate:
        return "tokens/s";
    case Measure::RequestRate:
        return "requests/s";
    case Measure::Bandwidth:
        return "bytes/s";
    case Measure::WorkRate:
        return "FLOP/s";
    case Measure::Power:
        return "W";
    case Measure::Energy:
        return "J";
    case Measure::Money:
        return "USD";
    case Measure::HourlyPrice:
        return "USD/h";
    case Measure::MillionPrice:
        return "USD per million tokens";
    }
    return {};
}

Message inUnits(double base, Measure measure)
{
    if (!std::isfinite(base))
        return "unknown";
    if (const std::span<const Step> steps = stepsOf(measure); !steps.empty()) {
        const Step& step = stepFor(base, steps);
        return asIs(fmt::format("{} {}", groupedThreeDigits(base / step.unit), step.name));
    }
    return withUnit(digitsOf(base, measure), measure);
}

Message inUnits(double value, double low, double high, Measure measure)
{
    if (!(low < high))
        return inUnits(value, measure);
    if (const std::span<const Step> steps = stepsOf(measure); !steps.empty()) {
        const Step& step = stepFor(value, steps);
        return say("{} ({} to {})",
                   asIs(fmt::format("{} {}", groupedThreeDigits(value / step.unit), step.name)),
                   groupedThreeDigits(low / step.unit), groupedThreeDigits(high / step.unit));
    }
    return say("{} ({} to {})", inUnits(value, measure), digitsOf(low, measure), digitsOf(high, measure));
}

std::string forPeople(double base, Measure measure) { return inUnits(base, measure).english(); }

std::string forPeople(double value, double low, double high, Measure measure)
{
    return inUnits(value, low, high, measure).english();
}

} // namespace headroom
