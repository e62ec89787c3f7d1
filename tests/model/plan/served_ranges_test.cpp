// How sure the figures of a replay are.
#include "model/ranges/served_ranges.h"
#include "model/search/answer_traffic.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <cmath>

namespace headroom::tests {
namespace {

struct Played {
    Resolved machine;
    serve::ServingPlan plan;
    serve::ServingRun run;

    [[nodiscard]] ServedRanges ranges() const
    {
        return {machine.scenario, {machine.deployment, machine.load}, std::nullopt, plan, run};
    }
    [[nodiscard]] RunKind kind() const { return runKindOf(machine.scenario, plan, run.measures); }
};

Scenario eightB()
{
    Scenario s;
    s.model = "llama-3.1-8b";
    s.gpus = {"h100-sxm-80gb"};
    s.engine = "vllm";
    s.prompt = LengthDistribution::of(500);
    s.output = LengthDistribution::of(100);
    s.requests = 400;
    return s;
}

Played playedOf(const Scenario& s)
{
    const Result<Resolved> machine = resolve(s, shipped());
    REQUIRE(machine.has_value());
    Result<serve::ServingPlan> plan = trafficOn(asItIs(*machine, s), s);
    REQUIRE(plan.has_value());
    Result<serve::ServingRun> run = serve::makeServingRun(*plan);
    REQUIRE(run.has_value());
    return {*machine, std::move(*plan), std::move(*run)};
}

// How far to either side, on average.
double wideOf(const RangeFactors& range) { return std::sqrt(range.high / range.low); }

} // namespace

TEST_CASE("what comes by the clock is served, however unsure its times are, until it is more than can be")
{
    Scenario s = eightB();
    s.requestsPerSecond = 2;
    const Played few = playedOf(s);
    CHECK(few.kind() == RunKind::OpenLoop);
    CHECK(wideOf(few.ranges().of(Metric::RequestRate)) < 1.1); // 400 gaps
    CHECK(wideOf(few.ranges().of(Metric::Tpot)) > wideOf(few.ranges().of(Metric::OutputThroughput)));
    s.requestsPerSecond = few.run.verdict.capacity.base() * 1.2;
    const Played many = playedOf(s);
    REQUIRE_FALSE(many.run.verdict.stable);
    CHECK(wideOf(many.ranges().of(Metric::OutputThroughput))
          > wideOf(few.ranges().of(Metric::OutputThroughput)));
    CHECK(wideOf(many.ranges().of(Metric::OutputThroughput)) > 1.03);
    // Of answers that differ, so many come to more or less.
    s = eightB();
    s.requestsPerSecond = 2;
    s.output = LengthDistribution::uniform(10, 190);
    CHECK(wideOf(playedOf(s).ranges().of(Metric::OutputThroughput))
          > wideOf(few.ranges().of(Metric::OutputThroughput)));
}

TEST_CASE("users who take turns are as unsure of what they get as of its times")
{
    Scenario s = eightB();
    s.concurrency = 16;
    const Played users = playedOf(s);
    CHECK(users.kind() == RunKind::ClosedLoop);
    CHECK(wideOf(users.ranges().of(Metric::OutputThroughput)) > 1.03);
    // A first token beside others is less sure than where nobody is waited for.
    s.concurrency = 1;
    const Played alone = playedOf(s);
    CHECK(wideOf(users.ranges().of(Metric::Ttft)) > wideOf(alone.ranges().of(Metric::Ttft)));
    // An engine fitted to one's own runs leaves no stranger's server.
    Played own = playedOf(s);
    Engine mine = *own.machine.deployment.engine;
    mine.lnSpreadSourcePrefill = mine.lnSpreadSourceDecode = 0;
    const double stranger = wideOf(own.ranges().of(Metric::Ttft));
    own.machine.deployment.engine = &mine;
    CHECK(wideOf(own.ranges().of(Metric::Ttft)) < stranger);
}

TEST_CASE("how requests come is read from what was played")
{
    Scenario s = eightB();
    s.traffic = "at-once";
    CHECK(playedOf(s).kind() == RunKind::Saturated);
    s.concurrency = 400;
    CHECK(playedOf(s).kind() == RunKind::Burst);
    s.scheduler = "static";
    CHECK(playedOf(s).kind() == RunKind::Static);
    // A bound that is held makes users of arrivals, one that is wide does not.
    s = eightB();
    s.loadTool = LoadTool::Online;
    s.requestsPerSecond = 1000;
    s.concurrency = 8;
    CHECK(playedOf(s).kind() == RunKind::ClosedLoop);
    s.requestsPerSecond = 1;
    s.concurrency = 100;
    CHECK(playedOf(s).kind() == RunKind::OpenLoop);
}

} // namespace headroom::tests
