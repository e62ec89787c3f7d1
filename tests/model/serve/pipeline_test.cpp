#include "model/closed_form/steady_state.h"
#include "tests/model/serve/scenarios.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

using namespace headroom;
using namespace headroom::serve;
using namespace headroom::serve::testing;

namespace {

// One card that holds the whole model: a second to read its weights, a hundredth for each token.
double wholeModel(const StepShape& shape) { return 1 + 0.01 * (shape.prefillTokens + shape.decodeSequences); }

// The same over so many cards with links that cost nothing.
ServingSetup pipelineOf(int stages, Scheduling scheduling)
{
    scheduling.lanes = stages;
    ServingSetup setup
        = setupOf(scheduling, [](const StepShape& shape) { return Seconds(wholeModel(shape)); });
    if (stages > 1)
        setup.pool.passTime = [stages](const StepShape& shape) {
            StagePass pass{.kindCount = 1, .host = {}};
            pass.kinds[0] = {Seconds(wholeModel(shape) / stages), stages};
            return pass;
        };
    return setup;
}

Workload usersWith(std::int32_t users, std::int32_t prompt, std::int32_t output)
{
    Workload workload;
    workload.users = users;
    for (std::int32_t i = 0; i < users * 12; ++i) // a fifth to both sides, so that they do not move in step
        workload.requests.push_back({.promptTokens = prompt + prompt / 5 * (i * 7 % 11 - 5) / 5,
                                     .outputTokens = output + output / 5 * (i * 5 % 11 - 5) / 5});
    return workload;
}

// Requests a second between the first fifth of the ends and the last.
double rateOf(const Simulation& done)
{
    std::vector<double> ends;
    for (const Outcome& outcome : done.outcomes)
        ends.push_back(outcome.end.base());
    std::sort(ends.begin(), ends.end());
    const std::size_t fifth = ends.size() / 5;
    return static_cast<double>(3 * fifth) / (ends[4 * fifth] - ends[fifth]);
}

const Scheduling roomyStage{
    .maxSequences = 512, .maxBatchedTokens = 200, .kvTokens = 1000000, .blockTokens = 1};

} // namespace

// Of passes that are alike: prompts alone, decodes alone, a full budget of both in each.
TEST_CASE("n cards in a pipeline serve n times what one card serves that holds the model")
{
    struct Mix {
        std::int32_t prompt, output, users;
    };
    for (const Mix mix : {Mix{150, 1, 16}, Mix{5, 60, 16}, Mix{1000, 25, 64}})
        for (const int stages : {2, 4, 8}) {
            CAPTURE(mix.prompt);
            CAPTURE(stages);
            // As many in each lane, and so many that every pass has prompts where some have.
            Scheduling even = roomyStage;
            even.maxSequences = mix.users;
            const auto one = simulate(pipelineOf(1, even), usersWith(mix.users, mix.prompt, mix.output));
            even.maxSequences *= stages;
            const auto piped
                = simulate(pipelineOf(stages, even), usersWith(mix.users * stages, mix.prompt, mix.output));
            REQUIRE(one);
            REQUIRE(piped);
            CHECK(rateOf(*piped) == doctest::Approx(stages * rateOf(*one)).epsilon(0.03));
        }
}

// A pass takes as many prompts as its budget has room for; where the cache holds no more than those, the next
// pass waits until they are through all stages and sent on.
TEST_CASE("closed form: prompts alone keep as many stages busy as the cache has room for passes")
{
    Workload prompts;
    prompts.users = 64;
    prompts.requests.assign(800, {.promptTokens = 100, .outputTokens = 2});
    const double pass = wholeModel({.prefillTokens = 200, .prefillSequences = 2});
    for (const auto& [cache, rate] :
         {std::pair(130, 1 / wholeModel({.prefillTokens = 100, .prefillSequences = 1})),
          std::pair(250, 2 / pass), std::pair(450, 4 / pass), std::pair(100000, 8 / pass)}) {
        CAPTURE(cache);
        Scheduling scheduling = roomyStage;
        scheduling.kvTokens = cache;
        ServingSetup setup = setupOf(roomyStage, [](const StepShape&) { return Seconds(1e-3); });
        setup.prefill = PrefillPool{.pool = pipelineOf(4, scheduling).pool, .link = {}};
        const auto done = simulate(setup, prompts);
        REQUIRE(done);
        CHECK(rateOf(*done) == doctest::Approx(rate).epsilon(0.15));
        // So does a replica by itself whose answers are one token.
        Workload answered = prompts;
        for (Request& request : answered.requests)
            request.outputTokens = 1;
        const auto alone = simulate(pipelineOf(4, scheduling), answered);
        REQUIRE(alone);
        CHECK(rateOf(*alone) == doctest::Approx(rate).epsilon(0.15));
        const ReplicaPool& pool = setup.prefill->pool;
        const SteadyLoad load{.promptTokens = 100, .outputTokens = 1};
        CHECK(steadySaturated(pool.stepTime, pool.scheduling, load).requestRate.base()
              == doctest::Approx(rate).epsilon(0.15));
    }
}

// Two kinds of passes, 3 s with a chunk and a little above 1 s without: whoever is in another stage waits for
// the long ones, so that a pipeline serves less than so many cards.
TEST_CASE("unequal passes leave bubbles")
{
    const auto one = simulate(pipelineOf(1, roomyStage), usersWith(16, 300, 40));
    const auto piped = simulate(pipelineOf(4, roomyStage), usersWith(64, 300, 40));
    REQUIRE(one);
    REQUIRE(piped);
    CHECK(rateOf(*piped) < 0.9 * 4 * rateOf(*one));
    CHECK(rateOf(*piped) > 0.7 * 4 * rateOf(*one));
}

TEST_CASE("the parts of a lone prompt follow one another through the stages")
{
    // 16 parts of 200 tokens, each (1 + 2) / 4 s in each of 4 stages: the last of them leaves the last stage
    // after 16 + 4 - 1 such times.
    const auto done = simulate(pipelineOf(4, roomyStage), workloadOf({{0, 3200, 2}}));
    REQUIRE(done);
    CHECK(done->outcomes[0].firstToken.base() == doctest::Approx(19 * 0.75));
    // The token after it takes the whole way.
    CHECK((done->outcomes[0].end - done->outcomes[0].firstToken).base() == doctest::Approx(1.01));
}

// Eight prompts of 100 tokens come at once, and a pass takes 200: the first two go with the first pass, the
// next with the second, which follows it through the stages; who came together stays together.
TEST_CASE("the pass that begins next takes who waits, up to its budget")
{
    const auto done = simulate(pipelineOf(4, roomyStage), workloadOf(std::vector<Lengths>(8, {0, 100, 3})));
    REQUIRE(done);
    const double stage = (1 + 0.01 * 200) / 4;
    for (std::size_t i = 0; i < 8; ++i)
        CHECK(done->outcomes[i].firstToken.base() == doctest::Approx((4 + double(i / 2)) * stage));
    // Two decodes take the four stages of (1 + 0.02) / 4 s twice; nobody is in their way.
    CHECK((done->outcomes[7].end - done->outcomes[7].firstToken).base() == doctest::Approx(2 * 1.02));
}

// All prompts fit the first pass: one lane has everybody, the others nothing.
TEST_CASE("short prompts that come together use one stage at a time")
{
    const auto done = simulate(pipelineOf(4, roomyStage), workloadOf(std::vector<Lengths>(8, {0, 10, 11})));
    REQUIRE(done);
    for (const Outcome& outcome : done->outcomes)
        CHECK((outcome.end - outcome.firstToken).base() == doctest::Approx(10 * 1.08));
}

// x tokens behind p others take x (1000 + p + x / 2): a first part of 100 takes 105,000, behind 1,000
// others 51.8 do.
TEST_CASE("parts of a prompt that grow shorter take as long as the first")
{
    Scheduling scheduling{.maxBatchedTokens = 100, .productsPerPair = 1000};
    CHECK(scheduling.partOfPrompt(0, 5000) == 100);
    CHECK(scheduling.partOfPrompt(1000, 5000) == 64); // of 51.8 and 100, three to one
    CHECK(scheduling.partOfPrompt(1000, 7) == 7);
    scheduling.productsPerPair = 0;
    CHECK(scheduling.partOfPrompt(1000, 5000) == 5000); // the budget cuts it
}

TEST_CASE("a request may take all of a pipeline's cache, not only a lane's part")
{
    Scheduling scheduling = roomyStage;
    scheduling.kvTokens = 1000;
    const auto done = simulate(pipelineOf(4, scheduling), workloadOf({{0, 900, 10}, {0, 900, 10}}));
    REQUIRE(done);
    for (const Outcome& outcome : done->outcomes)
        CHECK(outcome.state == Outcome::State::Done);
    CHECK(done->outcomes[1].start >= done->outcomes[0].firstToken);
}

TEST_CASE("the budget of a step does not close a static batch")
{
    // Four slots; 20 tokens of prompts in a step: two steps of 1 + 2 s for the prompts of all four, then four
    // steps of decodes. Nobody answers before all prompts are computed.
    Scheduling scheduling = roomyStage;
    scheduling.kind = SchedulerKind::Static;
    scheduling.maxSequences = 4;
    scheduling.maxBatchedTokens = 20;
    const auto done = simulate(setupOf(scheduling, pencilTime),
                               workloadOf({{0, 10, 5}, {0, 10, 5}, {0, 10, 5}, {0, 10, 5}}));
    REQUIRE(done);
    for (const Outcome& outcome : done->outcomes) {
        CHECK(outcome.firstToken.base() == doctest::Approx(6));
        CHECK(outcome.end.base() == doctest::Approx(10));
    }
}

TEST_CASE("a static batch is dealt out over the stages of a pipeline")
{
    // Four of 10 tokens each, a micro-batch for each of four stages: (1 + 0.1) / 4 s in a stage, one behind
    // the other.
    Scheduling scheduling = roomyStage;
    scheduling.kind = SchedulerKind::Static;
    const auto done = simulate(pipelineOf(4, scheduling), workloadOf(std::vector<Lengths>(4, {0, 10, 1})));
    REQUIRE(done);
    for (std::size_t i = 0; i < 4; ++i)
        CHECK(done->outcomes[i].firstToken.base() == doctest::Approx(double(4 + i) * 1.1 / 4));
}

TEST_CASE("Little's law: users who take turns wait for the admission too")
{
    // One user: 2 s for a prompt of 10 tokens, 3 s for three more tokens, 5 s before the engine looks.
    ServingSetup setup = setupOf(roomyStage, pencilTime);
    setup.reception.intake.host = Seconds(5);
    Workload workload = workloadOf({{0, 10, 4}, {0, 10, 4}, {0, 10, 4}});
    workload.users = 1;
    const auto done = simulate(setup, workload);
    REQUIRE(done);
    CHECK(done->outcomes[1].arrival.base() == doctest::Approx(10));
    CHECK(done->outcomes[2].arrival.base() == doctest::Approx(20));
}

TEST_CASE("an engine that splits prompts computes a long one in steps of its budget, before any decode")
{
    // Budget 20: 50 tokens take three steps of 1 + 2 s, the third with half of the other prompt.
    Scheduling scheduling = roomyStage;
    scheduling.kind = SchedulerKind::PrefillFirst;
    scheduling.splitsPrompts = true;
    scheduling.maxBatchedTokens = 20;
    const auto done = simulate(setupOf(scheduling, pencilTime), workloadOf({{0, 50, 2}, {0, 20, 2}}));
    REQUIRE(done);
    CHECK(done->outcomes[0].firstToken.base() == doctest::Approx(9));  // 20, 20, 10 + 10
    CHECK(done->outcomes[1].firstToken.base() == doctest::Approx(11)); // its other 10
    CHECK(done->outcomes[0].end.base() == doctest::Approx(12));
}
