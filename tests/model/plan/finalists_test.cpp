#include "model/advise/easier_end.h"
#include "model/advise/size.h"
#include "model/scenario/scenario_keys.h"
#include "model/scenario/scenario_values.h"
#include "model/scenario/service_load.h"
#include "model/search/finalists.h"
#include "model/search/judge.h"
#include "model/search/layouts.h"
#include "model/search/machines_to_try.h"
#include "model/search/replays.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fmt/format.h>

namespace headroom::tests {

namespace {

const SearchOptions replayed{.prune = true, .simulate = true, .explain = false};

std::shared_ptr<const SizingPlan> replayedPlan(const Scenario& scenario)
{
    auto plan = size(scenario, shipped(), replayed);
    if (!plan)
        FAIL(plan.error().front().where << " " << plan.error().front().what.english());
    return *plan;
}

// One replica more after the other, layout after layout: the slow way to the fewest GPUs that stand.
int fewestByTryingAll(const Scenario& scenario, int most)
{
    const auto machines = machinesToTry(scenario, shipped());
    REQUIRE(machines);
    const std::optional<serve::Workload> none;
    const RunControl control;
    Replays replays(scenario, none, control, 1'000'000);
    int fewest = most + 1;
    for (const auto& machine : machines->resolved)
        for (const Layout& layout : possibleLayouts(*machine, scenario)) {
            const Candidate first = judge(machine, layout, scenario);
            if (!first.meets)
                continue;
            for (int n = first.deployment.layout.replicas; n * layout.gpusPerReplica() < fewest; ++n)
                if (replays.played(first, n).meets) {
                    fewest = n * layout.gpusPerReplica();
                    break;
                }
        }
    return fewest;
}

Scenario chat(const char* model, const char* gpu)
{
    Scenario s;
    s.model = model;
    s.gpus = {gpu};
    s.prompt = LengthDistribution::of(512);
    s.output = LengthDistribution::of(64);
    return s;
}

} // namespace

TEST_CASE("The answer takes as few GPUs as trying every layout with one replica more after the other finds")
{
    Scenario prompts = chat("llama-3.1-8b", "l40s"); // the wait for first tokens decides
    prompts.concurrency = 40;
    prompts.targets.ttft = Seconds(0.25);
    Scenario rate = chat("qwen3-32b", "a100-sxm-80gb");
    rate.requestsPerSecond = 3;
    rate.targets.latency = Seconds(2.4);
    rate.targets.percentile = 95;
    Scenario speed = chat("llama-3.1-70b", "h100-sxm-80gb");
    speed.concurrency = 50;
    speed.targets.tokensPerSecond = 40;
    speed.targets.ttft = Seconds(0.4);
    for (const Scenario& s : {prompts, rate, speed}) {
        CAPTURE(s.model);
        const auto plan = replayedPlan(s);
        REQUIRE(plan->meets);
        REQUIRE(plan->answer.simulated);
        CHECK(plan->answer.gpus() == fewestByTryingAll(s, 200));
    }
}

TEST_CASE("A run that takes more than runs may says nothing, and that is its reason")
{
    Scenario s = chat("llama-3.1-8b", "l40s");
    s.concurrency = 40;
    s.targets.tokensPerSecond = 10;
    const auto plan = replayedPlan(s);
    REQUIRE(plan->meets);
    const std::optional<serve::Workload> none;
    const RunControl control;
    const auto play = [&](std::int64_t work) {
        const auto left = std::make_shared<std::int64_t>(work);
        const Candidate c = Replays(s, none, control, 1, left).playedWith(plan->answer, {.users = 40});
        CHECK(*left < work);
        return c;
    };
    const Candidate whole = play(1'000'000'000);
    CHECK(whole.meets);
    REQUIRE(whole.simulated);
    const Candidate cut = play(100);
    CHECK_FALSE(cut.meets);
    CHECK_FALSE(cut.simulated);
    CHECK(cut.reason.english() == notReplayed().english());
}

TEST_CASE("What the easier ends of ranges would take is told with the plan of the harder ones")
{
    Scenario hard = chat("llama-3.1-8b", "l40s");
    hard.concurrency = 200;
    hard.targets.tokensPerSecond = 30;
    Scenario easy = hard;
    easy.concurrency = 10;
    REQUIRE(findScenarioKey("concurrency")->set(hard, "10-200").empty());
    CHECK(hard.concurrency == 200);
    CHECK(scenarioValue(hard, "concurrency") == "10-200");
    SizingPlan told = *replayedPlan(hard);
    tellEasierEnd(told, hard, shipped(), replayed, {});
    const SizingPlan* const plan = &told;
    const auto easier = size(easy, shipped(), {.explain = false, .safer = true});
    REQUIRE(easier);
    CHECK(plan->assumptions.back().english().find(
              fmt::format("10 users at once take {} × NVIDIA L40S", (*easier)->answer.gpus()))
          != std::string::npos);
    CHECK((*easier)->answer.gpus() < plan->answer.gpus());
}

TEST_CASE("Nothing is said to meet a percentile that was not replayed")
{
    int asked = 0;
    int met = 0;
    for (const char* gpu : {"geforce-rtx-4090", "a10", "h20-96gb"})
        for (const double percentile : {50., 99.})
            for (const double ttft : {0.2, 0.3, 0.5}) {
                Scenario s = chat("llama-3.1-8b", gpu);
                s.concurrency = 60;
                s.targets.ttft = Seconds(ttft);
                s.targets.percentile = percentile;
                CAPTURE(gpu);
                CAPTURE(percentile);
                CAPTURE(ttft);
                const auto plan = replayedPlan(s);
                ++asked;
                if (!plan->meets) {
                    CHECK_FALSE(plan->reason.empty());
                    continue;
                }
                ++met;
                REQUIRE(plan->answer.simulated);
                CHECK(plan->answer.simulated->attainment * 100 >= percentile - 1e-9);
            }
    CHECK(met > asked / 3);
}

TEST_CASE("Where every layout fails its replay, what would be needed on average is not called an answer")
{
    // 16 GPUs that carry the load on average and whose first tokens wait too long for 99 in 100.
    Scenario s = chat("llama-3.1-70b", "a100-sxm-80gb");
    s.gpuCount = 16;
    s.concurrency = 120;
    s.targets.ttft = Seconds(0.42);
    s.targets.percentile = 99;
    auto options = replayed;
    options.simulate = false;
    const auto closedForm = size(s, shipped(), options);
    REQUIRE(closedForm);
    REQUIRE((*closedForm)->meets);
    const auto plan = replayedPlan(s);
    CHECK_FALSE(plan->meets);
    const Candidate& nearest = plan->answer;
    CHECK(nearest.missedBy > 1);
    // Of those that were played none is nearer.
    for (const Candidate& c : plan->candidates)
        if (c.simulated)
            CHECK(c.missedBy >= nearest.missedBy * 0.95);
}

TEST_CASE("A budget that would do pays what stands the replay, and asked for is an answer")
{
    Scenario s = chat("llama-3.1-70b", "h100-sxm-80gb");
    s.concurrency = 200;
    s.targets.tokensPerSecond = 20;
    s.targets.ttft = Seconds(0.3);
    s.money.budgetPerHour = 3;
    auto options = replayed;
    options.explain = true;
    const auto plan = size(s, shipped(), options);
    REQUIRE(plan);
    REQUIRE_FALSE((*plan)->meets);
    const auto remedy = std::find_if((*plan)->remedies.begin(), (*plan)->remedies.end(), [](const Remedy& r) {
        return r.amount == Remedy::Amount::HourlyBudget;
    });
    REQUIRE(remedy != (*plan)->remedies.end());
    const double needed = remedy->scenario.money.budgetPerHour.value_or(0);
    Scenario paid = s;
    paid.money.budgetPerHour = needed;
    CHECK(replayedPlan(paid)->meets);
    paid.money.budgetPerHour = needed - 0.5; // less than one GPU less
    CHECK_FALSE(replayedPlan(paid)->meets);
}

TEST_CASE("Of what misses a budget the cheapest that is fast enough is the nearest, bought or rented")
{
    Scenario s = chat("llama-3.1-70b", "h100-sxm-80gb");
    s.targets.tokensPerSecond = 20;
    Scenario bought = s;
    bought.money.buy = true;
    bought.money.purchaseBudget = Dollars(50000);
    Scenario rented = s;
    rented.money.budgetPerHour = 3;
    const auto free = replayedPlan(s);
    REQUIRE(free->meets);
    for (const Scenario& poor : {bought, rented}) {
        const auto plan = replayedPlan(poor);
        CHECK_FALSE(plan->meets);
        CHECK(plan->answer.missed == TargetKind::None);
        CHECK(plan->answer.gpus() == free->answer.gpus());
        CHECK(plan->reason.english().find("the budget is") != std::string::npos);
    }
    bought.gpuCount = 8; // those that were stated are all paid
    CHECK(replayedPlan(bought)->answer.gpus() == 8);
}

TEST_CASE("More GPUs never carry fewer users, and their confidence is that of as many stated")
{
    Scenario s;
    s.model = "llama-3.1-70b";
    s.gpus = {"h100-sxm-80gb"};
    s.objective = Objective::MostThroughput;
    s.targets.tokensPerSecond = 30;
    double before = 0;
    for (const int gpus : {4, 6, 8, 10, 12, 16}) {
        s.gpuCount = gpus;
        const auto plan = replayedPlan(s);
        REQUIRE(plan->meets);
        CAPTURE(gpus);
        CHECK(plan->answer.maxConcurrency >= before * 0.98); // found to within a fiftieth
        before = plan->answer.maxConcurrency;
        Scenario same = s;
        same.concurrency = before;
        CHECK(replayedPlan(same)->answer.confidence
              == doctest::Approx(plan->answer.confidence).epsilon(0.03));
    }
}

TEST_CASE("The most that is told stands a replay, whichever target decides and however the load comes")
{
    const auto keeps = [](const Candidate& answer, const Scenario& scenario, const ServiceLoad& load) {
        const std::optional<serve::Workload> none;
        const RunControl control;
        return Replays(scenario, none, control, 1).playedWith(answer, load).meets;
    };
    Scenario first = chat("qwen2.5-32b", "a100-sxm-80gb"); // first tokens alone decide
    first.gpuCount = 8;
    first.objective = Objective::MostThroughput;
    first.targets.ttft = Seconds(0.5);
    const auto users = replayedPlan(first);
    REQUIRE(users->meets);
    CHECK(keeps(users->answer, first, {.users = users->answer.maxConcurrency}));
    CHECK_FALSE(keeps(users->answer, first, {.users = std::ceil(users->answer.maxConcurrency * 1.1)}));
    REQUIRE(users->safeUsers);
    CHECK(*users->safeUsers < users->answer.maxConcurrency);
    Scenario harder = first; // a machine as slow as its range allows is one with as much shorter targets
    harder.targets.ttft
        = *first.targets.ttft * (users->answer.point.ttft.value / users->answer.point.ttft.high);
    CHECK(keeps(users->answer, harder, {.users = std::floor(*users->safeUsers * 0.9)}));

    // No split of the same GPUs carries many more.
    for (const int tp : {2, 4, 8}) {
        Scenario split = first;
        split.tp = tp;
        split.pp = 1;
        split.replicas = 8 / tp;
        const auto stated = replayedPlan(split);
        if (stated->meets)
            CHECK(stated->answer.point.prediction.service.outputTokensPerSecond.value
                  <= users->answer.point.prediction.service.outputTokensPerSecond.value * 1.03);
    }

    Scenario rate = chat("llama-3.1-70b", "h100-sxm-80gb");
    rate.requestsPerSecond = 4;
    rate.targets.ttft = Seconds(1);
    rate.targets.tpot = Seconds(0.05);
    for (const int spares : {0, 1}) {
        rate.spares = spares;
        const auto plan = replayedPlan(rate);
        REQUIRE(plan->meets);
        const double most = plan->answer.maxRequestsPerSecond;
        CHECK(most >= 4);
        CHECK(keeps(plan->answer, rate, {.requestsPerSecond = most}));
        CHECK_FALSE(keeps(plan->answer, rate, {.requestsPerSecond = most * 1.15}));
    }
}

TEST_CASE("A million tokens costs what the service costs in the time that the stated load takes to make them")
{
    Scenario s = chat("llama-3.1-70b", "h100-sxm-80gb");
    s.output = LengthDistribution::of(256);
    s.requestsPerSecond = 4;
    s.targets.tpot = Seconds(0.05);
    for (const int spares : {0, 1, 2}) {
        s.spares = spares;
        const auto plan = replayedPlan(s);
        const Service& service = plan->answer.point.prediction.service;
        const double hours = 1e6 / (4 * 256) / 3600;
        CHECK(service.dollarsPerMillionOutputTokens.value.base()
              == doctest::Approx(hours * service.price.base() * 3600));
    }
    Scenario users = chat("llama-3.1-8b", "l40s");
    users.concurrency = 11;
    users.replicas = 10; // one of them has two users, the others one
    const auto plan = replayedPlan(users);
    const OperatingPoint& point = plan->answer.point;
    CHECK(point.prediction.service.outputTokensPerSecond.value.base()
          == doctest::Approx(11 * point.prediction.requestTokensPerSecond.value.base()).epsilon(0.25));
}

TEST_CASE("Requests that seldom meet another's prompt have a service where those that often do have none")
{
    Scenario s = chat("llama-3.1-70b", "h100-sxm-80gb");
    s.prompt = LengthDistribution::of(4000);
    s.output = LengthDistribution::of(256);
    s.requestsPerSecond = 2;
    Scenario alone = s;
    alone.requestsPerSecond = 0.001;
    alone.tp = 8;
    const auto best = replayedPlan(alone);
    s.targets.tpot = best->answer.point.tpot.value * 1.06;
    const auto plan = replayedPlan(s);
    CHECK(plan->meets);
    CHECK(plan->answer.point.users < 1);
    s.targets.tpot = best->answer.point.tpot.value * 0.9; // too fast for one alone
    const auto none = replayedPlan(s);
    CHECK_FALSE(none->meets);
    CHECK(none->reason.english().find("on any number of GPUs") != std::string::npos);
}

TEST_CASE("As much money as the answer costs buys it, and requests that come too fast are said to")
{
    Scenario s = chat("qwen2.5-32b", "h100-sxm-80gb");
    s.prompt = LengthDistribution::of(2000);
    s.output = LengthDistribution::of(128);
    s.concurrency = 400;
    s.targets.ttft = Seconds(0.3);
    const auto plan = replayedPlan(s);
    REQUIRE(plan->meets);
    s.money.budgetPerHour = plan->answer.point.prediction.service.price.base() * 3600 + 0.01;
    CHECK(replayedPlan(s)->meets);

    Scenario fast = chat("llama-3.1-8b", "a100-sxm-80gb");
    fast.output = LengthDistribution::of(500);
    fast.gpuCount = 1;
    fast.requestsPerSecond = 10;
    fast.targets.ttft = Seconds(0.3);
    const auto over = replayedPlan(fast);
    CHECK_FALSE(over->meets);
    CHECK(over->reason.english().find("requests/s at most, 10 are asked") != std::string::npos);
}

} // namespace headroom::tests
