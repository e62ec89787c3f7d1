#include "model/closed_form/steady_state.h"
#include "model/serve/measures.h"
#include "model/serve/serving_view.h"
#include "model/serve/traffic.h"
#include "model/serve/verdict.h"
#include "tests/model/serve/scenarios.h"

#include <doctest/doctest.h>

using namespace headroom;
using namespace headroom::serve;
using namespace headroom::serve::testing;

namespace {

// 10 ms a step, 0.1 ms a prompt token: 1 / (0.1 + 99 * 0.01 / batch) requests a second at 1000 in, 100 out.
Seconds linearTime(const StepShape& shape) { return Seconds(0.01 + 1e-4 * shape.prefillTokens); }

const Scheduling sixteen{.maxSequences = 16, .maxBatchedTokens = 4096, .kvTokens = 100000};

struct Run {
    Workload workload;
    Simulation simulation;
    Measures measures;
    Verdict verdict;
};

Run measuredRun(const ServingSetup& setup, const Traffic& traffic)
{
    Run out;
    Result<Workload> workload = makeWorkload(traffic);
    REQUIRE(workload);
    out.workload = std::move(*workload);
    Result<Simulation> simulation = simulate(setup, out.workload);
    REQUIRE(simulation);
    out.simulation = std::move(*simulation);
    out.measures = measure(out.simulation, out.workload);
    const bool open = traffic.arrivals.kind == ArrivalShape::Kind::Poisson;
    out.verdict = judge(setup, out.workload, out.simulation, out.measures,
                        open ? std::optional(traffic.rate) : std::nullopt);
    return out;
}

} // namespace

TEST_CASE("who comes all at once falls into no step, and who comes later may")
{
    const ServingSetup setup{.pool = {.scheduling = sixteen, .stepTime = linearTime}};
    Traffic burst{.arrivals = *arrivalsFromText("at-once"), .requests = 64};
    const Run all = measuredRun(setup, burst);
    CHECK(all.measures.gapAtWork.base() == 0);
    // While the last of the queue waits the replica is full: sixteen tokens every 10 ms, less what prompts
    // take.
    REQUIRE(all.measures.whileQueued.has_value());
    CHECK(all.measures.whileQueued->output.base() <= 1600);
    CHECK(all.measures.whileQueued->output >= all.measures.outputRate * 0.9);
    Traffic open{.rate = RequestsPerSecond(3), .requests = 200};
    const Run later = measuredRun(setup, open);
    CHECK(later.measures.gapAtWork.base() > 0.001);
    CHECK(later.measures.gapAtWork <= later.measures.gap);
    CHECK(!later.measures.whileQueued.has_value());
    // Nothing warms up where a load tool counts.
    CHECK(measure(later.simulation, later.workload, {.warmUp = 0}).measured == 200);
    CHECK(measure(later.simulation, later.workload).measured < 200);
}

TEST_CASE("percentiles interpolate between two requests")
{
    // numpy.percentile([1, 2, 3, 4, 5], [50, 75, 90, 95, 99]) = 3, 4, 4.6, 4.8, 4.96
    const Spread spread = spreadOf({5, 1, 4, 2, 3});
    CHECK(spread.mean.base() == doctest::Approx(3));
    CHECK(spread.p50.base() == doctest::Approx(3));
    CHECK(spread.p75.base() == doctest::Approx(4));
    CHECK(spread.p90.base() == doctest::Approx(4.6));
    CHECK(spread.p95.base() == doctest::Approx(4.8));
    CHECK(spread.p99.base() == doctest::Approx(4.96));
    CHECK(spreadOf({}).p99.base() == 0);
    CHECK(spreadOf({7}).p99.base() == 7);
}

TEST_CASE("gaps between tokens: quantiles to a thousandth, mean exact")
{
    GapHistogram gaps;
    for (int i = 1; i <= 1000; ++i)
        gaps.add(Seconds(i * 1e-3), 2);
    CHECK(gaps.count() == 2000);
    CHECK(gaps.mean().base() == doctest::Approx(0.5005));
    CHECK(gaps.quantile(0.5).base() == doctest::Approx(0.5).epsilon(2e-3));
    CHECK(gaps.quantile(0.99).base() == doctest::Approx(0.99).epsilon(2e-3));
    GapHistogram none;
    none.add(Seconds{}, 5);
    CHECK(none.quantile(0.9).base() == 0);
}

TEST_CASE("gaps of several replicas, far apart, are put together in any order")
{
    GapHistogram fast;
    fast.add(Seconds(1e-3), 3);
    GapHistogram slow;
    slow.add(Seconds(40.0), 1);
    GapHistogram both;
    both.add(slow);
    both.add(fast);
    both.add(GapHistogram{});
    CHECK(both.count() == 4);
    CHECK(both.mean().base() == doctest::Approx((3e-3 + 40) / 4));
    CHECK(both.quantile(0.5).base() == doctest::Approx(1e-3).epsilon(2e-3));
    CHECK(both.quantile(1).base() == doctest::Approx(40).epsilon(2e-3));
    fast.add(slow);
    CHECK(fast.quantile(1).base() == both.quantile(1).base());
}

TEST_CASE("the first tenth of arrivals is left out, rates run from the next one to the last end")
{
    // Ten requests a second apart, each 1.1 + 1 s; request 0 is warm-up.
    Workload workload;
    for (int i = 0; i < 10; ++i)
        workload.requests.push_back({.arrival = Seconds(10 * i), .promptTokens = 1, .outputTokens = 2});
    workload.classes[0].targets.ttft = Seconds(1.0);
    const Result<Simulation> done = simulate(setupOf(sixteen, pencilTime), workload);
    REQUIRE(done);
    const Measures measures
        = measure(*done, workload, {.intake = {.host = Seconds(0.5)}, .network = Seconds(0.25)});
    CHECK(measures.requests == 10);
    CHECK(measures.finished == 10);
    CHECK(measures.measured == 9);
    CHECK(measures.ttft.p50.base() == doctest::Approx(1.6)); // admission included
    CHECK(measures.tpot.p50.base() == doctest::Approx(1.0));
    CHECK(measures.latency.mean.base() == doctest::Approx(2.6));
    CHECK(measures.clientTtft.p99.base() == doctest::Approx(1.85));
    CHECK(measures.queue.p99.base() == doctest::Approx(0));
    CHECK(measures.requestRate.base() == doctest::Approx(9 / (92.1 - 10)));
    CHECK(measures.outputRate.base() == doctest::Approx(18 / (92.1 - 10)));
    CHECK(measures.attainment == 0); // 1.6 s is above the target
    CHECK(measures.goodput.base() == 0);
    CHECK(measures.busy == doctest::Approx(10 * 2.1 / 92.1));
    CHECK(measures.meanBatch == doctest::Approx(1));
}

TEST_CASE("targets count for their own class, and a refused request is a broken promise")
{
    Workload workload = workloadOf({{0, 10, 3}, {0, 100, 3}, {0, 99, 3}, {0, 2000, 1}});
    workload.classes = {{.name = "chat", .targets = {}}, {.name = "batch", .targets = {}}};
    workload.classes[0].targets.tokensPerSecond = 0.5; // steps of up to 2 s
    workload.classes[0].targets.ttft = Seconds(5);
    workload.requests[1].classIndex = workload.requests[3].classIndex = 1;
    workload.classes[1].targets.latency = Seconds(100);
    Scheduling scheduling = sixteen;
    scheduling.kvTokens = 1024;
    scheduling.maxBatchedTokens = 0;
    scheduling.kind = SchedulerKind::PrefillFirst;
    // One prompt step of 1 + 20.9 s: both chats miss their 5 s. The batch request meets 100 s, the refused
    // one does not.
    const Result<Simulation> done = simulate(setupOf(scheduling, pencilTime), workload);
    REQUIRE(done);
    const Measures measures = measure(*done, workload);
    REQUIRE(measures.classes.size() == 2);
    CHECK(measures.classes[0].attainment == 0);
    CHECK_FALSE(measures.classes[0].kept());
    CHECK(measures.classes[1].requests == 1);
    CHECK(measures.classes[1].attainment == doctest::Approx(0.5));
    CHECK(measures.refused == 1);
    CHECK(measures.attainment == doctest::Approx(0.25));
}

TEST_CASE("below capacity a service is stable, above it is overloaded, and the capacity is named")
{
    // With 16 slots: 16 / (99 * 0.01 + 16 * 0.1) = 6.18 requests/s, to be found by both closed form and
    // simulation.
    Traffic traffic{.rate = RequestsPerSecond(4), .requests = 4000};
    traffic.classes[0].prompt = LengthDistribution::of(1000);
    traffic.classes[0].output = LengthDistribution::of(100);
    const Run calm = measuredRun(setupOf(sixteen, linearTime), traffic);
    CHECK(calm.verdict.stable);
    CHECK(calm.verdict.capacity.base() == doctest::Approx(6.18).epsilon(0.03));
    CHECK(calm.measures.requestRate.base() == doctest::Approx(4).epsilon(0.05));

    traffic.rate = RequestsPerSecond(8);
    const Run flooded = measuredRun(setupOf(sixteen, linearTime), traffic);
    CHECK_FALSE(flooded.verdict.stable);
    CHECK(flooded.verdict.reason.english().find("queue grows") != std::string::npos);
    CHECK(flooded.measures.requestRate.base() == doctest::Approx(6.18).epsilon(0.03));

    const Run twice = measuredRun(setupOf(sixteen, linearTime, 2), traffic);
    CHECK(twice.verdict.stable);
    CHECK(twice.verdict.capacity.base() == doctest::Approx(2 * 6.18).epsilon(0.03));
}

TEST_CASE("a day whose mean can be served and whose busiest hour cannot is overloaded")
{
    // Ten times slower than above: 0.618 requests/s can be served. 0.3 come on average, at the peak three
    // times as many.
    Traffic traffic{.rate = RequestsPerSecond(0.3), .requests = 25000};
    traffic.arrivals.peak = 3;
    traffic.classes[0].prompt = LengthDistribution::of(1000);
    traffic.classes[0].output = LengthDistribution::of(100);
    const StepTime slow = [](const StepShape& shape) { return linearTime(shape) * 10; };
    const auto dayOf = [&](double peak) {
        traffic.arrivals.peak = peak;
        const Result<Workload> workload = makeWorkload(traffic);
        REQUIRE(workload);
        const ServingSetup setup = setupOf(sixteen, slow);
        const Result<Simulation> simulation = simulate(setup, *workload);
        REQUIRE(simulation);
        return judge(setup, *workload, *simulation, measure(*simulation, *workload), traffic.rate);
    };
    const Verdict steep = dayOf(3);
    CHECK_FALSE(steep.stable);
    CHECK(steep.reason.english().find("busiest hour") != std::string::npos);
    CHECK(steep.capacity.base() == doctest::Approx(0.618).epsilon(0.03));
    CHECK(dayOf(1.5).stable);
}

TEST_CASE("a closed loop and a batch of work cannot be overloaded")
{
    Traffic traffic{.users = 40, .requests = 500};
    traffic.arrivals.kind = ArrivalShape::Kind::Closed;
    CHECK(measuredRun(setupOf(sixteen, linearTime), traffic).verdict.stable);
    Traffic bounded{.rate = RequestsPerSecond(1e4), .mostInFlight = 40, .requests = 500};
    const Verdict verdict = measuredRun(setupOf(sixteen, linearTime), bounded).verdict;
    CHECK(verdict.stable);
    CHECK(verdict.reason.english().find("40 are in flight at most") != std::string::npos);
    traffic.arrivals.kind = ArrivalShape::Kind::AtOnce;
    traffic.rate = {};
    CHECK(measuredRun(setupOf(sixteen, linearTime), traffic).verdict.stable);
}

TEST_CASE("a prefill pool that is too small is what limits the service")
{
    ServingSetup setup = setupOf(sixteen, linearTime, 4);
    setup.prefill = PrefillPool{.pool = {.scheduling = sixteen, .stepTime = linearTime}, .link = {}};
    Traffic traffic{.rate = RequestsPerSecond(20), .requests = 2000};
    traffic.classes[0].prompt = LengthDistribution::of(1000);
    traffic.classes[0].output = LengthDistribution::of(100);
    const Run flooded = measuredRun(setup, traffic);
    CHECK_FALSE(flooded.verdict.stable);
    // 4096 tokens of prompt in 0.4196 s: 9.76 prompts a second at most.
    CHECK(flooded.verdict.capacity.base() == doctest::Approx(9.76).epsilon(0.05));
    CHECK(flooded.verdict.reason.english().find("prefill pool") != std::string::npos);
    traffic.rate = RequestsPerSecond(7);
    CHECK(measuredRun(setup, traffic).verdict.stable);
}

TEST_CASE("speculation by draws yields what its mean says")
{
    Traffic traffic{.rate = RequestsPerSecond(1), .requests = 2000};
    traffic.classes[0].prompt = LengthDistribution::of(10);
    traffic.classes[0].output = LengthDistribution::of(101);
    Scheduling scheduling = sixteen;
    scheduling.speculation = {.draftTokens = 4, .acceptance = 0.7, .sampled = true};
    const Run drawn = measuredRun(setupOf(scheduling, oneSecond), traffic);
    // (1 - 0.7^5) / 0.3 = 2.7731 tokens a step; the last step of an answer is cut short: half of the rest on
    // average.
    const double steps = static_cast<double>(drawn.simulation.replicas[0].decodedRows) / 2000;
    CHECK(100 / steps == doctest::Approx(2.7731).epsilon(0.02));
}

TEST_CASE("before the engine looks at a request it takes it in")
{
    // Both prompts in the step that ends at 1 s, two decodes of 1 s each. Taking in costs 0.5 s: 1.5 s to the
    // first token, 3.5 s in all. Neither the pace of tokens nor the wait in line changes.
    const Workload workload = workloadOf({{0, 4, 3}, {0, 4, 3}});
    const auto done
        = simulate(setupOf({.maxSequences = 4, .kvTokens = 64, .blockTokens = 4}, oneSecond), workload);
    REQUIRE(done);
    const Measures plain = measure(*done, workload);
    CHECK(plain.ttft.mean.base() == doctest::Approx(1));
    const Measures taken = measure(*done, workload, {.intake = {.host = Seconds(0.5)}});
    CHECK(taken.ttft.mean.base() == doctest::Approx(1.5));
    CHECK(taken.latency.mean.base() == doctest::Approx(3.5));
    CHECK(taken.tpot.mean.base() == doctest::Approx(1));
    CHECK(taken.queue.mean.base() == plain.queue.mean.base());
}

TEST_CASE("a first token that a later piece of the answer shows is seen with that piece, and the answer ends "
          "as ever")
{
    // The prompt in the step that ends at 1 s, two decodes of 1 s each.
    const Workload workload = workloadOf({{0, 4, 3}});
    const auto done
        = simulate(setupOf({.maxSequences = 4, .kvTokens = 64, .blockTokens = 4}, oneSecond), workload);
    REQUIRE(done);
    const Measures inTwos = measure(*done, workload, {.besideFirst = 1});
    CHECK(inTwos.ttft.mean.base() == doctest::Approx(2));
    CHECK(inTwos.latency.mean.base() == doctest::Approx(3));
    CHECK(inTwos.tpot.mean.base() == doctest::Approx(1));
    CHECK(measure(*done, workload, {.besideFirst = 10}).ttft.mean.base() == doctest::Approx(3));
}

TEST_CASE("the distribution that is drawn is of the times that the percentiles count")
{
    // Taking a request in is part of its time to the first token, and requests of the warm-up are in neither.
    Traffic traffic{.rate = RequestsPerSecond(2), .requests = 400};
    traffic.classes[0].prompt = LengthDistribution::of(1000);
    traffic.classes[0].output = LengthDistribution::of(100);
    const Run played = measuredRun(setupOf(sixteen, linearTime), traffic);
    ServingRun serving{JudgedRun{.simulation = played.simulation}};
    serving.workload = played.workload;
    serving.measures = measure(serving.simulation, serving.workload,
                               {.intake = {.host = Seconds(0.75)}, .besideFirst = 10});
    const std::vector<DistributionPoint> points = distributionOf(serving, ServingTime::Ttft, 100);
    REQUIRE(points.size() == 101);
    CHECK(points[50].time.base() == doctest::Approx(serving.measures.ttft.p50.base()));
    CHECK(points[99].time.base() == doctest::Approx(serving.measures.ttft.p99.base()));
    CHECK(points[0].time.base() > 0.75);
}
