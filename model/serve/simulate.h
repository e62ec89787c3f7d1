#pragma once

#include "model/base/result.h"
#include "model/base/run_control.h"
#include "model/closed_form/scheduling.h"
#include "model/closed_form/step_work.h"
#include "model/scenario/request.h"
#include "model/serve/intake.h"
#include "model/serve/outcome.h"
#include "model/serve/replica.h"
#include "model/serve/stage_clock.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace headroom::serve {

// Replicas of one kind.
struct ReplicaPool {
    Scheduling scheduling;
    StepTime stepTime; // with `scheduling.lanes` > 1: of a lane's step while the other lanes' are like it
    int replicas = 1;
    PassTime passTime;          // with lanes: how long a lane's step stays in each stage
    bool roundsContext = false; // its `stepTime` is of RememberedSteps
    HeldPrompts held;
};

enum class Routing : std::uint8_t {
    RoundRobin,
    LeastLoaded, // fewest requests inside
    PrefixAware  // longest cached prefix, least loaded among equals and when the favourite is far ahead in
                 // load
};

// Prompts are computed by a pool of their own, perhaps on other GPUs, and their cache travels over a link.
struct PrefillPool {
    ReplicaPool pool;
    KvLink link; // out of each replica
};

// Requests are read and tokenised before a scheduler sees them, one after the other: a server does it in one
// thread beside its event loop (vllm-project/vllm issue 25301), so that long prompts that come together wait
// for each other there.
struct Reception {
    Seconds perPromptToken;
    int lines = 1; // servers, each with such a thread
    Intake intake;
};

// A promise that so many requests may miss. Whoever only asks whether it is kept need not wait for the rest:
// the run ends with the next one that misses it, or as soon as it is clear that no more will.
struct EndsBroken {
    std::int32_t firstCounted = 0; // of the workload's requests: those before warm the service up
    std::int64_t mostMisses = 0;
    double clearlyKept = 0; // where clearly less than that share miss it; 0: the run goes on
    double besideFirst = 0; // as in the Surroundings that it is measured in
};

struct ServingSetup {
    ReplicaPool pool;
    std::optional<PrefillPool> prefill;
    Reception reception;
    Routing routing = Routing::LeastLoaded;
    std::uint64_t seed = 1; // of sampled speculation
    std::optional<EndsBroken> endsBroken{};
    std::optional<std::int64_t> mostWork{}; // the run ends there, in steps of one sequence
    bool keepsSamples = true;               // of each replica's load, for a picture of it
};

// What happened, before anything is summed up.
struct Simulation {
    std::vector<Outcome> outcomes;    // in the order of the workload's requests
    std::vector<ReplicaLog> replicas; // of the pool; each lane of a pipeline has one
    std::vector<ReplicaLog> prefillReplicas;
    int lanes = 1;         // of each replica of the pool
    bool partial = false;  // cancelled: some outcomes are unfinished
    bool broken = false;   // ended because its promise was broken: so are some
    bool kept = false;     // ended because it was clear that its promise is kept: so are some
    bool cut = false;      // ended at its budget of work: too little was played for a verdict
    std::int64_t work = 0; // that it took, in steps of one sequence
};

class Cluster;

// Serves every request of a workload; deterministic to the bit. What ended because its promise was clearly
// kept can go on from there, and ends as if that had not been clear.
class UnderWay {
public:
    // Refused where that cannot be simulated.
    [[nodiscard]] static Result<std::unique_ptr<UnderWay>> with(const ServingSetup& setup,
                                                                std::shared_ptr<const Workload> workload);
    ~UnderWay();
    UnderWay(const UnderWay&) = delete;
    UnderWay& operator=(const UnderWay&) = delete;

    [[nodiscard]] Simulation run(const RunControl& control = {});
    // `mostWork`: steps of one sequence that it may take from its beginning; none: any number.
    [[nodiscard]] Simulation goOn(std::optional<std::int64_t> mostWork, const RunControl& control = {});
    [[nodiscard]] const Workload& workload() const { return *m_workload; }

private:
    UnderWay(const ServingSetup& setup, std::shared_ptr<const Workload> workload);
    [[nodiscard]] Simulation soFar();

    ServingSetup m_setup;
    std::shared_ptr<const Workload> m_workload;
    std::unique_ptr<Cluster> m_cluster;
    bool m_quick;                  // caches count their blocks, until somebody is preempted
    std::int64_t m_workBefore = 0; // of an attempt with such
};

// The same at once.
[[nodiscard]] Result<Simulation> simulate(const ServingSetup& setup, const Workload& workload,
                                          const RunControl& control = {});

} // namespace headroom::serve
