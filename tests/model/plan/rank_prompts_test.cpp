// How the prompts of users who take turns come to ranks that share experts, by hand.
#include "model/closed_form/prediction.h"
#include "model/closed_form/prefill_mixing.h"
#include "model/closed_form/step_budget.h"
#include "model/closed_form/token_time.h"
#include "model/resolve/resolve.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace headroom;
using tests::shipped;

namespace {

Resolved eightRanks(const char* engine)
{
    Scenario s;
    s.model = "deepseek-v3";
    s.gpus = {"h200-sxm-141gb"};
    s.gpuCount = 8;
    s.engine = engine;
    s.tp = 1;
    s.dp = 8;
    s.ep = 8;
    auto r = resolve(s, shipped());
    REQUIRE_MESSAGE(r, r.error().front().what.english());
    return *std::move(r);
}

Load loadOf(double users, double prompt, double output)
{
    Load load;
    load.batch = users;
    load.promptTokens = prompt;
    load.outputTokens = output;
    return load;
}

} // namespace

TEST_CASE(
    "a prompt whose length varies by a fifth takes one step, now one and now two, or as many as it is long")
{
    CHECK(meanSteps(4000, 8192) == doctest::Approx(1));
    // Lengths from 6,400 to 9,600: those beyond 8,192 take two.
    CHECK(meanSteps(8000, 8192) == doctest::Approx(1 + (9600.0 - 8192) / 3200));
    // From 8 to 12 steps, each rounded up: half a step more on average.
    CHECK(meanSteps(81920, 8192) == doctest::Approx(10.5));
    CHECK(meanSteps(8000, 0) == 1);
    // The sum of four varies by half as much of itself: from 28,800 to 35,200, beyond 32,768 three steps.
    CHECK(meanSteps(32000, 16384, 4) == doctest::Approx(2 + (35200.0 - 32768) / 6400));
}

TEST_CASE("users of ranks move in step while short answers and whole prompts keep them there")
{
    const Resolved machine = eightRanks("sglang");
    Deployment d = machine.deployment;
    Engine engine = *d.engine;
    engine.admissionSteps = 0;
    d.engine = &engine;
    const double budget = stepBudget(d, 1000, 0);
    CHECK(usersInStep(d, loadOf(8, budget / 2, 2)) == doctest::Approx(1));
    CHECK(usersInStep(d, loadOf(8, budget / 2, 200)) == 0); // their answers end at different times
    CHECK(usersInStep(d, loadOf(8, budget, 2)) < 0.01);     // every other prompt takes a step more
    CHECK(usersInStep(d, loadOf(64, budget / 2, 2)) == 0);  // eight of a rank do not go in one step
    Deployment one = d;
    one.layout.dp = 1;
    CHECK(usersInStep(one, loadOf(8, budget / 2, 2)) == 0);
}

TEST_CASE("a rank's prompts that came in a burst share its steps")
{
    const Resolved machine = eightRanks("sglang");
    const Deployment& d = machine.deployment;
    const double budget = stepBudget(d, 1000, 0);
    // Eight users of each rank with two tokens each: eight prompts with every decode, four to a step, and the
    // last step seldom full.
    const Load burst = loadOf(64, budget / 4, 2);
    CHECK(promptStepsOfRank(d, burst, 64) == doctest::Approx(meanSteps(2 * budget, budget, 8)));
    // With 201 tokens one every 25 decodes, alone in its step.
    const Load spread = loadOf(64, budget / 4, 201);
    CHECK(promptStepsOfRank(d, spread, 64.0 / 200) == doctest::Approx(64.0 / 200 / 8));
}

TEST_CASE("where each rank's prompts come in a burst that fills its steps, all wait for full ones")
{
    Resolved machine = eightRanks("sglang");
    Deployment& d = machine.deployment;
    Engine engine = *d.engine; // that looks at once: nothing gathers
    engine.admissionSteps = 0;
    engine.requestHostTime = engine.tokeniseTime = Seconds();
    d.engine = &engine;
    const double budget = stepBudget(d, 1000, 0);
    // Four users of each rank with two tokens each: their prompts are two budgets, now two steps and now
    // three, and one step is of decodes. A rank fills a step with 2 of 3.5; that none of eight does is one in
    // a thousand. A step has the tokens of a turn in 3.5 steps.
    const Load load = loadOf(32, budget / 2, 2);
    const StepTimer timer(d);
    const StepShape full{.prefillTokens = 8 * budget,
                         .prefillSequences = 16,
                         .sampledRows = 16,
                         .allTokens = (32 * load.promptTokens + 32) / 3.5};
    CHECK(predict(d, load).tpotUnderLoad.value.base()
          == doctest::Approx(3.5 * timer.rate(full).base()).epsilon(0.02));
}

TEST_CASE("a turn of users in step is a step of all prompts and one of all decodes")
{
    Resolved machine = eightRanks("sglang");
    Deployment& d = machine.deployment;
    Engine engine = *d.engine;
    engine.admissionSteps = 0;
    d.engine = &engine;
    const Load load = loadOf(8, stepBudget(d, 1000, 0) / 2, 2);
    const Prediction p = predict(d, load);
    const StepTimer timer(d);
    // All wait for the longest of eight prompts: of lengths spread evenly over a fifth to both sides it lies
    // 7/9 of the way from the mean to the end.
    const double longest = load.promptTokens * (1 + 0.2 * 7 / 9);
    const StepShape all{.prefillTokens = 8 * longest,
                        .prefillSequences = 8,
                        .sampledRows = 8,
                        .allTokens = 8 * load.promptTokens};
    const double step = (timer.rate(all) + timer.rate(decodeStep(d, load))).base();
    CHECK(p.tpotUnderLoad.value.base() == doctest::Approx(step).epsilon(0.02));
    CHECK(p.requestsPerSecond.value.base() == doctest::Approx(8 / (step + p.admission.base())).epsilon(0.02));
}

TEST_CASE("of ranks whose parts of prompts fill their steps the one is waited for that sees most keys")
{
    // A step of each of four ranks holds as many tokens as a prompt has: the end of one and the beginning of
    // the next. Their keys deviate by the variance of a length alone, 0.2 / sqrt(3), of the square of the
    // length, twice counted, and the largest of four normal numbers is 1.03 deviations above the mean
    // (Harter: Biometrika 48, 1961). Where each rank has one user he begins all of them.
    const RanksPrompts full{.arriving = 8,
                            .together = 8,
                            .part = 8000,
                            .begun = 8000,
                            .room = 8000,
                            .filled = 2,
                            .ranks = 4,
                            .askersOfRank = 4,
                            .usersOfRank = 4};
    const SlowestRank slowest = slowestRank(full, 8000);
    CHECK(slowest.tokens == doctest::Approx(8000));
    CHECK(slowest.prompts == doctest::Approx(1));
    CHECK(slowest.further == doctest::Approx(1.029 * 0.2 / std::sqrt(3) * 8000 / 2).epsilon(0.02));
    RanksPrompts alone = full;
    alone.usersOfRank = 1;
    CHECK(slowestRank(alone, 8000).further == 0);
    // Steps of half a prompt besides: it is half of one that varies, and cut at t it leaves out t^2 - t,
    // which at two places half a length apart differs by a number spread evenly over a quarter to both sides.
    RanksPrompts halves = full;
    halves.part = halves.room = 4000;
    CHECK(slowestRank(halves, 8000).further
          == doctest::Approx(1.029 * std::sqrt(0.04 / 3 / 2 + 0.0625 / 3) * 8000).epsilon(0.02));
}

TEST_CASE("waiting gathers prompts only where steps are of different length")
{
    const Resolved machine = eightRanks("vllm");
    const Deployment& d = machine.deployment;
    // Who is seen at once begins with those that came at the same step's end, however long steps are; and
    // where all steps are alike, all wait alike.
    CHECK(stepsGathered(d, 0.5, Seconds(), 0, Seconds(1), Seconds(10)) == 1);
    CHECK(stepsGathered(d, 0.5, Seconds(5), 1, Seconds(1), Seconds(1)) == doctest::Approx(1));
    CHECK(stepsGathered(d, 0.5, Seconds(5), 1, Seconds(1), Seconds(10)) > 1.2);
}

TEST_CASE("two users on two ranks never meet two prompts while they decode")
{
    // Answers of ten tokens and prompts of one step: a tenth of the steps of either user have his prompt, and
    // while the other decodes these have one prompt. In the mean of all steps some have two.
    Resolved machine = eightRanks("vllm");
    Deployment& d = machine.deployment;
    d.layout.tp = 4;
    d.layout.dp = 2;
    const Load load = loadOf(2, 4000, 10);
    const Prediction p = predict(d, load);
    const StepTimer timer(d);
    const double alone = timer.rate(decodeStep(d, load)).base();
    const double beside = timer
                              .rate({.prefillTokens = 2 * load.promptTokens,
                                     .prefillSequences = 2,
                                     .decodeSequences = 2,
                                     .decodeContext = load.promptTokens + 5,
                                     .sampledRows = 4,
                                     .allTokens = load.promptTokens + 2})
                              .base();
    CHECK(usersInStep(d, load) == 0);
    CHECK(tokenTimeBeside(d, load, 2, p.tpot, p.tpotUnderLoad).value.base()
          == doctest::Approx(0.9 * alone + 0.1 * beside).epsilon(0.01));
}

TEST_CASE("on ranks whose chunks ride on decodes a request takes a step for each token and each part before "
          "the first")
{
    const Resolved machine = eightRanks("vllm");
    const Deployment& d = machine.deployment;
    const double budget = stepBudget(d, 1000, 0);
    CHECK(roundsOfRequest(d, loadOf(64, budget / 4, 100)) == doctest::Approx(100));
    CHECK(roundsOfRequest(d, loadOf(64, 10 * budget, 100)) == doctest::Approx(100 + 10.5 - 1));
    const Load load = loadOf(64, budget / 4, 40); // too long for anybody to be gathered
    const Prediction p = predict(d, load);
    CHECK(p.requestsPerSecond.value.base()
          == doctest::Approx(64 / (p.admission + p.tpotUnderLoad.value * 40).base()).epsilon(1e-6));
}
