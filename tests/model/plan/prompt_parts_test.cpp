#include "model/closed_form/operating_point.h"
#include "model/closed_form/prediction.h"
#include "model/closed_form/prefill_mixing.h"
#include "model/closed_form/step_budget.h"
#include "model/resolve/resolve.h"
#include "model/serve/serving_run.h"
#include "model/serve/serving_setup.h"
#include "tests/model/shipped_catalogue.h"

#include <queue>

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <string>

using namespace headroom;
using tests::shipped;

namespace {

Resolved oneUser(const std::string& engine, double prompt)
{
    Scenario s;
    s.model = "llama-3.1-8b";
    s.gpus = {"a100-sxm-80gb"};
    s.gpuCount = 1;
    s.engine = engine;
    s.concurrency = 1;
    s.prompt = LengthDistribution::of(prompt);
    s.output = LengthDistribution::of(64);
    auto out = resolve(s, shipped());
    REQUIRE_MESSAGE(out, out.error().front().what.english());
    return *std::move(out);
}

// The scheduler's own way through the same request, step by step.
double replayedTtft(const Resolved& resolved)
{
    Scenario traffic = resolved.scenario;
    traffic.requests = 40;
    const auto plan = serve::servingPlan(traffic, resolved.deployment, resolved.load, RequestsPerSecond(1));
    REQUIRE(plan);
    const auto run = serve::makeServingRun(*plan);
    REQUIRE(run);
    return run->measures.ttft.p50.base();
}

} // namespace

TEST_CASE("a prompt longer than the engine's step takes as long as its parts do in the scheduler")
{
    for (const double prompt : {1024.0, 8192.0, 32768.0, 100000.0}) {
        CAPTURE(prompt);
        const Resolved r = oneUser("vllm", prompt);
        const double parts = promptSteps(r.deployment, r.load).count;
        CHECK(parts == std::ceil(prompt / 2048)); // vLLM's budget of a step on an A100
        CHECK(predict(r.deployment, r.load).ttft.value.base()
              == doctest::Approx(replayedTtft(r)).epsilon(0.015));
    }
}

TEST_CASE("an engine that computes whole prompts has them in one step")
{
    const Resolved r = oneUser("vllm-v0", 32768);
    CHECK(promptSteps(r.deployment, r.load).count == 1);
    CHECK(predict(r.deployment, r.load).ttft.value.base() == doctest::Approx(replayedTtft(r)).epsilon(0.015));
}

TEST_CASE("experts that other ranks hold work for a prompt too")
{
    Scenario s;
    s.model = "deepseek-v3";
    s.gpus = {"h200-sxm-141gb"};
    s.gpuCount = 8;
    s.tp = 1;
    s.dp = 8;
    s.ep = 8;
    s.prompt = LengthDistribution::of(1024);
    const auto r = resolve(s, shipped());
    REQUIRE_MESSAGE(r, r.error().front().what.english());
    // 2 for each weight that a token meets, 37.55e9 of them (DeepSeek-V3's config.json counted), but for the
    // embedding (129,280 x 7,168) and for the head of all rows but one; attention over half the square: 128
    // heads of 192 for keys and 128 for values in 61 layers.
    const double table = 129280.0 * 7168;
    const double met = 2 * 1024 * (37.55e9 - 2 * table) + 2 * table;
    const double attention = 61 * 2.0 * 128 * (192 + 128) * 1024 * 1025 / 2;
    CHECK(predict(r->deployment, r->load).prefill.flops.base()
          == doctest::Approx(met + attention).epsilon(0.005));
}

TEST_CASE("parts of a prompt do its work once, and read the weights again")
{
    const Resolved r = oneUser("vllm", 32768);
    const StepTimer timer(r.deployment);
    const PromptSteps parts = promptSteps(r.deployment, r.load);
    const StepCost whole = timer.cost(promptsStep(r.load, 1));
    const StepCost inParts = costOf(timer, parts);
    CHECK(inParts.flops / whole.flops == doctest::Approx(1).epsilon(0.002));
    // 16 passes over 15 GB of weights in place of one; activations move once either way.
    const double weights = 2.0 * 7.5e9;
    CHECK((inParts.bytes - whole.bytes).base() > 14.5 * weights);
    CHECK(inParts.latency.value > whole.latency.value);
}

namespace {

// Users who pass one entry, a pass of about one each, and are elsewhere for about so many: how often the
// entry is taken. Played one after another.
double entryTaken(int users, double elsewhere)
{
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> about(0.8, 1.2);
    std::priority_queue<double, std::vector<double>, std::greater<>> coming;
    for (int i = 0; i < users; ++i)
        coming.push(elsewhere * (about(random) - 0.8) + i * 0.01);
    double free = 0;
    double begun = 0;
    constexpr int warm = 2000, counted = 20000;
    for (int i = 0; i < warm + counted; ++i) {
        free = std::max(free, coming.top()) + about(random);
        coming.pop();
        coming.push(free + elsewhere * about(random));
        if (i == warm)
            begun = free;
    }
    return counted / (free - begun);
}

} // namespace

TEST_CASE("prompts that just fill the entry of a pipeline wait for one another, as played one by one")
{
    for (const int users : {8, 16, 64})
        for (const double filled : {0.5, 0.8, 1.0, 1.25, 2.0}) {
            CAPTURE(users);
            CAPTURE(filled);
            const double longer = waitForTurns({.parts = 4, .filled = filled}, users);
            const double played = entryTaken(users, std::max(users / filled - 1, 0.0));
            CHECK(std::min(filled, 1.0) / longer == doctest::Approx(played).epsilon(0.08));
        }
    CHECK(waitForTurns({.parts = 4, .filled = 1}, 1) == 1);
    CHECK(waitForTurns({.parts = 1, .filled = 1}, 8) == 1); // a single card has no entry to wait at
    CHECK(waitForTurns({.parts = 4, .filled = 3}, 2) == 1);
}

TEST_CASE("who follows a prompt through a pipeline waits for it in every stage once")
{
    StagePass pass;
    pass.kinds[0] = {Seconds(1), 3};
    pass.kinds[1] = {Seconds(2), 1};
    pass.kindCount = 2;
    // Alone: it is through after 3 + 2, and the four lanes behind it with it; at the slowest stage's pace 8.
    const double held = heldEntries(0, 4, 1);
    CHECK(held == 4);
    CHECK(paceOfHeld(pass, held, 4) * 4 * 2 == doctest::Approx(5));
    // Two parts: the second is out one turn of the slowest later, and five entries share 4 * 7.
    CHECK(paceOfHeld(pass, heldEntries(0, 4, 2), 4) * 4 * 2 == doctest::Approx(4 * 7.0 / 5));
    CHECK(paceOfHeld(pass, heldEntries(1, 4, 1), 4) == 1);
}

namespace {

// As many lanes as stages, all of one length: a pass lasts as long in each stage as it has prompts, one
// behind the other. So many come with each pass, of which it takes as many as it has room for. Time between
// passes, played pass by pass.
double betweenPasses(double mean, double room, int lanes)
{
    std::mt19937_64 random(3);
    std::poisson_distribution<int> comes(mean);
    std::vector<double> free(static_cast<std::size_t>(lanes));
    std::vector<double> ends(static_cast<std::size_t>(lanes)); // of each lane's last pass
    double line = 0;
    double end = 0;
    constexpr int passes = 60000;
    for (int i = 0; i < passes; ++i) {
        line += comes(random);
        const double prompts = std::min(line, room);
        line -= prompts;
        double& lane = ends[static_cast<std::size_t>(i % lanes)];
        end = lane;
        for (double& stage : free)
            stage = end = std::max(end, stage) + prompts;
        lane = end;
    }
    return end / passes;
}

} // namespace

TEST_CASE("prompts that come by chance hold up a pipeline as played pass by pass")
{
    for (const int lanes : {2, 4, 8})
        for (const double mean : {0.05, 0.3, 1.0, 4.0}) {
            CAPTURE(lanes);
            CAPTURE(mean);
            const double felt = promptsFelt(mean, 1e9, lanes);
            CHECK(felt == doctest::Approx(betweenPasses(mean, 1e9, lanes)).epsilon(0.05));
            CHECK(felt > mean);
            const double room = std::ceil(mean + 1);
            CHECK(promptsFelt(mean, room, lanes)
                  == doctest::Approx(betweenPasses(mean, room, lanes)).epsilon(0.08));
        }
    CHECK(promptsFelt(0.3, 1e9, 1) == 0.3); // on one card each costs what it takes
    CHECK(promptsFelt(0, 4, 8) == 0);
    CHECK(promptsFelt(5, 4, 8) == 4); // all passes are full: they are alike
}

TEST_CASE("long prompts leave it to chance which lane of a pipeline decodes for whom")
{
    Resolved r = oneUser("vllm", 1000);
    r.deployment.layout.pp = 4;
    const double budget = stepBudget(r.deployment, 1000, 0);
    Load load = r.load;
    load.batch = 8;
    load.outputTokens = 1e6;        // prompts are rare
    load.promptTokens = budget / 2; // two in each pass, for good
    CHECK(busyLanes(r.deployment, load) == 4);
    CHECK(fullestLane(r.deployment, load, 4) == 1);
    load.promptTokens = 2 * budget;
    // Eight draw one of four: a lane stays empty with a chance of (3 / 4)^8, the fullest has 3.5 of them.
    const double lanes = busyLanes(r.deployment, load);
    CHECK(lanes == doctest::Approx(4 * (1 - std::pow(0.75, 8))).epsilon(1e-4));
    CHECK(8 / lanes * fullestLane(r.deployment, load, lanes) == doctest::Approx(3.5).epsilon(0.06));
    load.openLoop = true; // who comes on his own finds a lane free
    CHECK(busyLanes(r.deployment, load) == 4);
    CHECK(fullestLane(r.deployment, load, 4) == 1);
}

TEST_CASE("where prompts fill all steps, users wait in line and those who decode are no slower for it")
{
    Resolved r = oneUser("vllm", 8000);
    Load load = r.load;
    load.promptTokens = 8000;
    load.outputTokens = 200;
    const Predictor predictor(r.deployment, load);
    const Prediction some = predictor.at(256);
    const Prediction more = predictor.at(512);
    CHECK(some.inLine.value > Seconds());
    CHECK(predictor.at(8).inLine.value == Seconds());
    CHECK(more.tpotUnderLoad.value / some.tpotUnderLoad.value == doctest::Approx(1).epsilon(0.01));
    CHECK(more.requestsPerSecond.value / some.requestsPerSecond.value == doctest::Approx(1).epsilon(0.01));
    // A step of a full budget: the prompts of all requests in as many as they fill.
    const double steps = 8000 / (stepBudget(r.deployment, 8000, 0) - 0.0);
    CHECK(some.requestsPerSecond.value.base() * steps * some.tpotUnderLoad.value.base()
          == doctest::Approx(1).epsilon(0.05));
    // Nobody is served better for waiting longer: speeds are judged with the wait spread over the answer.
    const Targets fast{.tokensPerSecond = 0.99 / operateAt(r.deployment, load, 256).pace().value.base()};
    CHECK(missedTarget(operateAt(r.deployment, load, 256), fast) == TargetKind::None);
    CHECK(missedTarget(operateAt(r.deployment, load, 512), fast) == TargetKind::Speed);
}
