#include "model/cost/step_cost.h"
#include "tests/model/cost/planted.h"

#include <doctest/doctest.h>

using namespace headroom;
using planted::World;

TEST_CASE(
    "a pipeline decodes a single sequence at the pace of the whole model, a full batch in the same time")
{
    World world;
    const StepShape oneDecode{.decodeSequences = 1, .sampledRows = 1};
    const double alone = StepTimer(world.deployment()).rate(oneDecode).base();
    const double piped = StepTimer(world.deployment({.pp = 4})).rate(oneDecode).base();
    CHECK(piped >= alone);
    CHECK(piped == doctest::Approx(alone).epsilon(0.06)); // sends, and the last stage holds the head
}

TEST_CASE("two micro-batches hide the shorter of computing and exchanging, and are not run where they would "
          "be slower")
{
    World world;
    Llm moe = planted::mistral7b();
    moe.kinds.front().mlp
        = {.kind = MlpKind::Moe, .experts = 64, .expertsPerToken = 8, .expertIntermediate = 2048};
    Deployment plain = world.deployment({.ep = 8, .dp = 8});
    plain.llm = &moe;
    Deployment turns = plain;
    turns.overlapsBatches = true;
    for (const double users : {8.0, 256.0, 4096.0}) {
        const StepShape step{.decodeSequences = users, .decodeContext = 1000, .sampledRows = users};
        const double one = StepTimer(plain).rate(step).base();
        const double two = StepTimer(turns).rate(step).base();
        CHECK(two <= one);
        CHECK(two >= one / 2); // half of it can be hidden at most
    }
}

// llama.cpp adds the tokens of those who decode to a batch first.
TEST_CASE("in the first piece of a batch are all who decode, with prompts in the room they leave; the others "
          "hold prompts alone")
{
    World world;
    world.engine.pipelineMicroBatches = false;
    world.engine.pipelinePiece = 512;
    world.engine.kernelGap = Seconds(1e-4); // a kernel that a piece does not have is a gap less
    const StepTimer timer(world.deployment());
    const double users = 12;
    const double context = 6000;
    // 4 pieces of 512: a prompt of 2,036 tokens, 500 of them in the first piece.
    const double batch = timer
                             .rate({.prefillTokens = 2036,
                                    .prefillSequences = 1,
                                    .decodeSequences = users,
                                    .decodeContext = context,
                                    .sampledRows = users})
                             .base();
    double pieces = timer
                        .rate({.prefillTokens = 500,
                               .prefillSequences = 1,
                               .decodeSequences = users,
                               .decodeContext = context,
                               .sampledRows = users})
                        .base();
    for (const double before : {500.0, 1012.0, 1524.0})
        pieces += timer.rate({.prefillTokens = 512, .prefillSequences = 1, .prefillPast = before}).base();
    CHECK(batch == doctest::Approx(pieces).epsilon(1e-3));
}
