#include "app/probe/search.h"
#include "tests/app/probe/scripted_transport.h"
#include "tests/thorough.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

using namespace headroom;
using test::ScriptedTransport;

namespace {

// A server whose tokens take longer the more streams share it, each stream with a luck of its own: what
// `served` streams take as long as `tpot`, twice as many take twice as long.
struct SharedServer {
    double tpot = 0.02;
    double served = 10;
    double luck = 0.1; // standard deviation of a stream's logarithm
    std::mt19937_64 random;

    [[nodiscard]] std::vector<ScriptedTransport::Step> answer(int inFlight)
    {
        std::normal_distribution<double> normal(0, luck);
        const double slower = std::max(1.0, inFlight / served);
        const double time = tpot * slower * std::exp(normal(random));
        return test::usualStream(3, 2 * time, time, 3);
    }
    // The most streams of which 90 % keep the target, from the formula above.
    [[nodiscard]] double most(double target) const
    {
        constexpr double ninetieth = 1.2815515655446004; // of the standard normal distribution
        return served * target / tpot / std::exp(ninetieth * luck);
    }
};

probe::ProbePlan searchPlan(double tpot)
{
    probe::ProbePlan plan{.model = "toy"};
    plan.prompt = LengthDistribution::of(4);
    plan.output = LengthDistribution::of(3);
    plan.targets.tpot = Seconds(tpot);
    return plan;
}

} // namespace

TEST_CASE("the most users are found within a step of the truth in at least 95 % of the runs")
{
    const int runs = test::cases(20, 100);
    constexpr double target = 0.05;
    int within = 0;
    int inRange = 0;
    for (unsigned seed = 1; seed <= static_cast<unsigned>(runs); ++seed) {
        std::mt19937_64 draw(seed);
        SharedServer server{.random = std::mt19937_64(seed)};
        server.served = std::uniform_real_distribution<double>(1.5, 60)(draw);
        server.luck = std::uniform_real_distribution<double>(0.02, 0.3)(draw);
        ScriptedTransport transport(
            [&](const probe::Exchange&, int inFlight) { return server.answer(inFlight); });
        probe::ProbePlan plan = searchPlan(target);
        plan.seed = seed;
        const probe::ProbeReport report = probe::probeUpTo(transport, plan, 4096, {});
        const double truth = std::floor(server.most(target));
        const double step = std::max(1.0, truth / 8);
        within += std::abs(report.highest - truth) <= step ? 1 : 0;
        inRange
            += report.highestLow.value_or(0) <= truth && truth <= report.highestHigh.value_or(1e9) ? 1 : 0;
        CAPTURE(seed);
        CAPTURE(truth);
        CAPTURE(report.highest);
        CHECK(std::abs(report.highest - truth) <= 2 * step + 1); // and never far off
    }
    CHECK(within * 100 >= runs * 95);
    CHECK(inRange * 100 >= runs * 90); // each level is 95 % sure, and a search has several
    MESSAGE("within a step: ", within, " of ", runs, ", in the told range: ", inRange);
}

TEST_CASE("without noise the search doubles, closes in to an eighth, and knows between what the answer lies")
{
    SharedServer server{.served = 40, .luck = 0};
    ScriptedTransport transport(
        [&](const probe::Exchange&, int inFlight) { return server.answer(inFlight); });
    std::vector<int> tried;
    const probe::ProbeHooks hooks{.counters = {},
                                  .onLevel
                                  = [&](const probe::ProbeLevel& l) { tried.push_back(l.concurrency); },
                                  .stop = {}};
    const auto report
        = probe::probeUpTo(transport, searchPlan(0.0501), 4096, hooks); // 100 streams take 0.05 s
    CHECK(tried == std::vector<int>{1, 2, 4, 8, 16, 32, 64, 128, 96, 112, 104});
    CHECK(report.highest == 96);
    CHECK(report.limitedBy == probe::LimitedBy::Targets);
    REQUIRE(report.highestHigh);
    CHECK(*report.highestHigh == 103);
    REQUIRE(report.highestLow);
    CHECK(*report.highestLow == 96);
}

TEST_CASE("what the machine that asks cannot hold is its own limit, never the server's")
{
    SharedServer server{.served = 1e9, .luck = 0};
    ScriptedTransport transport(
        [&](const probe::Exchange&, int inFlight) { return server.answer(inFlight); });
    SUBCASE("too few file descriptors, known before")
    {
        transport.files = 56;
        const auto report = probe::probeUpTo(transport, searchPlan(1), 4096, {});
        CHECK(report.highest == 56);
        CHECK(report.limitedBy == probe::LimitedBy::ClientFiles);
        CHECK_FALSE(report.highestHigh);
    }
    SUBCASE("too few file descriptors, met on the way")
    {
        ScriptedTransport few([&](const probe::Exchange&, int inFlight) {
            return inFlight > 20 ? std::vector{test::endAt(0, probe::FailureKind::ClientFiles)}
                                 : server.answer(inFlight);
        });
        const auto report = probe::probeUpTo(few, searchPlan(1), 4096, {});
        CHECK(report.highest == 16);
        CHECK(report.limitedBy == probe::LimitedBy::ClientFiles);
        CHECK(report.levels.back().end == probe::LevelEnd::ClientLimit);
        CHECK(report.levels.back().failed == 0); // no request of the server's
        CHECK_FALSE(report.highestHigh);
    }
    SUBCASE("a busy processor")
    {
        SharedServer slow{.served = 4, .luck = 0};
        ScriptedTransport busy([&](const probe::Exchange&, int inFlight) { return slow.answer(inFlight); });
        busy.processorShare = 0.99;
        busy.lag = 0.005;
        const auto report = probe::probeUpTo(busy, searchPlan(0.05), 4096, {});
        CHECK(report.limitedBy == probe::LimitedBy::ClientBusy);
        CHECK(report.highest == 8);
    }
    SUBCASE("no more asked for")
    {
        const auto report = probe::probeUpTo(transport, searchPlan(1), 12, {});
        CHECK(report.highest == 12);
        CHECK(report.limitedBy == probe::LimitedBy::MostAsked);
        CHECK_FALSE(report.highestHigh);
    }
}

TEST_CASE("an interrupted search keeps the levels that ended")
{
    SharedServer server{.served = 1e9, .luck = 0};
    ScriptedTransport transport(
        [&](const probe::Exchange&, int inFlight) { return server.answer(inFlight); });
    int levels = 0;
    const probe::ProbeHooks hooks{.counters = {},
                                  .onLevel = [&](const probe::ProbeLevel&) { ++levels; },
                                  .stop = [&] { return levels >= 3; }};
    const auto report = probe::probeUpTo(transport, searchPlan(1), 4096, hooks);
    CHECK(report.partial());
    CHECK(report.highest == 4);
    REQUIRE(report.levels.size() == 4);
    CHECK(report.levels.back().end == probe::LevelEnd::Interrupted);
}

TEST_CASE("a server that dies ends the search, and what it served before is told")
{
    SharedServer server{.served = 1e9, .luck = 0};
    int left = 200;
    ScriptedTransport transport([&](const probe::Exchange&, int inFlight) {
        return --left < 0 ? std::vector{test::endAt(0.001, probe::FailureKind::NotConnected)}
                          : server.answer(inFlight);
    });
    const auto report = probe::probeUpTo(transport, searchPlan(1), 4096, {});
    CHECK(report.limitedBy == probe::LimitedBy::Failures);
    CHECK(report.highest >= 4);
    CHECK(report.levels.back().failures.front().name == "not-connected");
}

TEST_CASE("the counters of the server are read before and after each level")
{
    SharedServer server{.served = 1e9, .luck = 0};
    ScriptedTransport transport(
        [&](const probe::Exchange&, int inFlight) { return server.answer(inFlight); });
    double tokens = 100;
    const probe::ProbeHooks hooks{.counters =
                                      [&] {
                                          tokens += 50;
                                          return std::optional(probe::ServerCounters{
                                              .kind = probe::ServerKind::Vllm, .outputTokens = tokens});
                                      },
                                  .onLevel = {},
                                  .stop = {}};
    const auto report = probe::probeUpTo(transport, searchPlan(1), 4, hooks);
    for (const probe::ProbeLevel& level : report.levels) {
        REQUIRE(level.server);
        CHECK(level.server->outputTokens == 50);
    }
}
