#include "model/serve/remembered_steps.h"
// Services of several replicas, ranks and users.
#include "tests/model/serve/hand_worked.h"

#include <doctest/doctest.h>

using namespace headroom;
using namespace headroom::serve;
using namespace headroom::serve::testing;

TEST_CASE("prefill and decode in pools of their own, the cache travels one after the other")
{
    // Both prompts in one step of 1 + 3 s. The link carries 10 tokens in 0.1 s and 20 in 0.2 s and needs 0.2
    // s more: there at 4.3 and 4.5. Decode steps of 0.5 s: 4.3-4.8 for request 0, 4.8-5.3 for both, and both
    // end. Who decodes shows the first token, when the request joins his steps.
    const Workload workload = workloadOf({{0, 10, 3}, {0, 20, 2}, {0, 1, 1}});
    ServingSetup setup = setupOf(roomy, [](const StepShape&) { return Seconds(0.5); });
    setup.prefill = PrefillPool{.pool = {.scheduling = roomy, .stepTime = pencilTime},
                                .link = {.latency = Seconds(0.2), .perToken = Seconds(0.01)}};
    setup.prefill->pool.scheduling.maxBatchedTokens = 30;
    const Simulation done = run(setup, workload);
    checkRows(done, {{0, 4.3, 5.3}, {0, 4.8, 5.3}, {4, 5.1, 5.1}}); // the third needs no decode pool
    CHECK(done.prefillReplicas[0].steps == 2);
    CHECK(done.replicas[0].steps == 2);
}

TEST_CASE("prefix-aware routing sends a turn where its session is, least-loaded routing does not")
{
    Workload workload = workloadOf({{0, 8, 1}, {0.5, 8, 20}, {10, 12, 1}});
    workload.requests[0].session = workload.requests[2].session = 7;
    workload.requests[1].session = 8;
    workload.requests[2].sessionTokens = 8;
    Scheduling scheduling = roomy;
    scheduling.prefixCache = true;
    // Request 0 goes to replica 0 and is done at 1; request 1 occupies replica 1 (least loaded), 0 is empty
    // again.
    ServingSetup setup = setupOf(scheduling, oneSecond, 2);
    setup.routing = Routing::PrefixAware;
    CHECK(run(setup, workload).outcomes[2].replica == 0);
    CHECK(run(setup, workload).outcomes[2].cachedTokens == 8);
    std::swap(workload.requests[0].session, workload.requests[1].session);
    CHECK(run(setup, workload).outcomes[2].replica == 1); // busy, but it knows the text
    setup.routing = Routing::LeastLoaded;
    CHECK(run(setup, workload).outcomes[2].replica == 0);
    CHECK(run(setup, workload).outcomes[2].cachedTokens == 0);
}

TEST_CASE("a closed loop keeps each user waiting for his answer")
{
    // Two users, one slot, four requests of 1 + 2 steps and 1 s to think: 0-2 request 0; request 1 waits,
    // 2-4; request 2 arrives at 3 and runs 4-6, request 3 at 5 and runs 6-8.
    Workload workload = workloadOf({{0, 1, 2}, {0, 1, 2}, {0, 1, 2}, {0, 1, 2}});
    workload.users = 2;
    for (std::size_t i = 2; i < 4; ++i)
        workload.requests[i].think = Seconds(1);
    Scheduling scheduling = roomy;
    scheduling.maxSequences = 1;
    const Simulation done = run(setupOf(scheduling, oneSecond), workload);
    checkRows(done, {{0, 1, 2}, {2, 3, 4}, {4, 5, 6}, {6, 7, 8}});
    CHECK(done.outcomes[2].arrival.base() == 3);
    CHECK(done.outcomes[3].arrival.base() == 5);
}

TEST_CASE("prompts are read one after the other before a scheduler sees them, in as many lines as there are")
{
    // Three prompts of 10 tokens at 0 s, 0.5 s to read a token; a step of one prompt takes 2 s, of two 3 s
    // (pencilTime). One line: read at 5, 10 and 15 s, each alone in its step. Two lines: 5, 5 and 10 s.
    const Workload work = workloadOf({{0, 10, 1}, {0, 10, 1}, {0, 10, 1}});
    ServingSetup setup = setupOf(roomy, pencilTime);
    setup.reception = {.perPromptToken = Seconds(0.5), .lines = 1};
    checkRows(run(setup, work), {{5, 7, 7}, {10, 12, 12}, {15, 17, 17}});
    setup.reception.lines = 2;
    checkRows(run(setup, work), {{5, 8, 8}, {5, 8, 8}, {10, 12, 12}});
    setup.reception.lines = 0;
    CHECK(!simulate(setup, work));
    // Where prompts have servers of their own, these read them, however many answer: two, with a step each.
    setup.reception.lines = 5;
    setup.prefill
        = PrefillPool{.pool = {.scheduling = roomy, .stepTime = pencilTime, .replicas = 2}, .link = {}};
    checkRows(run(setup, work), {{5, 7, 7}, {5, 7, 7}, {10, 12, 12}});
}

TEST_CASE("a user stays with his conversation to its end before he begins another")
{
    // One user, two conversations of two turns and one of one: 0-2 the first, 1 s to think, 3-5 its second
    // turn; 2 s before the next conversation: 7-9, and 10-12; 14-16 the last. The order in which they are
    // written, turn behind turn, is not the order of arrivals of two users: the second begins with request 2.
    Workload workload = workloadOf({{0, 1, 2}, {0, 1, 2}, {0, 1, 2}, {0, 1, 2}, {0, 1, 2}});
    for (const std::size_t later : {1U, 3U}) {
        workload.requests[later].follows = static_cast<std::int32_t>(later) - 1;
        workload.requests[later].think = Seconds(1);
    }
    workload.requests[2].think = workload.requests[4].think = Seconds(2);
    workload.users = 1;
    checkRows(run(setupOf(roomy, oneSecond), workload),
              {{0, 1, 2}, {3, 4, 5}, {7, 8, 9}, {10, 11, 12}, {14, 15, 16}});
    // Two users: the other one begins at 2 and goes on at 5; the first takes up the last conversation at 7.
    workload.users = 2;
    checkRows(run(setupOf(roomy, oneSecond), workload),
              {{0, 1, 2}, {3, 4, 5}, {2, 3, 4}, {5, 6, 7}, {7, 8, 9}});
}

TEST_CASE("data-parallel ranks have lines and caches of their own and step together")
{
    // Two ranks; a step takes 1 s, 0.1 s for each prompt token that both ranks would have if they were as
    // busy as the busiest, and 0.01 s for each token of all. Step 1: 10 tokens of request 0 beside 5 of
    // request 1: 1 + 2 + 0.15 s. Request 2 joins the first of two equally long lines. Step 2: its 4 tokens
    // and a decode beside a decode: 1 + 0.8 + 0.06 s, and requests 1 and 2 end. Step 3: one decode, 1.01 s.
    const auto paced = [](const StepShape& shape) {
        return Seconds(1 + 0.1 * shape.prefillTokens + 0.01 * shape.allTokens);
    };
    Scheduling scheduling = roomy;
    scheduling.ranks = 2;
    const Workload workload = workloadOf({{0, 10, 3}, {0, 5, 2}, {0.5, 4, 1}});
    const Simulation done = run(setupOf(scheduling, paced), workload);
    checkRows(done, {{0, 3.15, 6.02}, {0, 3.15, 5.01}, {3.15, 5.01, 5.01}});
    CHECK(done.replicas.size() == 1);
    CHECK(done.replicas[0].steps == 3);
    CHECK(done.replicas[0].prefillTokens == 19);

    // 32 tokens of cache are 16 on each rank: what is longer never fits, and each holds one of 13 at a time.
    scheduling.kvTokens = 32;
    const Simulation narrow
        = run(setupOf(scheduling, oneSecond), workloadOf({{0, 17, 1}, {0, 13, 1}, {0, 13, 1}, {0, 13, 1}}));
    CHECK(narrow.outcomes[0].state == Outcome::State::Refused);
    CHECK(narrow.outcomes[1].end.base() == 1);
    CHECK(narrow.outcomes[2].end.base() == 1);
    CHECK(narrow.outcomes[3].end.base() == 2);
}

TEST_CASE(
    "of ranks whose prompts fill their budgets alike the one that sees more tokens before them is slowest")
{
    // Two ranks of 10 tokens a step, which takes 1 s and 0.1 s for each token before a part. Request 1 has
    // three parts, beside the second of which request 2 is computed: 1 s, 2 s and 3 s.
    Scheduling scheduling = roomy;
    scheduling.ranks = 2;
    scheduling.maxBatchedTokens = 20;
    const auto paced = [](const StepShape& shape) { return Seconds(1 + 0.1 * shape.prefillPast); };
    checkRows(run(setupOf(scheduling, paced), workloadOf({{0, 10, 1}, {0, 30, 1}, {0.5, 10, 1}})),
              {{0, 1, 1}, {0, 6, 6}, {1, 3, 3}});
}

TEST_CASE("who looks every fourth step of decodes sees a request late, and at once after a prompt")
{
    // The look after the prompt, at 2, finds nobody; the next one is at 6, after four decodes.
    Scheduling scheduling = roomy;
    scheduling.receiveInterval = 4;
    const Workload workload = workloadOf({{0, 10, 8}, {2.5, 5, 2}});
    checkRows(run(setupOf(scheduling, pencilTime), workload), {{0, 2, 9.5}, {6, 7.5, 8.5}});
    // Nobody runs: it is seen when it comes.
    checkRows(run(setupOf(scheduling, pencilTime), workloadOf({{0, 10, 1}, {2.5, 5, 1}})),
              {{0, 2, 2}, {2.5, 4, 4}});
    scheduling.receiveInterval = 0;
    CHECK_FALSE(simulate(setupOf(scheduling, pencilTime), workload));
}

TEST_CASE("prompts beside decodes are held back for more of them, or until they have waited long enough")
{
    ServingSetup setup = setupOf(roomy, oneSecond);
    setup.pool.held = {.steps = 3, .tokens = 12};
    // Nobody decodes at 0: the first begins at once. The second, alone, is passed over at 2, 3 and 4.
    checkRows(run(setup, workloadOf({{0, 4, 10}, {1.5, 4, 2}})), {{0, 1, 10}, {5, 6, 7}});
    // With a third there are 8 tokens and one of a decode at 3, too few; with one of 8 there are enough.
    checkRows(run(setup, workloadOf({{0, 4, 10}, {1.5, 4, 2}, {2.5, 4, 2}})),
              {{0, 1, 10}, {5, 6, 7}, {5, 6, 7}});
    checkRows(run(setup, workloadOf({{0, 4, 10}, {1.5, 4, 2}, {2.5, 8, 2}})),
              {{0, 1, 10}, {3, 4, 5}, {3, 4, 5}});
}

TEST_CASE("data-parallel ranks begin prompts together, or when one has waited long enough")
{
    Scheduling scheduling = roomy;
    scheduling.ranks = 2;
    scheduling.balanceSteps = 3;
    // Both ranks are idle at 0. The third request, alone, is passed over at 2 and 3 and taken at 4.
    checkRows(run(setupOf(scheduling, oneSecond), workloadOf({{0, 4, 10}, {0, 4, 10}, {1.5, 4, 2}})),
              {{0, 1, 10}, {0, 1, 10}, {4, 5, 6}});
    // With a fourth for the other rank both begin at 3.
    checkRows(
        run(setupOf(scheduling, oneSecond), workloadOf({{0, 4, 10}, {0, 4, 10}, {1.5, 4, 2}, {2.5, 4, 2}})),
        {{0, 1, 10}, {0, 1, 10}, {3, 4, 5}, {3, 4, 5}});
}

TEST_CASE("of ranks that decode the one that reads most may be overtaken by one with more sequences")
{
    // One sequence of 2107 tokens reads more than three of 695, until those have eleven tokens more each.
    // From then on they set the pace, each step alone or all taken in one go: what is read of theirs is just
    // rounded up. Three of 605 compute as much, and the sixth request, with the one, ends at once.
    Scheduling scheduling = roomy;
    scheduling.ranks = 3;
    scheduling.maxBatchedTokens = scheduling.kvTokens = 9000;
    const Workload workload = workloadOf({{0, 605, 100},
                                          {0, 695, 100},
                                          {0, 2107, 100},
                                          {0, 605, 100},
                                          {0, 695, 100},
                                          {0, 10, 1},
                                          {0, 605, 100},
                                          {0, 695, 100}});
    const auto reading = [](const StepShape& shape) {
        return Seconds(1 + 1e-3 * shape.decodeSequences * shape.decodeContext);
    };
    ServingSetup setup = setupOf(scheduling, {});
    setup.pool.roundsContext = true;
    setup.keepsSamples = false;
    const auto played = [&](bool together) {
        setup.pool.scheduling.takeTogether = together;
        setup.pool.stepTime = [reading, known = RememberedSteps<Seconds>()](const StepShape& shape) mutable {
            return known.of(shape, reading);
        };
        return run(setup, workload);
    };
    const Simulation alone = played(false);
    const Simulation atOnce = played(true);
    CHECK(atOnce.outcomes == alone.outcomes);
    CHECK(atOnce.replicas[0].busy == alone.replicas[0].busy);
}
