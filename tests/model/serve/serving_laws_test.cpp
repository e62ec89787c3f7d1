#include "model/serve/remembered_steps.h"
#include "tests/model/serve/naive_engine.h"
#include "tests/model/serve/scenarios.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <rapidcheck.h>

using namespace headroom;
using namespace headroom::serve;
using namespace headroom::serve::testing;

namespace {

// Bends like a real step: a floor, prompt work, cache reads. Nothing here is linear on purpose.
Seconds bentTime(const StepShape& shape)
{
    const double compute = 1e-4 * (shape.prefillTokens + shape.decodeSequences)
        + 1e-7 * shape.prefillTokens * shape.prefillPast;
    const double memory = 5e-3 + 2e-7 * shape.decodeSequences * shape.decodeContext;
    return Seconds(std::hypot(compute, memory));
}

struct Drawn {
    Scheduling scheduling;
    Workload workload;
};

Drawn drawScenario()
{
    Drawn drawn;
    Scheduling& scheduling = drawn.scheduling;
    scheduling.kind = *rc::gen::element(SchedulerKind::Static, SchedulerKind::PrefillFirst,
                                        SchedulerKind::ChunkedPrefill);
    scheduling.blockTokens = *rc::gen::element(1, 4, 16);
    scheduling.maxSequences = *rc::gen::inRange(1, 12);
    scheduling.maxBatchedTokens = scheduling.maxSequences + *rc::gen::inRange(0, 120);
    scheduling.kvTokens = *rc::gen::inRange(80, 600);
    scheduling.preemption = *rc::gen::element(PreemptionKind::None, PreemptionKind::Recompute);
    const int count = *rc::gen::inRange(1, 40);
    double time = 0;
    for (int i = 0; i < count; ++i) {
        time += *rc::gen::inRange(0, 40) * 1e-3;
        drawn.workload.requests.push_back({.arrival = Seconds(time),
                                           .promptTokens = *rc::gen::inRange(1, 70),
                                           .outputTokens = *rc::gen::inRange(1, 50)});
    }
    return drawn;
}

void addSharing(Drawn& drawn)
{
    drawn.scheduling.prefixCache = *rc::gen::arbitrary<bool>();
    drawn.scheduling.preemption
        = *rc::gen::element(PreemptionKind::None, PreemptionKind::Recompute, PreemptionKind::Swap);
    drawn.scheduling.receiveInterval = *rc::gen::element(1, 1, 3, 10);
    drawn.scheduling.balanceSteps = *rc::gen::element(0, 4);
    drawn.scheduling.swapPerToken = Seconds(1e-5);
    drawn.scheduling.swapTokens = *rc::gen::inRange(0, 300);
    drawn.scheduling.beams = *rc::gen::element(1, 1, 2);
    drawn.scheduling.maxSequences = std::max<std::int64_t>(drawn.scheduling.maxSequences, 2);
    drawn.scheduling.maxBatchedTokens += 60;
    drawn.scheduling.ranks = *rc::gen::element(1, 1, 2, 3); // each with as much as the one had
    for (std::int64_t* const total : {&drawn.scheduling.maxSequences, &drawn.scheduling.maxBatchedTokens,
                                      &drawn.scheduling.kvTokens, &drawn.scheduling.swapTokens})
        *total *= drawn.scheduling.ranks;
    if (*rc::gen::inRange(0, 3) == 0)
        drawn.scheduling.speculation
            = {.draftTokens = 3, .acceptance = 0.6, .sampled = *rc::gen::arbitrary<bool>()};
    if (*rc::gen::inRange(0, 4) == 0)
        drawn.scheduling.guided = {.maskPerRow = Seconds(1e-5), .forcedShare = 0.3};
    for (Request& request : drawn.workload.requests) {
        request.session = *rc::gen::inRange(-1, 3);
        request.systemTokens = std::min(20, request.promptTokens);
        if (request.session >= 0)
            request.sessionTokens = *rc::gen::inRange(0, request.promptTokens);
    }
}

Simulation simulated(const ServingSetup& setup, const Workload& workload)
{
    Result<Simulation> result = simulate(setup, workload);
    RC_ASSERT(result.has_value());
    return std::move(*result);
}

double meanWait(const Simulation& simulation)
{
    double sum = 0;
    for (const Outcome& outcome : simulation.outcomes)
        sum += (outcome.start - outcome.arrival).base();
    return sum / static_cast<double>(simulation.outcomes.size());
}

} // namespace

TEST_CASE("law: the fast engine and the naive one agree on every request, to the bit")
{
    CHECK(rc::check([] {
        Drawn drawn = drawScenario();
        if (drawn.scheduling.kind == SchedulerKind::Static)
            drawn.scheduling.kind = SchedulerKind::ChunkedPrefill;
        NaiveEngine naive{.rules = drawn.scheduling, .stepTime = bentTime};
        const std::vector<Outcome> expected = naive.serve(drawn.workload.requests);
        const Simulation fast = simulated(setupOf(drawn.scheduling, bentTime), drawn.workload);
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const Outcome& outcome = fast.outcomes[i];
            RC_ASSERT(outcome.state == expected[i].state);
            if (outcome.state == Outcome::State::Refused)
                continue;
            RC_ASSERT(outcome.start == expected[i].start);
            RC_ASSERT(outcome.firstToken == expected[i].firstToken);
            RC_ASSERT(outcome.end == expected[i].end);
            RC_ASSERT(outcome.preemptions == expected[i].preemptions);
        }
        RC_ASSERT(fast.replicas[0].steps == naive.steps);
        RC_ASSERT(fast.replicas[0].peakKvTokens == naive.peakBlocks * drawn.scheduling.pageTokens());
    }));
}

TEST_CASE("law: steps taken together change nothing, whatever the features")
{
    CHECK(rc::check([] {
        Drawn drawn = drawScenario();
        addSharing(drawn);
        ServingSetup setup = setupOf(drawn.scheduling, bentTime, *rc::gen::inRange(1, 4));
        setup.routing = *rc::gen::element(Routing::RoundRobin, Routing::LeastLoaded, Routing::PrefixAware);
        drawn.workload.users = *rc::gen::element(0, 0, 1, 3, 9); // who take turns, replicas wait for others
        setup.keepsSamples = *rc::gen::element(true, false);
        setup.pool.roundsContext = *rc::gen::element(true, false); // many of them last equally long
        if (setup.pool.roundsContext)
            setup.pool.stepTime = [known = RememberedSteps<Seconds>()](const StepShape& shape) mutable {
                return known.of(shape, bentTime);
            };
        const Simulation together = simulated(setup, drawn.workload);
        setup.pool.scheduling.takeTogether = false;
        const Simulation single = simulated(setup, drawn.workload);
        RC_ASSERT(together.outcomes == single.outcomes);
        for (std::size_t i = 0; i < together.replicas.size(); ++i) {
            const ReplicaLog& a = together.replicas[i];
            const ReplicaLog& b = single.replicas[i];
            RC_ASSERT(a.steps == b.steps);
            RC_ASSERT(a.busy == b.busy);
            RC_ASSERT(a.decodedRows == b.decodedRows);
            RC_ASSERT(a.samples == b.samples);
            RC_ASSERT(a.peakKvTokens == b.peakKvTokens);
            RC_ASSERT(a.kvTokenSeconds == b.kvTokenSeconds);
            RC_ASSERT(a.gaps.mean() == b.gaps.mean());
            RC_ASSERT(a.gaps.quantile(0.99) == b.gaps.quantile(0.99));
        }
    }));
}

TEST_CASE("law: every token is generated once, the cache never overflows, and nobody starves")
{
    CHECK(rc::check([] {
        Drawn drawn = drawScenario();
        addSharing(drawn);
        const Simulation done = simulated(setupOf(drawn.scheduling, bentTime), drawn.workload);
        std::int64_t gaps = 0;
        std::int64_t prompts = 0;
        Seconds lastStart(-1);
        for (std::size_t i = 0; i < done.outcomes.size(); ++i) {
            const Outcome& outcome = done.outcomes[i];
            const Request& request = drawn.workload.requests[i];
            RC_ASSERT(outcome.state != Outcome::State::Unfinished);
            if (outcome.state == Outcome::State::Refused)
                continue;
            gaps += request.outputTokens - 1;
            prompts += request.promptTokens - outcome.cachedTokens;
            RC_ASSERT(outcome.arrival <= outcome.start);
            RC_ASSERT(outcome.start < outcome.firstToken);
            RC_ASSERT(outcome.firstToken <= outcome.end);
            // First come, first served; each rank has a line of its own.
            RC_ASSERT(outcome.start >= lastStart || drawn.scheduling.ranks > 1);
            lastStart = outcome.start;
        }
        const ReplicaLog& log = done.replicas[0];
        RC_ASSERT(log.gaps.count() == gaps);
        if (log.preemptions == 0 && drawn.scheduling.guided.forcedShare == 0)
            RC_ASSERT(log.prefillTokens == prompts);
        RC_ASSERT(log.peakKvTokens <= drawn.scheduling.kvTokens);
        RC_ASSERT(log.peakRunning * drawn.scheduling.beams <= drawn.scheduling.maxSequences);
        for (const LoadSample& sample : log.samples)
            RC_ASSERT(sample.kvTokens <= drawn.scheduling.kvTokens);
    }));
}

TEST_CASE("M/D/1: one server with a fixed service time waits rho S / (2 (1 - rho))")
{
    // Pollaczek and Khinchine. One slot, one output token: the prompt pass is the whole service.
    std::mt19937_64 random(7);
    for (const double rho : {0.5, 0.8}) {
        CAPTURE(rho);
        Workload workload;
        double time = 0;
        for (int i = 0; i < 400000; ++i) {
            time -= std::log(static_cast<double>(random() >> 11U) * 0x1p-53 + 0x1p-54) / rho;
            workload.requests.push_back({.arrival = Seconds(time)});
        }
        const Scheduling scheduling{.maxSequences = 1, .kvTokens = 64};
        const Result<Simulation> done = simulate(setupOf(scheduling, oneSecond), workload);
        REQUIRE(done);
        CHECK(meanWait(*done) == doctest::Approx(rho / (2 * (1 - rho))).epsilon(0.02));
    }
}

TEST_CASE("M/M/1: exponential service waits rho / (mu - lambda)")
{
    std::mt19937_64 random(11);
    const auto exponential
        = [&] { return -std::log(static_cast<double>(random() >> 11U) * 0x1p-53 + 0x1p-54); };
    const double rho = 0.6;
    Workload workload;
    double time = 0;
    for (int i = 0; i < 600000; ++i) {
        time += exponential() / rho;
        // A thousand prompt tokens a second on average, rounded up: the half token more is 0.05 %.
        workload.requests.push_back(
            {.arrival = Seconds(time),
             .promptTokens = static_cast<std::int32_t>(std::ceil(1000 * exponential()))});
    }
    const Scheduling scheduling{.maxSequences = 1, .maxBatchedTokens = 0, .kvTokens = 100000};
    const auto service = [](const StepShape& shape) { return Seconds(shape.prefillTokens / 1000); };
    const Result<Simulation> done = simulate(setupOf(scheduling, service), workload);
    REQUIRE(done);
    CHECK(meanWait(*done) == doctest::Approx(rho / (1 - rho)).epsilon(0.02));
}

TEST_CASE("law: N replicas in turn are one replica with every Nth request")
{
    CHECK(rc::check([] {
        const Drawn drawn = drawScenario();
        const int replicas = *rc::gen::inRange(2, 5);
        ServingSetup setup = setupOf(drawn.scheduling, bentTime, replicas);
        setup.routing = Routing::RoundRobin;
        const Simulation all = simulated(setup, drawn.workload);
        setup.pool.replicas = 1;
        for (int replica = 0; replica < replicas; ++replica) {
            Workload part;
            std::vector<Outcome> expected;
            for (std::size_t i = static_cast<std::size_t>(replica); i < all.outcomes.size();
                 i += static_cast<std::size_t>(replicas)) {
                part.requests.push_back(drawn.workload.requests[i]);
                expected.push_back(all.outcomes[i]);
                expected.back().replica
                    = expected.back().state == Outcome::State::Done ? std::int16_t{0} : std::int16_t{-1};
            }
            RC_ASSERT(simulated(setup, part).outcomes == expected);
        }
    }));
}

TEST_CASE("law: a bound on what is in flight keeps it, and takes nothing where it is wide")
{
    CHECK(rc::check([] {
        const Drawn drawn = drawScenario();
        const ServingSetup setup = setupOf(drawn.scheduling, bentTime);
        const Simulation open = simulated(setup, drawn.workload);
        Workload bounded = drawn.workload;
        bounded.mostInFlight = static_cast<std::int32_t>(drawn.workload.requests.size());
        RC_ASSERT(simulated(setup, bounded).outcomes == open.outcomes);

        const int bound = *rc::gen::inRange(1, 6);
        bounded.mostInFlight = bound;
        const Simulation narrow = simulated(setup, bounded);
        for (std::size_t i = 0; i < narrow.outcomes.size(); ++i) {
            const Outcome& one = narrow.outcomes[i];
            RC_ASSERT(one.arrival >= drawn.workload.requests[i].arrival);
            int inFlight = 0; // when it is sent
            for (const Outcome& other : narrow.outcomes)
                inFlight += other.arrival <= one.arrival
                    && (other.end > one.arrival || (&other == &one && other.end == one.arrival));
            RC_ASSERT(inFlight <= bound);
        }
        // Requests that all wait from the start are taken as users in turn take them.
        for (Request& request : bounded.requests)
            request.arrival = {};
        Workload inTurn = bounded;
        inTurn.mostInFlight = 0;
        inTurn.users = bound;
        RC_ASSERT(simulated(setup, bounded).outcomes == simulated(setup, inTurn).outcomes);
    }));
}

TEST_CASE("bad setups and workloads are refused with every reason at once")
{
    Workload workload = workloadOf({{0, 0, 1}, {0, 1, 1}});
    workload.requests[1].follows = 1;
    const Result<Simulation> result
        = simulate(setupOf({.maxSequences = -1, .kvTokens = 0, .beams = 0}, nullptr, 0), workload);
    REQUIRE_FALSE(result);
    CHECK(result.error().size() >= 6);
}

TEST_CASE("a cancelled simulation hands back what is finished")
{
    Workload workload;
    for (int i = 0; i < 2000; ++i)
        workload.requests.push_back({.arrival = Seconds(i), .promptTokens = 1, .outputTokens = 3});
    std::stop_source source;
    RunControl control{.stop = source.get_token()};
    control.progress = [&](double fraction, std::string_view) {
        if (fraction > 0.3)
            source.request_stop();
    };
    const Result<Simulation> result = simulate(
        setupOf({.kvTokens = 64}, [](const StepShape&) { return Seconds(0.1); }), workload, control);
    REQUIRE(result);
    CHECK(result->partial);
    const auto done = std::count_if(result->outcomes.begin(), result->outcomes.end(),
                                    [](const Outcome& o) { return o.state == Outcome::State::Done; });
    CHECK(done > 500);
    CHECK(done < 1000);
}

TEST_CASE("a run ends where it is clear that its promise is kept, or broken, and not before")
{
    // Ten users in two replicas, a step of one second: each token takes one.
    Workload workload;
    workload.users = 10;
    for (int i = 0; i < 2000; ++i)
        workload.requests.push_back({.promptTokens = 1, .outputTokens = 5 + i % 4});
    const auto played = [&](double most, EndsBroken promise) {
        workload.classes.front().targets.tpot = Seconds(most);
        ServingSetup setup = setupOf({.maxSequences = 8, .kvTokens = 1000}, oneSecond, 2);
        setup.endsBroken = promise;
        return simulated(setup, workload);
    };
    const auto finished = [](const Simulation& of) {
        return std::count_if(of.outcomes.begin(), of.outcomes.end(),
                             [](const Outcome& o) { return o.state == Outcome::State::Done; });
    };
    const EndsBroken promise{.firstCounted = 200, .mostMisses = 200, .clearlyKept = 0.1};
    // Nobody misses it: that is six deviations from a tenth, 0.1 n > 6 sqrt(0.09 n), from 324 on.
    const Simulation kept = played(2, promise);
    CHECK(kept.kept);
    CHECK_FALSE(kept.broken);
    CHECK(finished(kept) >= 200 + 325);
    CHECK(finished(kept) <= 200 + 325 + 10);
    // All miss it: one more than may.
    const Simulation broken = played(0.5, promise);
    CHECK(broken.broken);
    CHECK_FALSE(broken.kept);
    CHECK(finished(broken) >= 200 + 201);
    CHECK(finished(broken) <= 200 + 201 + 10);
    // Where only a break is asked for the run goes on.
    EndsBroken only = promise;
    only.clearlyKept = 0;
    CHECK(finished(played(2, only)) == 2000);
    CHECK(played(0.5, only).broken);
}
