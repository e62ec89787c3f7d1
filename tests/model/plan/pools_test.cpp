#include "model/advise/explain_plan.h"
#include "model/advise/size.h"
#include "model/closed_form/hand_over.h"
#include "model/launch/launch_pools.h"
#include "model/search/answer_traffic.h"
#include "model/search/judge.h"
#include "model/search/layouts.h"
#include "model/search/pools.h"
#include "model/search/variants.h"
#include "model/serve/serving_run.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace headroom::tests {

namespace {

Scenario twoPools(double requestsPerSecond)
{
    Scenario s;
    s.model = "llama-3.1-70b";
    s.gpus = {"h100-sxm-80gb"};
    s.prompt = LengthDistribution::of(4096);
    s.output = LengthDistribution::of(201);
    s.requestsPerSecond = requestsPerSecond;
    s.targets.ttft = Seconds(2);
    s.targets.tpot = Seconds(0.04);
    s.prefill.pools = Disaggregation::Only;
    return s;
}

std::shared_ptr<const Resolved> machineOf(const Scenario& scenario)
{
    auto machine = resolveMachine(scenario, shipped());
    REQUIRE(machine);
    return std::make_shared<const Resolved>(*std::move(machine));
}

std::shared_ptr<const SizingPlan> poolPlan(const Scenario& scenario)
{
    auto plan = size(scenario, shipped(), {.prune = true, .simulate = false, .explain = false});
    if (!plan)
        FAIL(plan.error().front().what.english());
    return *plan;
}

} // namespace

TEST_CASE("One user of two pools waits for his prompt and its cache, then for each token")
{
    Scenario s = twoPools(1);
    s.requestsPerSecond.reset();
    s.targets = {};
    const auto machine = machineOf(s);
    const std::vector<PromptUnit> units = promptUnits(machine, s);
    REQUIRE(!units.empty());
    const PromptUnit& unit = units.front();
    const Layout decode{.tp = 4};
    const Candidate c = judgePools(machine, decode, unit, s, false, PoolSizes{1, 1});

    // By hand: 80 layers x 2 x 8 heads x 128 x 2 bytes = 327,680 bytes a token, sent over as many links as
    // the narrower of both replicas has GPUs.
    const double links = std::min(unit.deployment.layout.gpusPerReplica(), 4);
    const EfficiencySet& efficiency = *machine->deployment.efficiency;
    const auto& form = efficiency.interNode[static_cast<std::size_t>(CollectiveClass::SendRecv)];
    const Link& network = machine->deployment.node->inter;
    const double rate = network.perGpuPerDirection.base() * links * form.linkEfficiency;
    const double transfer = 4096 * 327680 / rate + network.latency.base() + form.floorBase.base();
    CHECK(c.prompts->transfer.base() == doctest::Approx(transfer).epsilon(1e-9));

    Deployment alone = machine->deployment;
    alone.layout = decode;
    Load load = machine->load;
    const Prediction p = predict(alone, load);
    const Engine& engine = *machine->deployment.engine;
    // Both servers take the request in; the one that decodes has the cache, and ten steps later the request
    // is among those who decode, before it shows the first token.
    const double ttft = unit.lone.cost.latency.value.base() + 2 * engine.requestHostTime.base()
        + 4096 * engine.tokeniseTime.base() + transfer + 10 * p.tpot.value.base();
    CHECK(c.point.ttft.value.base() == doctest::Approx(ttft));
    CHECK(c.point.latency.value.base() == doctest::Approx(ttft + 200 * p.tpot.value.base()));
    CHECK(c.gpus() == 4 + unit.deployment.layout.gpusPerReplica());
    CHECK(c.point.prediction.service.gpus == c.gpus());
    CHECK(perHour(c.point.prediction.service.price)
          == doctest::Approx(perHour(*machine->deployment.gpu->cloudPrice) * c.gpus()));
}

TEST_CASE("Money, power and tokens are those of all replicas of both pools")
{
    Scenario s = twoPools(1);
    s.requestsPerSecond.reset();
    s.batch = 8;
    const auto machine = machineOf(s);
    const PromptUnit unit = promptUnits(machine, s).front();
    const Candidate one = judgePools(machine, Layout{.tp = 4}, unit, s, false, PoolSizes{1, 1});
    const Candidate four = judgePools(machine, Layout{.tp = 4}, unit, s, false, PoolSizes{2, 4});
    const int gpus = 4 * 4 + 2 * unit.deployment.layout.gpusPerReplica();
    CHECK(four.gpus() == gpus);
    CHECK(four.point.prediction.service.gpus == gpus);
    CHECK(perHour(four.point.prediction.service.price)
          == doctest::Approx(perHour(*machine->deployment.gpu->cloudPrice) * gpus));
    CHECK(four.point.prediction.service.outputTokensPerSecond.value.base()
          == doctest::Approx(4 * one.point.prediction.service.outputTokensPerSecond.value.base()));
    CHECK(four.point.prediction.service.power.value.base()
          > 1.5 * one.point.prediction.service.power.value.base());
}

TEST_CASE("What an answer of two pools carries is what both carry, however the load was stated")
{
    Scenario s = twoPools(1);
    s.requestsPerSecond.reset();
    s.concurrency = 20;
    const Candidate answer = poolPlan(s)->answer;
    REQUIRE(answer.prompts);
    const PromptUnit unit = unitOf(*answer.prompts);
    const double prompted = 0.95 * answer.prompts->deployment.layout.replicas / unit.every().base();
    CHECK(answer.maxRequestsPerSecond <= prompted * (1 + 1e-9));
    CHECK(answer.maxConcurrency >= 20);
    Layout layout = answer.deployment.layout;
    layout.replicas = 1;
    const Candidate again = judgePools(
        answer.machine, layout, unit, s, false,
        PoolSizes{answer.prompts->deployment.layout.replicas, answer.deployment.layout.replicas});
    CHECK(answer.maxRequestsPerSecond == again.maxRequestsPerSecond);
    CHECK(answer.maxConcurrency == again.maxConcurrency);
}

TEST_CASE("Traffic is simulated on both pools, and started are both")
{
    const Scenario s = twoPools(4);
    const Candidate answer = poolPlan(s)->answer;
    REQUIRE(answer.prompts);
    const auto plan = trafficOn(answer, s);
    REQUIRE(plan);
    REQUIRE(plan->setup.prefill);
    CHECK(plan->setup.prefill->pool.replicas == answer.prompts->deployment.layout.replicas);
    CHECK(plan->setup.pool.replicas == answer.deployment.layout.replicas);
    // What was found to carry four requests a second does so when they are replayed.
    const auto run = serve::makeServingRun(*plan);
    REQUIRE(run);
    CHECK(run->verdict.stable);

    const auto text = launchText(launchedPools(answer), LaunchTarget::Shell);
    REQUIRE(text);
    CHECK(text->find("kv_producer") != std::string::npos);
    CHECK(text->find("kv_consumer") != std::string::npos);
}

TEST_CASE("A replay of one user of two pools waits as long for the hand-over as the closed form")
{
    Scenario s = twoPools(1);
    s.requestsPerSecond.reset();
    s.concurrency = 1;
    s.targets = {};
    s.requests = 20;
    const auto machine = machineOf(s);
    const std::vector<PromptUnit> units = promptUnits(machine, s);
    REQUIRE(!units.empty());
    const Candidate c = judgePools(machine, Layout{.tp = 4}, units.front(), s, false, PoolSizes{1, 1});
    auto plan = trafficOn(c, s);
    REQUIRE(plan);
    const auto run = serve::makeServingRun(*plan);
    REQUIRE(run);
    CHECK(run->measures.ttft.mean.base() == doctest::Approx(c.point.ttft.value.base()).epsilon(0.01));
    plan->around.intake.handOverSteps = 0;
    const auto sooner = serve::makeServingRun(*plan);
    REQUIRE(sooner);
    const double steps = 10 * run->measures.tpot.mean.base();
    CHECK(run->measures.ttft.mean.base() - sooner->measures.ttft.mean.base()
          == doctest::Approx(steps).epsilon(0.01));
}

TEST_CASE("A pipeline of prompts takes in no more than its cache holds")
{
    // 70B in 16 bits on two cards of 80 GB leaves room for one prompt of 4,096 tokens.
    const auto machine = machineOf(twoPools(1));
    PromptPool pool{machine, machine->deployment, {}, 0};
    pool.deployment.layout = Layout{.tp = 1, .pp = 2};
    const PromptUnit full = unitOf(pool);
    CHECK(full.full.every == full.full.cost.latency.value);
    // Four cards have room for many: two follow each other through the stages.
    pool.deployment.layout = Layout{.tp = 1, .pp = 4};
    const PromptUnit roomy = unitOf(pool);
    CHECK(roomy.full.every == roomy.full.cost.rate.value);
    CHECK(roomy.full.every < roomy.full.cost.latency.value);
}

TEST_CASE("Prompts that fill a step queue before their pool as M/D/1 says")
{
    Scenario s = twoPools(1);
    s.prompt = LengthDistribution::of(8192);
    s.targets = {};
    const auto machine = machineOf(s);
    const std::vector<PromptUnit> units = promptUnits(machine, s);
    const PromptUnit& unit = units.back();
    const Candidate c = judgePools(machine, Layout{.tp = 4}, unit, s, false, PoolSizes{2, 4});
    const double busy = 1 * unit.every().base() / 2;
    CHECK(c.prompts->busy == doctest::Approx(busy));
    const double wait = busy * unit.every().base() / (2 * (1 - busy));
    // Then the cache goes over, the other server takes the request in, and the step of its others ends.
    const double join = c.point.tpot.value.base() / 2 * std::min(1.0, c.point.users);
    const double handOver = c.prompts->transfer.base() + machine->deployment.engine->requestHostTime.base();
    const double among = 10 * c.point.tpot.value.base();
    CHECK(c.point.ttft.value.base()
          == doctest::Approx(unit.ttft.value.base() + wait + handOver + join + among));
}

TEST_CASE("No smaller pair of pools meets the targets, searched one by one")
{
    for (const double rate : {0.5, 4.0}) {
        const Scenario s = twoPools(rate);
        const auto plan = poolPlan(s);
        REQUIRE(plan->meets);
        const int found = plan->answer.gpus();
        const auto machine = plan->answer.machine;
        int fewest = std::numeric_limits<int>::max();
        // Every unit, the slow ones of each size as well.
        std::vector<PromptUnit> units;
        for (const Layout& layout : possibleLayouts(machine->deployment, s)) {
            PromptPool pool{machine, machine->deployment, Seconds(), 0};
            pool.deployment.layout = layout;
            Load prompts = machine->load;
            prompts.outputTokens = 1;
            if (planMemory(pool.deployment, memoryDemand(pool.deployment, prompts)).fits)
                units.push_back(unitOf(pool));
        }
        for (const Layout& layout : possibleLayouts(machine->deployment, s))
            for (const PromptUnit& unit : units) {
                const int least = layout.gpusPerReplica() + unit.deployment.layout.gpusPerReplica();
                for (int decodes = 1; least <= found && layout.gpusPerReplica() * decodes < found; ++decodes)
                    for (int prompts = 1;
                         layout.gpusPerReplica() * decodes + unit.deployment.layout.gpusPerReplica() * prompts
                         < found;
                         ++prompts) {
                        const Candidate c
                            = judgePools(machine, layout, unit, s, false, PoolSizes{prompts, decodes});
                        // The share that stays free is part of what was asked.
                        const bool free = c.prompts->busy <= 1 - s.headroom + 1e-9
                            && c.maxRequestsPerSecond * (1 - s.headroom) >= rate * (1 - 1e-9);
                        if (c.meets && free)
                            fewest = std::min(fewest, c.gpus());
                    }
            }
        CAPTURE(rate);
        CHECK(fewest >= found);
    }
}

TEST_CASE("A service that must beat another is the one that a search of everything puts first")
{
    for (const double rate : {0.5, 4.0, 16.0})
        for (const Disaggregation pools : {Disaggregation::Only, Disaggregation::Try})
            for (const Objective objective : {Objective::FewestGpus, Objective::CheapestHour}) {
                Scenario s = twoPools(rate);
                s.prefill.pools = pools;
                s.objective = objective;
                const auto plan = poolPlan(s);
                const auto best = Replanner(shipped()).best(s);
                REQUIRE(best);
                CAPTURE(rate);
                CHECK(best->meets == plan->meets);
                CHECK(best->gpus() == plan->answer.gpus());
                CHECK(best->point.prediction.service.price == plan->answer.point.prediction.service.price);
            }
}

TEST_CASE("Being allowed two pools never costs a GPU, and more requests never take fewer")
{
    for (const double rate : {0.5, 2.0, 8.0}) {
        Scenario s = twoPools(rate);
        const double only = poolPlan(s)->answer.gpus();
        s.prefill.pools = Disaggregation::No;
        const double one = poolPlan(s)->answer.gpus();
        s.prefill.pools = Disaggregation::Try;
        const double either = poolPlan(s)->answer.gpus();
        CAPTURE(rate);
        CHECK(either == std::min(only, one));
        CHECK(poolPlan(twoPools(rate * 2))->answer.gpus() >= only);
    }
}

TEST_CASE("GPUs in two pools that a search finds enough are enough where so many are stated")
{
    for (const double users : {900., 1200.}) {
        Scenario s = twoPools(1);
        s.model = "llama-3.3-70b";
        s.requestsPerSecond.reset();
        s.concurrency = users;
        s.prompt = LengthDistribution::of(8192);
        s.output = LengthDistribution::of(1024);
        s.targets = {.ttft = Seconds(4)};
        s.targets.tokensPerSecond = 25;
        const auto planned = [](const Scenario& asked) {
            auto plan = size(asked, shipped(), {.explain = false});
            REQUIRE(plan);
            return *plan;
        };
        const auto found = planned(s);
        REQUIRE(found->meets);
        s.gpuCount = found->answer.gpus();
        const auto stated = planned(s);
        CAPTURE(users);
        CAPTURE(stated->reason.english());
        CHECK(stated->meets);
        CHECK(stated->answer.gpus() <= *s.gpuCount);
    }
}

TEST_CASE("GPUs that are divided between two pools are never told enough for prompts that fill theirs")
{
    Scenario s = twoPools(1);
    s.requestsPerSecond.reset();
    s.concurrency = 400;
    s.gpuCount = 24; // too few: the nearest miss is no pool of prompts that is three times too small
    const Candidate nearest = poolPlan(s)->answer;
    REQUIRE(!nearest.meets);
    REQUIRE(nearest.prompts);
    CHECK(nearest.missedBy >= nearest.prompts->busy);
}

TEST_CASE("An engine that keeps prompts and decodes together is refused two pools")
{
    Scenario s = twoPools(1);
    s.engine = "lmdeploy";
    const auto plan = size(s, shipped());
    REQUIRE(!plan);
    CHECK(plan.error().front().where == "disaggregate");
}

TEST_CASE("What was allowed is tried, and what was stated stands before it at the same size")
{
    Scenario s;
    s.model = "llama-3.1-70b";
    s.gpus = {"h200-sxm-141gb"};
    s.allowed.weights = {DType::Fp8};
    const auto machines = machinesOf(s, shipped());
    REQUIRE(machines);
    REQUIRE(machines->size() == 2);
    CHECK(machines->front()->deployment.weights == DType::Bf16);
    CHECK(machines->back()->deployment.weights == DType::Fp8);
    CHECK(machines->back()->deviations == 1);
    // 141 GB of bf16 weights take two GPUs, 71 GB of fp8 one.
    CHECK(poolPlan(s)->answer.gpus() == 1);
    CHECK(poolPlan(s)->answer.deployment.weights == DType::Fp8);
    s.model = "llama-3.1-8b"; // one GPU holds it either way
    CHECK(poolPlan(s)->answer.deployment.weights == DType::Bf16);
    // A type that the card's arithmetic and the engine both lack is no choice.
    s.allowed.weights = {DType::Q4_K_M};
    CHECK(machinesOf(s, shipped())->size() == 1);
}

TEST_CASE("Each engine with two pools is started as its own documentation says")
{
    const auto commands = [](const std::string& engine) {
        Scenario s = twoPools(1);
        s.engine = engine;
        const auto plan = poolPlan(s);
        const Candidate& a = plan->answer;
        Resolved decode = *a.machine;
        decode.deployment = a.deployment;
        Resolved prompt = *a.prompts->machine;
        prompt.deployment = a.prompts->deployment;
        const auto prompts = launchCommand(prompt, LaunchRole::Prompts);
        const auto decodes = launchCommand(decode, LaunchRole::Decodes);
        REQUIRE(prompts);
        REQUIRE(decodes);
        return launchText(*prompts, prompt, LaunchTarget::Shell)
            + launchText(*decodes, decode, LaunchTarget::Shell)
            + routerText(launchRouter(*prompts, 2, *decodes, 3));
    };
    const auto has
        = [](const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; };
    const std::string vllm = commands("vllm");
    CHECK(has(vllm, R"('{"kv_connector":"NixlConnector","kv_role":"kv_producer"}')"));
    CHECK(has(vllm, R"('{"kv_connector":"NixlConnector","kv_role":"kv_consumer"}')"));
    CHECK(has(vllm, "VLLM_NIXL_SIDE_CHANNEL_PORT=5600"));
    CHECK(has(vllm, "--decoder-hosts $DECODE_0 $DECODE_1 $DECODE_2"));
    const std::string sglang = commands("sglang");
    CHECK(has(sglang, "--disaggregation-mode prefill"));
    CHECK(has(sglang, "--disaggregation-mode decode"));
    CHECK(has(sglang, "--prefill http://$PREFILL_1:8100"));
    const std::string trt = commands("tensorrt-llm");
    CHECK(has(trt, "config-prefill.yml"));
    CHECK(has(trt, "cache_transceiver_config:\n  backend: DEFAULT"));
    CHECK(has(trt, "trtllm-serve disaggregated"));
    CHECK(has(trt, "num_instances: 3"));
}

} // namespace headroom::tests
