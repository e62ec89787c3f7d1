#include "model/closed_form/steady_state.h"
#include "tests/model/serve/scenarios.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

using namespace headroom;
using namespace headroom::serve;
using namespace headroom::serve::testing;

namespace {

// Of the size of a 70B model on four H100: 10 ms to read the weights, 0.1 ms a prompt token, cache at 10
// TB/s.
Seconds largeModel(const StepShape& shape)
{
    const double tokens = shape.prefillTokens + shape.decodeSequences;
    const double compute = 5e-5 * tokens;
    const double memory = 10e-3 + 3.3e-8 * shape.decodeSequences * shape.decodeContext;
    return Seconds(2e-3 + std::sqrt(compute * compute + memory * memory));
}

double uniform(std::mt19937_64& random) { return (static_cast<double>(random() >> 11U) + 0.5) * 0x1p-53; }

// Lengths between a quarter and seven quarters of the mean, or all alike. All are there at the start.
Workload manyRequests(int count, double prompt, double output, bool alike)
{
    std::mt19937_64 random(5);
    Workload workload;
    const auto length = [&](double mean) {
        return static_cast<std::int32_t>(alike ? mean : std::round(mean * (0.25 + 1.5 * uniform(random))));
    };
    for (int i = 0; i < count; ++i)
        workload.requests.push_back({.promptTokens = length(prompt), .outputTokens = length(output)});
    return workload;
}

// Answers a second between a fifth and four fifths of them; the ends fill and drain.
double simulatedRate(const Scheduling& scheduling, const Workload& workload)
{
    const Result<Simulation> done = simulate(setupOf(scheduling, largeModel), workload);
    REQUIRE(done);
    const std::size_t count = workload.requests.size();
    std::vector<double> ends;
    for (const Outcome& outcome : done->outcomes)
        ends.push_back(outcome.end.base());
    std::sort(ends.begin(), ends.end());
    return static_cast<double>(count) * 0.6 / (ends[count * 8 / 10] - ends[count * 2 / 10]);
}

const Scheduling chunked{.maxSequences = 256, .maxBatchedTokens = 2048, .kvTokens = 400000};

} // namespace

TEST_CASE("closed form: as many as fit are served as fast as the simulation serves them")
{
    for (const bool alike : {true, false}) {
        CAPTURE(alike);
        const Workload sample = manyRequests(5000, 1024, 256, alike);
        const double capacity = steadySaturated(largeModel, chunked, meansOf(sample)).requestRate.base();
        CHECK(simulatedRate(chunked, sample) == doctest::Approx(capacity).epsilon(0.03));
    }
}

TEST_CASE("closed form: what limits the throughput is named")
{
    Scheduling scheduling = chunked;
    const SteadyLoad load;
    CHECK(steadySaturated(largeModel, scheduling, load).limit == SteadyLimit::Slots);
    scheduling.kvTokens = 20000;
    CHECK(steadySaturated(largeModel, scheduling, load).limit == SteadyLimit::Cache);
    scheduling = chunked;
    scheduling.maxSequences = 2000;
    scheduling.kvTokens = 4000000;
    CHECK(steadySaturated(largeModel, scheduling, {.promptTokens = 8000, .outputTokens = 50}).limit
          == SteadyLimit::Prefill);
}
