#include "calib/measure/timed_point.h"

#include <cmath>

namespace headroom {

TimedPoint timedPoint(const TimingPolicy& policy, const TimeLeft& left,
                      const std::function<Seconds(int launches)>& stretch)
{
    // The first run touches all operands for the first time; the second tells how long one takes.
    (void)stretch(1);
    const Seconds once = stretch(1);
    const int launches = launchesFor(policy, once);
    TimingPolicy own = policy;
    own.replays = replaysFor(policy, once * double(launches));
    const Seconds round = once * double(launches) * double(own.replays);
    if (round > left())
        return {.timing = std::nullopt, .needed = round};
    StoppingRule rule(own);
    do {
        const Seconds perLaunch = stretch(launches);
        if (!(perLaunch.base() > 0) || !std::isfinite(perLaunch.base()))
            return {.timing = Timing{.perLaunch = perLaunch,
                                     .lnSpread = 0,
                                     .rounds = 1,
                                     .launches = launches,
                                     .noisy = true},
                    .needed = {}};
        rule.add(perLaunch);
        if (left().base() <= 0 && !rule.enough()) {
            if (rule.stretches() < policy.fewest)
                return {.timing = std::nullopt, .needed = round};
            break;
        }
    } while (!rule.enough());
    return {.timing = rule.timing(launches), .needed = {}};
}

} // namespace headroom
