#pragma once

#include "model/base/result.h"
#include "model/closed_form/prediction.h"
#include "model/deploy/deployment.h"
#include "model/scenario/scenario.h"
#include "model/serve/measures.h"
#include "model/serve/simulate.h"
#include "model/serve/traffic.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom::serve {

// The step times of a deployment, drafting included. Keeps its own copy; the catalogue must outlive it.
[[nodiscard]] StepTime stepTimeOf(const Deployment& deployment);

// How long a lane's pass stays in each stage; none without lanes.
[[nodiscard]] PassTime passTimeOf(const Deployment& deployment);

// One replica as its engine schedules it, with the cache that the memory plan leaves.
[[nodiscard]] Scheduling schedulingOf(const Deployment& deployment, const Load& load);

// Its replicas with their scheduling and step times.
[[nodiscard]] ReplicaPool poolOf(const Deployment& deployment, const Load& load);

// Time of one token's cache over a link between two replicas' GPUs: each GPU sends its part over a link of
// its own. `token`: the cache of one.
[[nodiscard]] KvLink kvLinkBetween(const Deployment& from, const Deployment& to, Bytes token);

// How long a prompt waits for the pool that decodes, as it is told.
[[nodiscard]] Message handOverTold();

// Replicas of this deployment that compute prompts for those that decode.
[[nodiscard]] PrefillPool prefillPoolOf(const Deployment& prompts, const Load& load,
                                        const Deployment& decodes);

// What a resolved scenario means to the simulator.
struct ServingPlan {
    ServingSetup setup;
    Traffic traffic;
    Surroundings around;
    std::optional<RequestsPerSecond> offered; // open traffic
    bool ends = false; // a run of a load tool: what it measures is what happens until it is over
    std::vector<Message> assumptions;
};
// `concurrency` users take turns where no rate is given; with neither, the service is offered four fifths of
// what it carries within the scenario's targets (`carries`, all replicas together), or of what it can serve
// where it has none.
[[nodiscard]] Result<ServingPlan> servingPlan(const Scenario& scenario, const Deployment& deployment,
                                              const Load& load, RequestsPerSecond carries = {});

// Puts a pool before it that computes its prompts.
void addPrefillPool(ServingPlan& plan, const Deployment& prompts, const Load& load,
                    const Deployment& decodes);

} // namespace headroom::serve
