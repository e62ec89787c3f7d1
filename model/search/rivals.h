#pragma once

#include "model/scenario/service_load.h"
#include "model/search/replays.h"
#include "model/search/replica_search.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace headroom {

// A layout with as many replicas as are to be played.
struct Rival {
    Candidate candidate;
    double far = 0; // expected times over the promised ones; up to 1 it should pass

    [[nodiscard]] bool expected() const { return far <= 1; } // to stand
};

// Layouts that would cost less than the best one proven so far, each with as many replicas as that allows.
// They are replayed even where the closed form takes them to be too few: it only decides, corrected by what
// earlier replays of the kind showed, which are tried first. Empty where the objective is not fewer GPUs.
class Rivals {
public:
    // Of the layouts among `candidates`. Keeps the others.
    Rivals(const std::vector<Candidate>& candidates, const Replays& replays, const ReplicaSearch& search);

    // Of those that are expected to stand the one that would cost least, with fewer replicas in between, else
    // the likeliest to stand; and the next. Fewer where fewer are worth a run.
    [[nodiscard]] std::vector<Rival> likeliest(const Candidate& best);
    void failed(const Candidate& candidate); // fewer replicas of it would fail as well
    void stood() { m_failures = 0; }

private:
    struct Known {
        std::shared_ptr<const Resolved> machine;
        Layout layout;
        std::shared_ptr<KeptCurve> curve;
        int fails = 0; // the most replicas that failed
        bool compared = false;
        bool hopeless = false; // too far with the most that cost less than some best
        std::unique_ptr<const Candidate> rival;

        [[nodiscard]] Candidate with(int replicas) const; // not judged
    };
    void compare(const Candidate& best);
    [[nodiscard]] int mostThatCostLess(const Known& known, const Candidate& best) const;
    [[nodiscard]] std::unique_ptr<const Candidate> rivalOf(Known& known, const Candidate& best) const;
    [[nodiscard]] bool mayStand(const Candidate& c) const;
    [[nodiscard]] bool costsLess(const Candidate& c, const Candidate& best) const;
    [[nodiscard]] double farOf(const Candidate& c) const;
    [[nodiscard]] Candidate withFewer(const Known& known, const Candidate& rival) const;

    const Replays& m_replays;
    const ReplicaSearch& m_search;
    ServiceLoad m_load;
    std::vector<Known> m_layouts;
    std::optional<Candidate> m_best; // that they were compared with
    double m_tooFar = 0;
    int m_failures = 0; // in a row
};

} // namespace headroom
