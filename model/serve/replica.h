#pragma once

#include "model/closed_form/step_work.h"
#include "model/serve/batch.h"
#include "model/serve/outcome.h"
#include "model/serve/policy.h"
#include "model/serve/remembered_steps.h"
#include "model/serve/replica_log.h"
#include "model/serve/stage_clock.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace headroom::serve {

// A link that carries a finished prompt's cache to another replica, one after the other.
struct KvLink {
    Seconds latency;
    Seconds perToken;

    friend bool operator==(const KvLink&, const KvLink&) = default;
};

// Beside decodes prompts are held back so many steps for more to begin with them, or until there are so many
// tokens for one step, the decodes' own among them. No steps: they begin at once.
struct HeldPrompts {
    std::int64_t steps = 0;
    std::int64_t tokens = 0;

    friend bool operator==(const HeldPrompts&, const HeldPrompts&) = default;
};

// One engine with its own clock. It runs step after step while it has work; the world around it only adds
// requests. With data-parallel attention each rank has a line and a cache of its own; the experts that they
// share make them step together, and the busiest rank sets the pace.
class Replica {
public:
    struct Event {
        enum class Kind : std::uint8_t {
            Finished,
            Delivered
        }; // Delivered: prompt computed here, cache arrives there
        Kind kind = Kind::Finished;
        std::int32_t request = -1;
        Seconds time;
    };
    struct Surroundings {
        const Workload* workload = nullptr;
        std::vector<Outcome>* outcomes = nullptr;
        StepMemo* stepTime = nullptr;
        bool roundsContext = false;   // as in ReplicaPool
        PassMemo* passTime = nullptr; // of a lane of a pipeline: it shares …
        StageClock* stages = nullptr; // … these with the other lanes
        std::size_t lane = 0;
        std::size_t lanes = 1;
        bool firstLane = true;           // who waits in their line is counted here
        std::optional<KvLink> handsOver; // computes prompts only and gives their cache away
        std::uint64_t seed = 1;
        std::int16_t index = 0;
        HeldPrompts held;             // as in ReplicaPool
        double stepsToPass = 0;       // before a new request is in one
        bool followsPrefixes = false; // among its ranks, as routing does among replicas
        bool keepsSamples = true;
    };

    // Cache that is given back when a sequence has left: its pass is through, or it is with another replica.
    struct Leaving {
        Seconds time;
        KvPool::Lease lease;
    };
    // Of each rank; a pipeline's lanes hold their sequences in the same cache, give it back to all and take
    // them from the same line.
    struct Place {
        std::shared_ptr<KvPool> cache;
        std::shared_ptr<WaitingLine> line;
        std::shared_ptr<std::vector<Leaving>> leaving; // in the order of their times
    };
    using Places = std::vector<Place>;
    [[nodiscard]] static Places placesFor(const Scheduling& scheduling);

    Replica(const Scheduling& scheduling, const Surroundings& surroundings, const Places& places);

    // False: the request is longer than this replica could ever hold, and was refused.
    // Precondition: every step that starts before `now` has been run.
    bool enqueue(const Ticket& ticket, Seconds now);
    // When the next step starts; infinite while there is nothing to do. Of a lane: while none of the others
    // takes it.
    [[nodiscard]] Seconds nextStart() const;
    // No sequence ends in a step that starts before this time: until then nobody need run the steps.
    [[nodiscard]] Seconds earliestEnd() const;
    // Runs the steps that start before `limit`; with `stopAtEvents` returns as soon as there are some.
    void runUntil(Seconds limit, bool stopAtEvents);
    [[nodiscard]] std::vector<Event>& events() { return m_events; }

    // In its line, or in that of its pipeline's lanes.
    [[nodiscard]] bool someoneWaits() const;
    // Requests inside at `now`, those that end with the step under way included.
    [[nodiscard]] std::int64_t outstanding(Seconds now) const;
    [[nodiscard]] double effort() const { return m_effort; } // that its steps took, in steps taken together
    [[nodiscard]] std::int64_t cachedPrefix(std::int32_t request);
    [[nodiscard]] const ReplicaLog& log() const { return m_log; }

private:
    struct Rank {
        Batch batch;
        std::shared_ptr<std::vector<Leaving>> leaving;
        std::vector<Ticket> unseen{}; // arrived since the last look
        StepPlan plan{};
        std::int64_t goneWithStep = 0;
        bool ended = false; // some sequence ended in the step just run

        // Steps in which nothing changes but lengths.
        StepWork work{};
        std::int64_t sequences = 0;
        std::int64_t blocks = 0;
        std::vector<std::int32_t> blocksAt{}; // new blocks in the i-th step from now, repeating
        std::size_t nextBlocks = 0;

        // The cache, with a step that they are taken together.
        [[nodiscard]] std::int64_t grows() const { return sequences * batch.scheduling().beams; }
        [[nodiscard]] std::int64_t inLine() const
        {
            return static_cast<std::int64_t>(batch.waiting().size() + batch.promptsUnderWay().size())
                + batch.line().coming.size();
        }
        [[nodiscard]] std::int64_t inside() const
        {
            return static_cast<std::int64_t>(batch.running().size() + batch.swapped().size() + unseen.size())
                + inLine();
        }
    };

    [[nodiscard]] Rank& choose(std::int32_t request);
    [[nodiscard]] bool empty() const;
    [[nodiscard]] bool batchesEmpty() const;
    void look();
    void letIn();
    [[nodiscard]] std::int64_t stepsFor(const Ticket& ticket) const;
    [[nodiscard]] bool pipelineIdle(const WaitingLine& line) const;
    void countPass();
    void comeToPipeline(Rank& rank, const Ticket& ticket, Seconds now);
    [[nodiscard]] bool waitsForOtherRanks();
    [[nodiscard]] bool waitsForMorePrompts();
    void countToLook(bool prompts);
    void step();
    void stepTogether();
    void stepTogether(Seconds limit);
    void lookAhead();
    struct Pace {
        Seconds took;
        std::int32_t steps = 0; // that last as long
    };
    [[nodiscard]] Pace paceOfTogether(std::int32_t most);
    [[nodiscard]] std::int64_t takeNextBlocks();
    [[nodiscard]] double effortOfTogether() const;
    void settle();
    void settle(Rank& rank, std::int32_t steps);
    void execute();
    [[nodiscard]] static double effortOf(const std::vector<StepWork>& works);
    // Ranks that may be the slowest of a step.
    struct Slowest {
        std::size_t computes = 0; // the most
        std::size_t reads = 0;
        std::int64_t ranks = 1;
        std::int64_t tokens = 0; // of all of them; 0: there is one

        [[nodiscard]] StepWork together(StepWork work) const
        {
            work.ranks = ranks;
            work.allTokens = tokens;
            return work;
        }
    };
    [[nodiscard]] static Slowest slowestOf(const std::vector<StepWork>& works);
    [[nodiscard]] Seconds timeOf(const std::vector<StepWork>& works);
    [[nodiscard]] Seconds timeOf(const StepWork& work, LastDecodes& last);
    [[nodiscard]] StagePass passOf(const std::vector<StepWork>& works);
    [[nodiscard]] bool sharesLine() const { return m_around.stages != nullptr; }
    void sendOn(Rank& rank, Seconds began);
    void joinLine(Rank& rank, const Ticket& ticket, Seconds now);
    [[nodiscard]] Seconds looksAtLine() const;
    void waitForRoom(Seconds delivered);
    [[nodiscard]] static StepWork workOfPlan(const Rank& rank);
    void noteStarts(const Rank& rank);
    [[nodiscard]] static bool mayFollow(const Scheduling& scheduling, const Surroundings& around);
    void decodeAll(Rank& rank, Seconds end);
    void decodeFollowed(Rank& rank, Seconds end);
    void decodeOneEach(Rank& rank, Seconds end);
    void prefillChunks(Rank& rank, Seconds end);
    void beginTogether(Rank& rank, Seconds end);
    void give(Rank& rank, Sequence& sequence, std::int32_t tokens, Seconds end);
    // Equal gaps in a row are added at once, so that steps taken together sum up to the same bits as single
    // ones.
    void countGap(Seconds gap, std::int64_t count = 1)
    {
        if (gap != m_gap && m_gapCount > 0)
            m_log.gaps.add(m_gap, std::exchange(m_gapCount, 0));
        m_gap = gap;
        m_gapCount += count;
    }
    [[nodiscard]] std::int32_t yieldOf(Sequence& sequence) const;
    [[nodiscard]] std::int32_t forcedAfter(Sequence& sequence, std::int32_t tokens) const;
    void retire(Rank& rank, Seconds end);
    void noteEnd(const Sequence& sequence, Seconds end);
    void retireFollowed(Rank& rank, Seconds end);
    void giveBack(Rank& rank, Sequence& sequence, Seconds end);
    static void leave(Rank& rank, Leaving leaving);
    void handOver(Rank& rank, Sequence& sequence, Seconds end);
    void releaseDelivered(Rank& rank);
    [[nodiscard]] static std::int32_t alikeSteps(const Rank& rank);
    void planTogether();
    void logStep(Seconds took, const std::vector<StepWork>& works, std::int64_t usedBlocks);
    [[nodiscard]] Outcome& outcomeOf(std::int32_t request)
    {
        return (*m_around.outcomes)[static_cast<std::size_t>(request)];
    }

    Surroundings m_around;
    bool m_follows; // its decoding sequences may be taken as one
    std::vector<Rank> m_ranks;
    std::vector<StepWork> m_works; // of each rank in the step under way
    LastDecodes m_lastDecodes;     // of the only rank, or the one that computes most
    LastDecodes m_lastReads;
    ReplicaLog m_log;
    Seconds m_clock;
    Seconds m_lastTook;
    Seconds m_returned; // of a lane: when its last pass was through; infinite once it has looked who waits
    std::vector<Event> m_events;
    Seconds m_linkFree;
    Seconds m_gap;
    std::int64_t m_gapCount = 0;

    std::int32_t m_untilLook = 0;   // steps of decodes
    std::int64_t m_heldPrompts = 0; // steps that prompts waited, for those of other ranks or for more

    double m_effort = 0;

    // Steps taken together: counted down, and written into the sequences by settle().
    std::int32_t m_togetherLeft = 0;
    Seconds m_notBefore; // the last of the steps taken together starts then or later
    std::int32_t m_unsettled = 0;
};

} // namespace headroom::serve
