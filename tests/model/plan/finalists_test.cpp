#include "model/plan/finalists.h"
#include "model/plan/judge.h"
#include "model/plan/layouts.h"
#include "model/plan/machines_to_try.h"
#include "model/plan/replays.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fmt/format.h>

namespace headroom::tests {

namespace {

constexpr SearchOptions replayed{.prune = true, .simulate = true, .explain = false};

std::shared_ptr<const SizingPlan> planned(const Scenario& scenario)
{
    auto plan = size(scenario, shipped(), replayed);
    if (!plan)
        FAIL(plan.error().front().where << " " << plan.error().front().what);
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
        const auto plan = planned(s);
        REQUIRE(plan->meets);
        REQUIRE(plan->answer.simulated);
        CHECK(plan->answer.gpus() == fewestByTryingAll(s, 200));
    }
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
                const auto plan = planned(s);
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
    const auto plan = planned(s);
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
    CHECK(planned(paid)->meets);
    paid.money.budgetPerHour = needed - 0.5; // less than one GPU less
    CHECK_FALSE(planned(paid)->meets);
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
    const auto free = planned(s);
    REQUIRE(free->meets);
    for (const Scenario& poor : {bought, rented}) {
        const auto plan = planned(poor);
        CHECK_FALSE(plan->meets);
        CHECK(plan->answer.missed == TargetKind::None);
        CHECK(plan->answer.gpus() == free->answer.gpus());
        CHECK(plan->reason.find("the budget is") != std::string::npos);
    }
    bought.gpuCount = 8; // those that were stated are all paid
    CHECK(planned(bought)->answer.gpus() == 8);
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
        const auto plan = planned(s);
        REQUIRE(plan->meets);
        CAPTURE(gpus);
        CHECK(plan->answer.maxConcurrency >= before * 0.98); // found to within a fiftieth
        before = plan->answer.maxConcurrency;
        Scenario same = s;
        same.concurrency = before;
        CHECK(planned(same)->answer.confidence == doctest::Approx(plan->answer.confidence).epsilon(0.03));
    }
}

} // namespace headroom::tests
