#include "app/probe/level.h"
#include "tests/app/probe/scripted_transport.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <set>

using namespace headroom;
using test::ScriptedTransport;

namespace {

probe::ProbePlan levelPlan(int requests)
{
    probe::ProbePlan plan{.model = "toy"};
    plan.prompt = LengthDistribution::of(4);
    plan.output = LengthDistribution::of(8);
    plan.requests = requests;
    return plan;
}

int tokensAsked(const probe::Exchange& exchange)
{
    return nlohmann::json::parse(exchange.body).at("max_tokens").get<int>();
}

// As many tokens as are asked for.
std::vector<ScriptedTransport::Step> obedient(const probe::Exchange& exchange, double ttft, double tpot)
{
    const int tokens = tokensAsked(exchange);
    return test::usualStream(tokens, ttft, tpot, tokens);
}

} // namespace

TEST_CASE("figures are those of the steady window, users always at work")
{
    ScriptedTransport transport(
        [](const probe::Exchange& exchange, int) { return obedient(exchange, 0.5, 0.1); });
    const auto level = probe::runLevel(transport, levelPlan(40), {.users = 4}, probe::Settle::No);
    CHECK(level.end == probe::LevelEnd::Complete);
    CHECK(level.requests == 40);
    CHECK(level.failed == 0);
    CHECK(level.warmUp == 4);
    CHECK(transport.mostInFlight == 4);
    CHECK(level.ttft.spread.p50.base() == doctest::Approx(0.5));
    CHECK(level.tpot.spread.p99.base() == doctest::Approx(0.1));
    CHECK(level.latency.spread.p50.base() == doctest::Approx(0.5 + 7 * 0.1));
    CHECK(level.meanOutputTokens == doctest::Approx(8));
    CHECK(level.meanPromptTokens == doctest::Approx(12));
    // Four users, eight tokens in 1.2 s each.
    CHECK(level.outputTokensPerSecond == doctest::Approx(4 * 8 / 1.2).epsilon(0.05));
    CHECK(level.requestsPerSecond == doctest::Approx(4 / 1.2).epsilon(0.05));
    CHECK(level.countedBy[std::size_t(probe::CountedBy::Usage)] == 40);
}

TEST_CASE("first answers have lengths of their own, so that users are not in step")
{
    std::vector<int> lengths;
    ScriptedTransport transport([&](const probe::Exchange& exchange, int) {
        lengths.push_back(tokensAsked(exchange));
        return obedient(exchange, 0.5, 0.1);
    });
    (void)probe::runLevel(transport, levelPlan(16), {.users = 4}, probe::Settle::No);
    REQUIRE(lengths.size() >= 20);
    CHECK(std::vector<int>(lengths.begin(), lengths.begin() + 4) == std::vector<int>{2, 4, 6, 8});
    CHECK(std::set<int>(lengths.begin() + 4, lengths.end()) == std::set<int>{8});
}

TEST_CASE("a failed request counts even in the warm-up, and ends its level when it is one of many equal ones")
{
    ScriptedTransport transport([](const probe::Exchange&, int) {
        return std::vector{test::endAt(0.01, probe::FailureKind::NotConnected)};
    });
    const auto level = probe::runLevel(transport, levelPlan(1000), {.users = 16}, probe::Settle::No);
    CHECK(level.end == probe::LevelEnd::EqualFailures);
    CHECK(level.failed == level.requests);
    CHECK(level.requests >= 10);
    CHECK(level.requests <= 26); // ten in a row, and who was on the way
    CHECK_FALSE(level.meets);
    CHECK(level.attainment == 0);
    REQUIRE(level.failures.size() == 1);
    CHECK(level.failures.front().name == "not-connected");
}

TEST_CASE("failures that are rare among answers do not end a level")
{
    int number = 0;
    ScriptedTransport transport([&](const probe::Exchange& exchange, int) {
        return ++number % 4 == 0 ? std::vector{test::endAt(0.01, probe::FailureKind::Reset)}
                                 : obedient(exchange, 0.1, 0.01);
    });
    const auto level = probe::runLevel(transport, levelPlan(100), {.users = 2}, probe::Settle::No);
    CHECK(level.end == probe::LevelEnd::Complete);
    CHECK(level.failed >= 25);
    CHECK(level.requests >= 100);
    CHECK_FALSE(level.meets); // without targets all must be answered
}

TEST_CASE("a level has a deadline, and what is not answered by then has failed")
{
    ScriptedTransport transport(
        [](const probe::Exchange& exchange, int) { return obedient(exchange, 30, 1); });
    probe::ProbePlan plan = levelPlan(1000);
    plan.deadlines.level = 100;
    const auto level = probe::runLevel(transport, plan, {.users = 2}, probe::Settle::No);
    CHECK(level.end == probe::LevelEnd::Deadline);
    CHECK(transport.now() < 101);
    CHECK(level.requests > level.failed);
    REQUIRE(level.failures.size() == 1);
    CHECK(level.failures.front().name == "level-deadline");
    CHECK(level.failures.front().count == 2);
    CHECK_FALSE(level.meets);
}

TEST_CASE("an open loop sends requests when they are due, whether others are answered or not")
{
    ScriptedTransport transport(
        [](const probe::Exchange& exchange, int) { return obedient(exchange, 2, 0.1); });
    probe::ProbePlan plan = levelPlan(200);
    plan.arrivals = *serve::arrivalsFromText("constant");
    const auto level
        = probe::runLevel(transport, plan, {.users = 0, .requestsPerSecond = 10}, probe::Settle::No);
    CHECK(level.end == probe::LevelEnd::Complete);
    CHECK(level.requests == 200);
    CHECK(level.warmUp == 20);
    CHECK(level.requestsPerSecond == doctest::Approx(10).epsilon(0.1));
    CHECK(level.concurrency == doctest::Approx(27).epsilon(0.1)); // Little: 10 a second, 2.7 s each
    CHECK(level.ttft.spread.p50.base() == doctest::Approx(2));
}

TEST_CASE("more requests in flight than allowed are a limit of the one who asks")
{
    ScriptedTransport transport(
        [](const probe::Exchange& exchange, int) { return obedient(exchange, 100, 0.1); });
    probe::ProbePlan plan = levelPlan(200);
    plan.mostInFlight = 32;
    const auto level
        = probe::runLevel(transport, plan, {.users = 0, .requestsPerSecond = 10}, probe::Settle::No);
    CHECK(level.end == probe::LevelEnd::ClientLimit);
    CHECK(level.failed == 0);
    CHECK_FALSE(level.meets);
}

TEST_CASE("a verdict that few requests leave open is settled by more, a clear one is not")
{
    int number = 0;
    ScriptedTransport transport([&](const probe::Exchange& exchange, int) {
        return obedient(exchange, 0.1, ++number * 37 % 100 < 91 ? 0.01 : 1);
    });
    probe::ProbePlan plan = levelPlan(0);
    plan.targets.tpot = Seconds(0.02);
    const auto close = probe::runLevel(transport, plan, {.users = 2}, probe::Settle::Both);
    CHECK(close.requests > 100);
    plan.targets.tpot = Seconds(0.001);
    const auto clear = probe::runLevel(transport, plan, {.users = 2}, probe::Settle::Both);
    CHECK(clear.requests == 16);
    CHECK_FALSE(clear.meets);
}

TEST_CASE("percentiles say between what they lie, and nothing where requests are too few")
{
    int number = 0;
    ScriptedTransport transport([&](const probe::Exchange& exchange, int) {
        return obedient(exchange, 0.001 * (1 + ++number % 100), 0.01);
    });
    const auto level = probe::runLevel(transport, levelPlan(100), {.users = 1}, probe::Settle::No);
    // Of 100 requests the median lies between the 40th and the 61st: the binomial tables' ranks.
    REQUIRE(level.ttft.p50.low);
    REQUIRE(level.ttft.p50.high);
    CHECK(*level.ttft.p50.low == doctest::Approx(0.040).epsilon(0.03));
    CHECK(*level.ttft.p50.high == doctest::Approx(0.061).epsilon(0.03));
    CHECK_FALSE(level.ttft.p99.high); // 100 requests do not bound the last hundredth
}
