#pragma once

#include "model/base/result.h"
#include "model/scenario/scenario.h"

#include <optional>

namespace headroom {

// Requests of a job; empty where none was stated.
[[nodiscard]] std::optional<double> requestsOfJob(const Scenario& scenario);

// A job with a deadline is the load: machines are full until it is done, and then free.
[[nodiscard]] bool worksOffJob(const Scenario& scenario);
// Something was promised that can be missed: a target, or the end of a job.
[[nodiscard]] bool mayMiss(const Scenario& scenario);

// Tokens a month, a job with a deadline, and users who write so many messages a minute are a rate of
// requests: the scenario with that rate, and as it is where none of them was said. A job is done when it is
// done: without a deadline what counts is the throughput.
[[nodiscard]] Scenario withStatedLoad(Scenario scenario);

// What contradicts itself: a deadline without a job, messages without users, two loads at once.
[[nodiscard]] Problems loadProblems(const Scenario& scenario);

} // namespace headroom
