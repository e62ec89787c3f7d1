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

// Lengths between a quarter and seven quarters of the mean, or all alike.
Workload manyRequests(int count, double prompt, double output, bool alike, double rate)
{
    std::mt19937_64 random(5);
    Workload workload;
    double time = 0;
    const auto length = [&](double mean) {
        return static_cast<std::int32_t>(alike ? mean : std::round(mean * (0.25 + 1.5 * uniform(random))));
    };
    for (int i = 0; i < count; ++i) {
        if (rate > 0)
            time -= std::log(uniform(random)) / rate;
        workload.requests.push_back(
            {.arrival = Seconds(time), .promptTokens = length(prompt), .outputTokens = length(output)});
    }
    return workload;
}

struct Means {
    double ttft = 0, tpot = 0, latency = 0, rate = 0, end = 0;
};

// Of the middle eight tenths; the ends fill and drain.
Means simulated(const Scheduling& scheduling, const Workload& workload)
{
    const Result<Simulation> done = simulate(setupOf(scheduling, largeModel), workload);
    REQUIRE(done);
    Means means;
    const std::size_t count = workload.requests.size();
    std::vector<double> ends;
    double tokens = 0;
    double decoding = 0;
    double requests = 0;
    for (std::size_t i = count / 10; i < count * 9 / 10; ++i) {
        const Outcome& outcome = done->outcomes[i];
        ++requests;
        means.ttft += (outcome.firstToken - outcome.arrival).base();
        means.latency += (outcome.end - outcome.arrival).base();
        decoding += (outcome.end - outcome.firstToken).base();
        tokens += workload.requests[i].outputTokens - 1;
    }
    for (const Outcome& outcome : done->outcomes)
        ends.push_back(outcome.end.base());
    std::sort(ends.begin(), ends.end());
    means.end = ends.back();
    means.rate = static_cast<double>(count) * 0.6 / (ends[count * 8 / 10] - ends[count * 2 / 10]);
    means.ttft /= requests;
    means.latency /= requests;
    means.tpot = decoding / tokens;
    return means;
}

const Scheduling chunked{.maxSequences = 256, .maxBatchedTokens = 2048, .kvTokens = 400000};

} // namespace

TEST_CASE("closed form: Poisson arrivals up to four fifths of capacity")
{
    const Workload sample = manyRequests(5000, 1024, 256, false, 0);
    const double capacity = steadySaturated(largeModel, chunked, meansOf(sample)).requestRate.base();
    CHECK(simulated(chunked, sample).rate == doctest::Approx(capacity).epsilon(0.03));
    for (const double share : {0.2, 0.5, 0.8}) {
        CAPTURE(share);
        const Workload workload = manyRequests(8000, 1024, 256, false, share * capacity);
        const Means truth = simulated(chunked, workload);
        const SteadyState state
            = steadyOpenLoop(largeModel, chunked, meansOf(workload), RequestsPerSecond(share * capacity));
        CHECK(state.stable);
        // Near capacity a per cent of load is several per cent of latency, and the batch swings about its
        // mean.
        const double tolerance = share > 0.7 ? 0.1 : 0.04;
        CHECK(state.tpot.base() == doctest::Approx(truth.tpot).epsilon(tolerance));
        CHECK(state.latency.base() == doctest::Approx(truth.latency).epsilon(tolerance));
        CHECK(state.ttft.base() == doctest::Approx(truth.ttft).epsilon(0.25));
    }
    CHECK_FALSE(
        steadyOpenLoop(largeModel, chunked, meansOf(sample), RequestsPerSecond(1.01 * capacity)).stable);
}

TEST_CASE("closed form: all requests at once, from the first step to the last answer")
{
    for (const int count : {64, 200, 400, 1000, 5000}) {
        CAPTURE(count);
        const Workload workload = manyRequests(count, 512, 200, count == 64, 0);
        const Means truth = simulated(chunked, workload);
        CHECK(offlineTime(largeModel, chunked, meansOf(workload), count).base()
              == doctest::Approx(truth.end).epsilon(0.03));
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
