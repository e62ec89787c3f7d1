#pragma once

#include "model/base/units.h"

#include <vector>

namespace headroom {

// How a point is timed and when it is enough (docs/executor.md).
struct TimingPolicy {
    Seconds stretch{2e-3};  // one measured stretch lasts at least so long: clocks resolve half a microsecond
    Seconds sustained{0.2}; // the same for the machine's matrix rates: short bursts run at higher clocks
    int replays = 7;        // stretches of a round; the first of all, which warms up, is not one of them
    int fewest = 3;         // stretches that are a figure at all
    // A round has no more stretches than fit into so long, but the fewest; zero: as many as it has. A power
    // limit pulls the clocks of a card down that works for longer.
    Seconds longestRound;
    int mostRounds = 3;
    double accepted
        = 0.015; // spread of the stretches, relative to their median, below which one round is enough
    // Share of the stretches that counts, fastest first. Half on a processor: whatever else runs there only
    // ever adds time.
    double kept = 1;
};

// What a point's stretches say together.
struct Timing {
    Seconds perLaunch;   // median of the stretches that count
    double lnSpread = 0; // their 1.4826 MAD over the median: the standard deviation where errors are normal
    int rounds = 0;
    int launches = 0; // in one stretch
    bool noisy = false;

    friend bool operator==(const Timing&, const Timing&) = default;
};

// Takes the stretches of one point and says when to stop: after a round that agrees with itself, or after the
// last one, with a mark.
class StoppingRule {
public:
    explicit StoppingRule(const TimingPolicy& policy) : m_policy(policy) {}

    void add(Seconds perLaunch) { m_stretches.push_back(perLaunch.base()); }
    [[nodiscard]] int stretches() const { return static_cast<int>(m_stretches.size()); }
    [[nodiscard]] bool enough() const;
    [[nodiscard]] Timing timing(int launches) const;

private:
    [[nodiscard]] std::vector<double> kept() const;
    [[nodiscard]] double spread() const;

    TimingPolicy m_policy;
    std::vector<double> m_stretches;
};

// How many stretches of that length make a round.
[[nodiscard]] int replaysFor(const TimingPolicy& policy, Seconds stretch);

// How many launches make a stretch of the policy's length when one takes `once`.
[[nodiscard]] int launchesFor(const TimingPolicy& policy, Seconds once);

[[nodiscard]] double medianOf(std::vector<double> values); // of at least one

} // namespace headroom
