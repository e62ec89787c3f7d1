#pragma once

#include "model/scenario/service_load.h"
#include "model/search/search.h"

#include <cstdint>

namespace headroom {

// Judges one layout of a machine: how many replicas carry the load, what users then feel, why it will not do.
// `sure`: targets hold at the 90th percentile of the estimates.
[[nodiscard]] Candidate judge(const std::shared_ptr<const Resolved>& machine, const Layout& layout,
                              const Scenario& scenario, bool sure = false, Depth depth = Depth::Whole);

// Whether so many GPUs in this layout may carry the load, in closed form: what says no need not be judged by
// who knows of a service with as many. Where no load is stated it is not asked.
[[nodiscard]] bool mayCarryWith(int gpus, const Resolved& machine, const Layout& layout,
                                const Scenario& scenario, bool sure = false);

// The same layout on the same machine with so many replicas, whatever the load would take.
[[nodiscard]] Candidate judgeWith(const Candidate& like, int replicas, Scenario scenario,
                                  Depth depth = Depth::Verdict);

// Whether it keeps the targets so, as sure at least: less to work out than all that is said of it.
[[nodiscard]] bool holdsWith(const Candidate& like, int replicas, Scenario scenario, double sure);

// The parts of a verdict, shared with services whose prompts have a pool of their own.

// Replicas that carry the load when none has failed more than `spares`, each kept below the share that stays
// free.
[[nodiscard]] int replicasFor(const ServiceLoad& load, const Scenario& scenario, const ReplicaCurve& curve,
                              const Capacity& capacity);
// What such a service gives and each of its tokens costs, of the load that was stated: spares and replicas
// that are not full are paid as well.
void tellServedLoad(OperatingPoint& point, const Scenario& scenario, int replicas);
// Users in a replica that requests at this rate keep there: Little's law.
// `carried`: users that it carries.
[[nodiscard]] double usersAtRate(const ReplicaCurve& curve, double rate, double carried);
// Of requests at a stated rate, that so many replicas share: what has to hold for each to keep up with them.
[[nodiscard]] std::optional<KeepsUp> keepsUpOf(const ReplicaCurve& curve, const Scenario& scenario,
                                               double users, double working);
// How many times what so many replicas serve the stated rate is: at most about 1 where they keep up. Where
// their number was free it was chosen so that they do.
[[nodiscard]] double timesTooFast(const UserTimes& point, const Scenario& scenario, double working);
// What it lacks for one sequence.
[[nodiscard]] Message memoryText(const Prediction& prediction);
// The target that is missed by most, and what there is in its place; empty when all are met.
[[nodiscard]] Message missText(const Candidate& candidate, const Targets& targets);
// Why it will not do; empty when it will.
[[nodiscard]] Message objection(const Candidate& candidate, const Scenario& scenario);

// Fills in what a verdict left out.
void complete(Candidate& candidate, const Scenario& scenario);

} // namespace headroom
