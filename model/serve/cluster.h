#pragma once

#include "model/serve/earliest_first.h"
#include "model/serve/replica.h"
#include "model/serve/simulate.h"
#include "model/serve/stage_clock.h"

#include <queue>

#include <cstdint>
#include <functional>
#include <optional>
#include <tuple>
#include <vector>

namespace headroom::serve {

// Something that reaches a pool later: a request, or a prompt's cache.
struct Arrival {
    Seconds time;
    std::int32_t request = -1;
    enum class What : std::uint8_t {
        Sent, // by its user
        Read, // by the server: a scheduler may take it
        Cache
    };
    What what = What::Sent;

    friend bool operator>(const Arrival& a, const Arrival& b)
    {
        return std::tie(a.time, a.what, a.request) > std::tie(b.time, b.what, b.request);
    }
};

// One service while it is simulated: its pools, and what reaches them when. Internal to model/serve; what
// arrives is in cluster_arrivals.cpp, the rest in simulate.cpp.
class Cluster {
public:
    Cluster(const ServingSetup& setup, const Workload& workload);
    void run(const RunControl& control, bool untilPreempted = false);
    [[nodiscard]] Simulation soFar() const;
    Simulation take(); // the same, and leaves nothing of it here
    // What ended because its promise was clearly kept goes on with the next run(); its work is bounded anew.
    void goOn(std::optional<std::int64_t> mostWork);
    [[nodiscard]] bool kept() const { return m_kept; }
    [[nodiscard]] std::int64_t work() const { return static_cast<std::int64_t>(m_work); }
    [[nodiscard]] bool preempted() const { return m_preempted; }
    [[nodiscard]] bool broken() const { return m_broken; }
    [[nodiscard]] bool cut() const { return m_mostWork && m_work > static_cast<double>(*m_mostWork); }

private:
    struct Pool {
        StepMemo stepTime;
        PassMemo passTime;
        std::vector<StageClock> pipelines{}; // of each replica with lanes
        std::vector<Replica> replicas{};     // lanes of one replica stand together
        std::size_t lanes = 1;
        std::size_t nextInTurn = 0;
        std::size_t firstPlace = 0; // of its replicas among all of the cluster
    };

    void fill(Pool& pool, const ReplicaPool& like, const Scheduling& scheduling,
              const std::optional<KvLink>& link);
    [[nodiscard]] Replica& laneOf(Pool& pool, std::size_t replica, const Arrival& arrival);
    [[nodiscard]] Seconds answerLag(const Replica& replica) const;
    void scheduleStart();
    [[nodiscard]] Seconds nextArrival() const;
    [[nodiscard]] Arrival takeArrival();
    void receive(const Arrival& arrival);
    void read(const Arrival& arrival);
    void handOn(const Arrival& arrival);
    [[nodiscard]] Replica& choose(Pool& pool, const Arrival& arrival);
    void runReplicas(Seconds limit);
    void runInLockstep(Seconds limit);
    [[nodiscard]] Replica& replicaAt(std::size_t place);
    void setStart(std::size_t place, const Replica& replica);
    void catchUp(Replica& replica, Seconds now);
    void setStarts(const Pool& pool, std::size_t place);
    void drain(Replica& replica);
    void runUntil(Replica& replica, Seconds limit);
    void holdAgainstPromise(std::int32_t request, Seconds admission);
    void answered(std::int32_t request, Seconds time);
    void sendAfter(Seconds time, std::int32_t request);
    void beginConversation(Seconds time);

    const Workload* m_workload;
    Routing m_routing;
    std::uint64_t m_seed;
    bool m_keepsSamples;
    Seconds m_perPromptToken;
    Intake m_intake;
    std::vector<Seconds> m_readerFree; // of each line
    std::vector<Outcome> m_outcomes;
    Pool m_pool;
    std::optional<Pool> m_prefill;
    bool m_feedback = false;             // answers cause arrivals
    std::vector<std::int32_t> m_ordered; // requests whose arrival is given, by time
    std::size_t m_nextOrdered = 0;
    std::vector<std::int32_t> m_nextTurn;      // of a session; empty without sessions
    std::vector<std::int32_t> m_conversations; // of a fixed number of users: first requests, in their order
    std::size_t m_nextConversation = 0;
    std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> m_later;
    EarliestFirst m_starts;    // of each replica: no step that starts before ends anything
    std::size_t m_settled = 0; // answered or refused
    std::optional<EndsBroken> m_endsBroken;
    std::int64_t m_misses = 0; // of the promise
    std::int64_t m_held = 0;   // against it, by what their users see
    std::int64_t m_felt = 0;   // that missed it so
    std::optional<std::int64_t> m_mostWork;
    double m_work = 0; // in steps of one sequence
    bool m_broken = false;
    bool m_kept = false;
    bool m_partial = false;
    bool m_preempted = false;
};

} // namespace headroom::serve
