#pragma once

#include "tests/model/serve/scenarios.h"

#include <doctest/doctest.h>

#include <vector>

// Schedules that were worked out by hand, held against the simulation.
namespace headroom::serve::testing {

struct Row {
    double start;
    double firstToken;
    double end;
    int preemptions = 0;
    int cached = 0;
};

inline Simulation run(const ServingSetup& setup, const Workload& workload)
{
    const Result<Simulation> result = simulate(setup, workload);
    REQUIRE(result);
    return *result;
}

inline void checkRows(const Simulation& simulation, const std::vector<Row>& rows)
{
    REQUIRE(simulation.outcomes.size() == rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        CAPTURE(i);
        const Outcome& outcome = simulation.outcomes[i];
        CHECK(outcome.state == Outcome::State::Done);
        CHECK(outcome.start.base() == doctest::Approx(rows[i].start));
        CHECK(outcome.firstToken.base() == doctest::Approx(rows[i].firstToken));
        CHECK(outcome.end.base() == doctest::Approx(rows[i].end));
        CHECK(outcome.preemptions == rows[i].preemptions);
        CHECK(outcome.cachedTokens == rows[i].cached);
    }
}

inline const Scheduling roomy{
    .maxSequences = 16, .maxBatchedTokens = 100, .kvTokens = 4096, .blockTokens = 4};

} // namespace headroom::serve::testing
