#include "calib/validate/engine_numbers.h"

namespace headroom {
namespace {

constexpr double milli = 1e3;
constexpr double micro = 1e6;

} // namespace

// resources/engines/README.md says why the choices end where they do.
const std::array<FittedNumber, fittedNumberCount>& fittedNumbers()
{
    static const std::array<FittedNumber, fittedNumberCount> numbers{{
        {"per_step",
         "ms",
         [](const EngineTimes& n) { return n.stepHostTime.base() * milli; },
         [](EngineTimes& n, double v) { n.stepHostTime = Seconds(v / milli); },
         {0.1, 0.2, 0.35, 0.5, 0.8, 1.2, 1.5, 2, 3, 4, 6, 8, 11, 15},
         true},
        {"per_step_and_sequence",
         "us",
         [](const EngineTimes& n) { return n.stepHostTimePerSequence.base() * micro; },
         [](EngineTimes& n, double v) { n.stepHostTimePerSequence = Seconds(v / micro); },
         {1, 2, 4, 6, 9, 13, 18, 25, 32, 42, 60, 90, 130, 200},
         true},
        {"eager_launch",
         "us",
         [](const EngineTimes& n) { return n.eagerLaunch.base() * micro; },
         [](EngineTimes& n, double v) { n.eagerLaunch = Seconds(v / micro); },
         {2, 3, 4, 6, 9, 12, 16, 20, 25, 30},
         true},
        {"expert_time",
         "",
         [](const EngineTimes& n) { return n.expertTime; },
         [](EngineTimes& n, double v) { n.expertTime = v; },
         {0.65, 0.7, 0.75, 0.8, 0.9, 1, 1.1, 1.25, 1.4, 1.6, 1.8, 2, 2.5},
         true,
         1},
        {"per_request",
         "ms",
         [](const EngineTimes& n) { return n.requestHostTime.base() * milli; },
         [](EngineTimes& n, double v) { n.requestHostTime = Seconds(v / milli); },
         {1, 2, 4, 7, 10, 15, 22, 30},
         false},
        {"admission_steps",
         "",
         [](const EngineTimes& n) { return n.admissionSteps; },
         [](EngineTimes& n, double v) { n.admissionSteps = v; },
         {0, 1, 2, 3, 5, 7, 10, 15, 20, 30},
         false},
        {"per_kernel",
         "us",
         [](const EngineTimes& n) { return n.kernelGap.base() * micro; },
         [](EngineTimes& n, double v) { n.kernelGap = Seconds(v / micro); },
         {0.5, 1, 1.5, 2, 3, 4, 6, 8, 11, 15, 20},
         true},
    }};
    return numbers;
}

bool isOfHost(const FittedNumber& number)
{
    return number.name == "per_step" || number.name == "per_step_and_sequence";
}

bool isFitted(const FittedNumber& number, const EngineTimes& build)
{
    if (number.name == "eager_launch" || number.name == "per_kernel")
        return number.value(build) > 0;
    return !isOfHost(number) || !build.sharesHost();
}

EngineTimes withHostOf(const EngineTimes& elsewhere, EngineTimes build)
{
    for (const FittedNumber& number : fittedNumbers())
        if (isOfHost(number))
            number.set(build, number.value(elsewhere));
    return build;
}

} // namespace headroom
