#pragma once

#include "model/search/pools.h"
#include "model/search/replay_ratio.h"
#include "model/search/replays.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace headroom {

// Finds how many replicas of a layout stand the traffic, run by run, and keeps what the runs taught about it
// and about others of its machine.
class ReplicaSearch {
public:
    explicit ReplicaSearch(Replays& replays) : m_replays(replays) {}

    struct Step {
        Candidate candidate;
        bool settled = true; // false: so many replicas are to be played next, should nothing else come first
    };
    // One run of the candidate as it is; where it stands, those that say about how many fewer would.
    Step play(const Candidate& candidate);
    // Whether runs made sure that no fewer replicas of what stood would, and the fewest that do.
    [[nodiscard]] bool isFewest(const Candidate& stood);
    [[nodiscard]] Candidate fewest(const Candidate& stood);
    // The same of an eighth fewer.
    [[nodiscard]] bool isNear(const Candidate& stood);
    [[nodiscard]] Candidate nearFewest(const Candidate& stood);
    // What stood runs that ended where that was clear, after one to the end.
    Step confirmed(const Candidate& stood);
    [[nodiscard]] static bool unconfirmed(const Candidate& c)
    {
        return c.meets && c.simulated && c.simulated->clear;
    }
    // The candidate with as many replicas as the percentile takes, as far as the runs go.
    Candidate settled(const Candidate& candidate);
    // Another number of replicas of a layout that is being looked at, or was.
    [[nodiscard]] bool superseded(const Candidate& candidate) const;
    // The candidate with more replicas, where what others of its machine took says that its own are too few.
    // Asked once of a layout.
    std::optional<Candidate> expected(const Candidate& candidate);
    // The candidate as it is to be played first, where fewer replicas than `fewest` are known to fail and
    // those that it has were reckoned.
    void begin(const Candidate& candidate, int fewest);
    // The same of two pools, where such smaller ones are known to fail.
    void beginPools(const Candidate& candidate, const PoolSizes& failed);
    // How many replicas, `from` of them at least, hold in closed form where times are so much longer; none
    // where that many do not. Users do not always divide evenly: all replicas may be taken to be as full as
    // the fullest, or as the emptiest, and what is needed lies between.
    enum class AsFullAs : std::uint8_t { Fullest, Emptiest };
    [[nodiscard]] std::optional<int> enough(const Candidate& candidate, const ReplayRatio& stretch, int from,
                                            int most, AsFullAs filled = AsFullAs::Fullest) const;
    // A layout that is to be played with more replicas than would be better than `best`, with the most that
    // would: how many it takes was estimated from other runs, and fewer may do.
    std::optional<Candidate> challenger(const Candidate& candidate, const Candidate& best);
    // The candidate with the most replicas for which `goodEnough` holds, where those are more than its own.
    std::optional<Candidate> mostOfWhatIs(const std::function<bool(const Candidate&)>& goodEnough,
                                          const Candidate& candidate);
    // One run of a layout with so many replicas as it has, of which the closed form does not say that they
    // are enough; where it stands, those that say about how many fewer would.
    Candidate playedAnyway(const Candidate& candidate);
    // The same layout between the two, not played yet, with no more replicas; none: the end.
    [[nodiscard]] std::vector<Candidate>::iterator
    listedWithFewer(const Candidate& candidate, std::vector<Candidate>::iterator first,
                    std::vector<Candidate>::iterator end) const;
    // What would be played next if what is played now does not stand: the guess of a run ahead. `best` stands
    // among the candidates.
    [[nodiscard]] std::optional<Candidate> upcoming(const std::vector<Candidate>& candidates,
                                                    const Candidate& best) const;
    // The one to play first: the best where times are as much longer than their closed form as usual.
    [[nodiscard]] std::vector<Candidate>::iterator likeliest(std::vector<Candidate>& candidates) const;
    // The layout that was played last and is to be played with more replicas.
    [[nodiscard]] std::vector<Candidate>::iterator goingOn(std::vector<Candidate>& candidates);

private:
    // Of one layout on one machine.
    struct Known {
        int closedForm = 0;   // replicas before any run; 0: not looked at yet
        int fails = 0;        // most that failed
        int failsAnyway = 0;  // the same, with what is to stay free, whatever the closed form says
        int failsClearly = 0; // most of those that failed by more than chance
        int next = 0;         // to be played
        int hopes = 0;        // steps up without a number that said how many
        int doublings = 0;    // the same, to be sure
        bool settled = false;
        bool near = false;                    // few fewer stand
        bool fewest = false;                  // no fewer stand
        std::optional<PoolSizes> mostPools;   // that are tried
        std::optional<PoolSizes> failedPools; // the last that failed
    };
    enum class Aim : std::uint8_t { Near, Fewest };

    [[nodiscard]] std::optional<Candidate> mostThat(const std::function<bool(const Candidate&)>& goodEnough,
                                                    const Candidate& candidate, int low, int high) const;

    Step afterMiss(Candidate played);
    [[nodiscard]] bool meetByChance(int replicas) const;
    [[nodiscard]] bool mayGrow() const;
    [[nodiscard]] int mostOf(int closedForm) const;
    [[nodiscard]] bool holds(const Candidate& candidate, int replicas, const Scenario& scenario) const;
    // A layout on a machine, whatever its replicas, and that of a pool for prompts.
    using OnePlace = std::tuple<const Resolved*, int, int, int, int, int>;
    using Place = std::pair<OnePlace, OnePlace>;
    [[nodiscard]] static Place placeOf(const Candidate& c);
    Known& knownOf(const Candidate& c);
    [[nodiscard]] Known knownSoFar(const Candidate& c) const;
    [[nodiscard]] bool canBeExpected(const Candidate& candidate) const;
    // The candidate with more replicas, where others of its machine took so many and a budget lets it.
    [[nodiscard]] std::optional<Candidate> asOthers(const Candidate& candidate) const;
    [[nodiscard]] std::optional<Candidate> wouldChallenge(const Candidate& candidate,
                                                          const Candidate& best) const;
    [[nodiscard]] std::optional<Candidate> wouldGrow(const Candidate& candidate, const Candidate& best) const;
    void learn(const Resolved& machine, const ReplayRatio& stretch);
    // What runs of one layout said.
    struct Bounds {
        int stands;       // the fewest replicas that stood
        int fails;        // the most that failed
        int failsClearly; // the most that failed by more than chance
    };
    [[nodiscard]] bool keepsRoom() const;
    std::optional<ReplayRatio> playFewer(Candidate& best, int replicas, Bounds& bounds);
    void narrow(Candidate& best, Bounds& bounds, Aim aim);
    void passCloseMisses(Candidate& best, Bounds& bounds, Aim aim);
    void lower(Candidate& best, Aim aim);
    [[nodiscard]] static int mostThatFailed(const Known& known, int stood);
    // How near the fewest are looked for.
    [[nodiscard]] static int stepTo(Aim aim, int count);
    int reduced(const Candidate& candidate, int low, Candidate& best, Aim aim);
    Step playPools(const Candidate& candidate);
    [[nodiscard]] std::optional<Candidate> largerPools(const Candidate& missed, const PoolSizes& most) const;
    Candidate fewerPools(Candidate stood, PoolSizes failed);
    Candidate dividedPools(const Candidate& candidate, int gpus);

    Replays& m_replays;
    std::map<Place, Known> m_known;
    std::map<const Resolved*, ReplayRatio> m_least; // of the layouts that stood
    std::optional<Place> m_going;                   // what missed last
};

} // namespace headroom
