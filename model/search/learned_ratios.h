#pragma once

#include "model/search/replay_ratio.h"

#include <vector>

namespace headroom {

// How much longer than their closed form the times of replays were, and so how much longer those of others
// may be: layouts that are alike miss it alike.
class LearnedRatios {
public:
    void add(const Candidate& played);
    // Of what is like something that was played as much longer as that was; of what is like nothing, not
    // longer.
    [[nodiscard]] ReplayRatio of(const Candidate& unplayed) const;

private:
    struct Run {
        const Resolved* machine;
        Layout layout;
        double users; // in one replica
        ReplayRatio ratio;
    };
    [[nodiscard]] static double distance(const Run& run, const Candidate& c);

    std::vector<Run> m_runs;
};

} // namespace headroom
