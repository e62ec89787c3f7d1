// Users whom the steps before admission gather: turns by hand, and predictions against the simulator.
#include "model/closed_form/gathered_users.h"
#include "model/closed_form/operating_point.h"
#include "model/closed_form/step_budget.h"
#include "model/resolve/resolve.h"
#include "model/serve/serving_setup.h"
#include "model/serve/simulate.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

using namespace headroom;
using tests::shipped;

namespace {

// A machine whose engine waits so many steps, and whose host takes so long.
struct WaitingMachine {
    Resolved resolved;
    Engine engine;

    WaitingMachine(const Scenario& scenario, double steps, Seconds host)
        : resolved(*resolve(scenario, shipped()))
    {
        engine = *resolved.deployment.engine;
        engine.admissionSteps = steps;
        engine.requestHostTime = host;
        engine.tokeniseTime = Seconds();
    }

    [[nodiscard]] Deployment deployment() const
    {
        Deployment d = resolved.deployment;
        d.engine = &engine;
        return d;
    }
};

Scenario onEightRanks(const char* engine)
{
    Scenario s;
    s.model = "deepseek-v3";
    s.gpus = {"h200-sxm-141gb"};
    s.gpuCount = 8;
    s.engine = engine;
    s.tp = 1;
    s.dp = 8;
    s.ep = 8;
    return s;
}

Scenario onOneCard(const char* engine)
{
    Scenario s;
    s.model = "llama-3.1-8b";
    s.gpus = {"h100-sxm-80gb"};
    s.gpuCount = 1;
    s.engine = engine;
    return s;
}

Load askedOf(double users, double prompt, double output)
{
    Load load;
    load.batch = users;
    load.promptTokens = prompt;
    load.outputTokens = output;
    return load;
}

} // namespace

TEST_CASE("users are gathered whose answers all end before the first is counted for")
{
    const WaitingMachine five(onEightRanks("vllm"), 5, Seconds());
    const Deployment d = five.deployment();
    const double budget = stepBudget(d, 1000, 0);
    // Eight prompts of half a budget are four steps: the last of them ends three after the first.
    CHECK(usersGathered(d, askedOf(64, budget / 2, 2)) == doctest::Approx(1));
    // Of 200 tokens some are 80 steps longer than others.
    CHECK(usersGathered(d, askedOf(8, budget / 2, 200)) == 0);
    const WaitingMachine two(onEightRanks("vllm"), 2, Seconds());
    CHECK(usersGathered(two.deployment(), askedOf(64, budget / 2, 2)) < 0.01);
    // Where prompts go before decodes, all of a rank decode together.
    const WaitingMachine before(onEightRanks("sglang"), 2, Seconds());
    CHECK(usersGathered(before.deployment(), askedOf(64, stepBudget(before.deployment(), 1000, 0) / 2, 2))
          == doctest::Approx(1));
    // Requests that come on their own are in no turn, nor is an engine that counts no steps.
    Load own = askedOf(64, budget / 2, 2);
    own.openLoop = true;
    CHECK(usersGathered(d, own) == 0);
    const WaitingMachine none(onEightRanks("vllm"), 0, Seconds());
    CHECK(usersGathered(none.deployment(), askedOf(64, budget / 2, 2)) == 0);
}

TEST_CASE("in a turn the prompts behind one's own come between one's tokens")
{
    const WaitingMachine machine(onEightRanks("vllm"), 5, Seconds());
    const Deployment d = machine.deployment();
    const double budget = stepBudget(d, 1000, 0);
    const GatheredTurn turn = gatheredTurn(d, askedOf(32, 0.7 * budget, 2));
    // Four prompts of a rank are 2.8 steps, a tenth more or less of them: a rank needs a fourth step with a
    // chance of 8 in 56, and one of the eight does so with that.
    const double oneHas = 0.08 / 0.56;
    const auto anyOf = [&](double ranks) { return 1 - std::pow(1 - oneHas, ranks); };
    CHECK(turn.full == 3);
    CHECK(turn.chance == doctest::Approx(anyOf(8)));
    CHECK(turn.rest < 0.1);
    CHECK(turn.restInMean < turn.rest);
    CHECK(turn.after == doctest::Approx(1));
    // The first prompt is through with the first step, the second with the second. Three are 2.1 steps,
    // within 0.2 / sqrt(3) of them, and so are mostly three. One step with a token follows each.
    const double third = (2.1 * (1 + 0.2 / std::sqrt(3)) - 2) / (2 * 2.1 * 0.2 / std::sqrt(3));
    CHECK(turn.betweenFull == doctest::Approx((1 + 1 + 1 - third) / 4));
    CHECK(turn.betweenRest == doctest::Approx((third * anyOf(8) + (1 - oneHas) * anyOf(7)) / 4));
}

TEST_CASE("little's law: users are the rate times the first token and the decodes")
{
    for (const char* engine : {"vllm", "sglang"})
        for (const double output : {2, 4, 8, 32, 256}) {
            CAPTURE(engine);
            CAPTURE(output);
            const WaitingMachine machine(onOneCard(engine), 3, Seconds(0.01));
            const OperatingPoint point = operateAt(machine.deployment(), askedOf(16, 1000, output), 16);
            const double there = (point.ttft.value + point.tpot.value * (output - 1)).base();
            CHECK(point.prediction.requestsPerSecond.value.base() * there == doctest::Approx(16));
        }
}

namespace {

struct SeenTimes {
    double ttft = 0;
    double tpot = 0;
    double rate = 0;
};

SeenTimes simulatedTimes(const Deployment& d, const Load& load, unsigned seed)
{
    std::mt19937_64 random(seed);
    serve::Workload work;
    work.users = static_cast<std::int32_t>(load.batch);
    const auto about = [&](double mean) {
        const auto differ = static_cast<std::int32_t>(mean * 0.2);
        return static_cast<std::int32_t>(mean) - differ
            + static_cast<std::int32_t>(random() % static_cast<std::uint64_t>(2 * differ + 1));
    };
    const std::int32_t count = 40 * work.users;
    for (std::int32_t i = 0; i < count; ++i) {
        serve::Request one;
        one.promptTokens = static_cast<std::int32_t>(load.promptTokens);
        one.outputTokens = about(load.outputTokens);
        work.requests.push_back(one);
    }
    serve::ServingSetup setup{.pool = serve::poolOf(d, load)};
    setup.pool.scheduling.kvTokens = 1'000'000'000;
    setup.reception.intake = {.host = d.engine->requestHostTime, .steps = d.engine->admissionSteps};
    const auto run = serve::simulate(setup, work);
    REQUIRE(run);
    SeenTimes seen;
    const std::size_t first = work.requests.size() / 4;
    double tokens = 0;
    for (std::size_t i = first; i < work.requests.size(); ++i) {
        const serve::Outcome& one = run->outcomes[i];
        seen.ttft += (d.engine->requestHostTime + one.firstToken - one.arrival).base();
        seen.tpot += (one.end - one.firstToken).base();
        tokens += work.requests[i].outputTokens - 1;
    }
    const auto measured = static_cast<double>(work.requests.size() - first);
    seen.ttft /= measured;
    seen.tpot /= tokens;
    seen.rate = load.batch / (seen.ttft + seen.tpot * tokens / measured);
    return seen;
}

struct RelativeMisses {
    std::vector<double> all{};

    void add(double predicted, double seen) { all.push_back(std::abs(predicted / seen - 1)); }
    [[nodiscard]] double below(double share)
    {
        std::sort(all.begin(), all.end());
        return all[static_cast<std::size_t>(share * static_cast<double>(all.size() - 1))];
    }
};

} // namespace

TEST_CASE("the first token at load, the time between tokens and the rate are those of the simulator")
{
    std::mt19937_64 random(1);
    const auto oneOf
        = [&](const auto& values) { return *(std::begin(values) + random() % std::size(values)); };
    RelativeMisses first, between, rate;
    for (int i = 0; i < 60; ++i) {
        const char* const engine = oneOf(std::array{"vllm", "sglang", "tensorrt-llm"});
        const WaitingMachine machine(onOneCard(engine), oneOf(std::array{2, 3, 5}),
                                     Seconds(oneOf(std::array{0.01, 0.02})));
        const double users = oneOf(std::array{8, 16, 32});
        const double prompt = oneOf(std::array{500, 1000, 2000, 4000, 8000});
        const double output = oneOf(std::array{2, 3, 4, 8, 16, 32});
        const Load load = askedOf(users, prompt, output);
        const Deployment d = machine.deployment();
        const SeenTimes seen = simulatedTimes(d, load, static_cast<unsigned>(i));
        const OperatingPoint point = operateAt(d, load, users);
        first.add(point.ttft.value.base(), seen.ttft);
        between.add(point.tpot.value.base(), seen.tpot);
        rate.add(point.prediction.requestsPerSecond.value.base(), seen.rate);
    }
    // Who shares a turn with whom is chance where two groups take turns.
    CHECK(first.below(0.5) <= 0.1);
    CHECK(first.below(0.9) <= 0.25);
    CHECK(between.below(0.5) <= 0.08);
    CHECK(between.below(0.9) <= 0.4);
    CHECK(rate.below(0.5) <= 0.03);
    CHECK(rate.below(1) <= 0.1);
}
