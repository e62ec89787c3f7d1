#pragma once

#include "model/search/replay_ratio.h"

#include <vector>

namespace headroom {

// By which factor replays took longer than the closed form had said. Layouts that are alike are off by much
// the same factor, so it is applied to those that were not replayed yet.
class LearnedRatios {
public:
    void add(const Candidate& played);
    // The factor of the most alike layout that was replayed, nearer 1 the less alike it is; 1 without one.
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
