#include "tests/model/serve/scenarios.h"

#include <doctest/doctest.h>

using namespace headroom;
using namespace headroom::serve;
using namespace headroom::serve::testing;

namespace {

struct Row {
    double start;
    double firstToken;
    double end;
    int preemptions = 0;
    int cached = 0;
};

Simulation run(const ServingSetup& setup, const Workload& workload)
{
    const Result<Simulation> result = simulate(setup, workload);
    REQUIRE(result);
    return *result;
}

void checkRows(const Simulation& simulation, const std::vector<Row>& rows)
{
    REQUIRE(simulation.outcomes.size() == rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        CAPTURE(i);
        const Outcome& outcome = simulation.outcomes[i];
        CHECK(outcome.state == Outcome::State::Done);
        CHECK(outcome.start.base() == doctest::Approx(rows[i].start));
        CHECK(outcome.firstToken.base() == doctest::Approx(rows[i].firstToken));
        CHECK(outcome.end.base() == doctest::Approx(rows[i].end));
        CHECK(outcome.preemptions == rows[i].preemptions);
        CHECK(outcome.cachedTokens == rows[i].cached);
    }
}

const Scheduling roomy{.maxSequences = 16, .maxBatchedTokens = 100, .kvTokens = 4096, .blockTokens = 4};

} // namespace

TEST_CASE("chunked prefill fills the budget with the next prompt's beginning and decodes in the same step")
{
    // Step 1, 1.8 s: 8 tokens of request 0. Step 2, 1.7 s: its last 2 and all 5 of request 1; both give a
    // token. Step 3, 1 s: both decode, request 1 ends. Step 4: request 0 ends.
    Scheduling scheduling = roomy;
    scheduling.maxBatchedTokens = 8;
    const Simulation done = run(setupOf(scheduling, pencilTime), workloadOf({{0, 10, 3}, {0, 5, 2}}));
    checkRows(done, {{0, 3.5, 5.5}, {1.8, 3.5, 4.5}});
    CHECK(done.replicas[0].steps == 4);
    CHECK(done.replicas[0].prefillSteps == 2);
    CHECK(done.replicas[0].decodeSteps == 2);
}

TEST_CASE("chunked prefill: decodes take their place in the budget before a running prompt does")
{
    // Budget 4. Step 1, 1.3 s: prompt 0 (3), nothing fits beside it but 1 token of prompt 1 (arrives at 1:
    // not yet). Step 2 at 1.3: decode 0 (1), 3 of prompt 1 -> 2.6 s. Step 3: decode 0, 3 more of prompt 1
    // -> 3.9 s; 0 has 3 tokens. Step 4: decode 0, its last token; last 2 of prompt 1 -> 5.1 s: both 0's end
    // and 1's first token.
    Scheduling scheduling = roomy;
    scheduling.maxBatchedTokens = 4;
    scheduling.maxSequences = 4;
    const Simulation done = run(setupOf(scheduling, pencilTime), workloadOf({{0, 3, 4}, {1, 8, 2}}));
    checkRows(done, {{0, 1.3, 5.1}, {1.3, 5.1, 6.1}});
}

TEST_CASE("prefill first: whole prompts in steps of their own while decodes wait")
{
    // Budget 12 does not hold both prompts. 0-2.0: prompt 0. 2.0-3.5: prompt 1, request 0 waits. Then both
    // decode.
    Scheduling scheduling = roomy;
    scheduling.kind = SchedulerKind::PrefillFirst;
    scheduling.maxBatchedTokens = 12;
    const Simulation done
        = run(setupOf(scheduling, pencilTime), workloadOf({{0, 10, 3}, {0, 5, 2}, {3, 20, 1}}));
    // At 3.5 request 2, longer than the budget, still goes alone: 3.5-6.5. Request 0's second token waits
    // till 7.5.
    checkRows(done, {{0, 2.0, 8.5}, {2.0, 3.5, 7.5}, {3.5, 6.5, 6.5}});
    CHECK(done.replicas[0].prefillSteps == 3);
    CHECK(done.replicas[0].decodeSteps == 2);
}

TEST_CASE("static batching starts nobody before the longest of the batch has ended")
{
    // Two slots: requests 0 and 1 together, 0-1.6: prompts; four decode steps till 5.6 for the longer one.
    // Then 2 and 3.
    Scheduling scheduling = roomy;
    scheduling.kind = SchedulerKind::Static;
    scheduling.maxSequences = 2;
    const Simulation done
        = run(setupOf(scheduling, pencilTime), workloadOf({{0, 3, 5}, {0, 3, 2}, {0, 4, 2}, {0, 1, 1}}));
    checkRows(done, {{0, 1.6, 5.6}, {0, 1.6, 2.6}, {5.6, 7.1, 8.1}, {5.6, 7.1, 7.1}});
}

TEST_CASE("8 slots, 32 requests, every 8th generates 100 tokens and the others 10")
{
    // The prompt pass gives the first token here, and the example counts decode steps: hence 101 and 11.
    Workload workload;
    for (int i = 0; i < 32; ++i)
        workload.requests.push_back({.promptTokens = 4, .outputTokens = i % 8 == 7 ? 101 : 11});
    Scheduling scheduling = roomy;
    scheduling.maxSequences = 8;

    // Static: four batches, each as long as its longest: 4 x 100 decode steps.
    scheduling.kind = SchedulerKind::Static;
    const Simulation waiting = run(setupOf(scheduling, oneSecond), workload);
    CHECK(waiting.replicas[0].decodeSteps == 400);
    CHECK(waiting.replicas[0].prefillSteps == 4);

    // Continuous, decode steps counted: at 0 enter 0-7 (7 is long, till 100). At 10 seven slots free: 8-14.
    // At 20: 15 (long, till 120) and 16-21. At 30 six are free: 22, 23 (long, till 130), 24-27. At 40 five
    // are free for the last four: 28-30 and 31 (long), which ends at 140.
    scheduling.kind = SchedulerKind::PrefillFirst;
    const Simulation flowing = run(setupOf(scheduling, oneSecond), workload);
    CHECK(flowing.replicas[0].decodeSteps == 140);
    CHECK(flowing.replicas[0].prefillSteps == 5); // at 0, 10, 20, 30, 40
    CHECK(flowing.outcomes[31].end.base() == doctest::Approx(145));
    CHECK(flowing.outcomes[7].end.base() == doctest::Approx(105));

    // As the texts count, with the prompt's token among the 100: 4 x 100 engine steps in all.
    for (Request& request : workload.requests)
        --request.outputTokens;
    scheduling.kind = SchedulerKind::Static;
    CHECK(run(setupOf(scheduling, oneSecond), workload).replicas[0].steps == 400);
}

TEST_CASE("preemption by recompute: the one admitted last gives up its blocks and starts over")
{
    // 4 blocks of 4. Both prompts of 7 take 2 blocks each; one decode fits. Step 3: request 0 needs a third
    // block, so request 1, with 2 tokens, goes. It needs 3 blocks for its 9 tokens and gets them when request
    // 0 ends after step 6. Step 7 computes all 9 again and gives its third token.
    Scheduling scheduling = roomy;
    scheduling.kvTokens = 16;
    const Simulation done = run(setupOf(scheduling, oneSecond), workloadOf({{0, 7, 6}, {0, 7, 4}}));
    checkRows(done, {{0, 1, 6}, {0, 1, 8, 1}});
    CHECK(done.replicas[0].steps == 8);
    CHECK(done.replicas[0].prefillTokens == 7 + 7 + 9);
    CHECK(done.replicas[0].preemptions == 1);
    CHECK(done.replicas[0].peakKvTokens == 16);
    CHECK(done.replicas[0].gaps.count() == 5 + 3);
    CHECK(done.replicas[0].gaps.mean().base() == doctest::Approx((5 * 1 + 1 + 5 + 1) / 8.0));

    scheduling.kind
        = SchedulerKind::PrefillFirst; // the same here: its prompts have steps of their own anyway
    checkRows(run(setupOf(scheduling, oneSecond), workloadOf({{0, 7, 6}, {0, 7, 4}})),
              {{0, 1, 6}, {0, 1, 8, 1}});
}

TEST_CASE("preemption by swap: the cache moves out and back instead, and the step waits for it")
{
    // As above, but step 3 moves 8 tokens out at 0.25 s each and takes 3 s (ends at 5), request 0 ends at 8,
    // and the step that moves them back ends at 11.
    Scheduling scheduling = roomy;
    scheduling.kvTokens = 16;
    scheduling.preemption = PreemptionKind::Swap;
    scheduling.swapPerToken = Seconds(0.25);
    scheduling.swapTokens = 8;
    const Workload workload = workloadOf({{0, 7, 6}, {0, 7, 4}});
    const Simulation done = run(setupOf(scheduling, oneSecond), workload);
    checkRows(done, {{0, 1, 8}, {0, 1, 12, 1}});
    CHECK(done.replicas[0].prefillTokens == 14);

    scheduling.swapTokens = 7; // no room on the host: recomputed
    checkRows(run(setupOf(scheduling, oneSecond), workload), {{0, 1, 6}, {0, 1, 8, 1}});
}

TEST_CASE("without preemption prompt and answer are reserved, and the second request waits")
{
    // 7 + 6 tokens are 4 blocks of 4: all there is.
    Scheduling scheduling = roomy;
    scheduling.kvTokens = 16;
    scheduling.preemption = PreemptionKind::None;
    checkRows(run(setupOf(scheduling, oneSecond), workloadOf({{0, 7, 6}, {0, 7, 4}})),
              {{0, 1, 6}, {6, 7, 10}});
}

TEST_CASE("a session's next turn finds the full blocks of what was said")
{
    // Turn 1: 1.9 s prompt, two decodes, ends at 3.9 with 11 tokens in the cache: 2 full blocks of 4. Turn 2
    // comes 1 s later with 16 tokens, 12 of them said before; 8 are found, 8 computed in 1.8 s.
    Workload workload = workloadOf({{0, 9, 3}, {0, 16, 1}});
    workload.requests[0].session = workload.requests[1].session = 0;
    workload.requests[1].follows = 0;
    workload.requests[1].think = Seconds(1);
    workload.requests[1].sessionTokens = 12;
    Scheduling scheduling = roomy;
    scheduling.prefixCache = true;
    const Simulation done = run(setupOf(scheduling, pencilTime), workload);
    checkRows(done, {{0, 1.9, 3.9}, {4.9, 6.7, 6.7, 0, 8}});
    CHECK(done.outcomes[1].arrival.base() == doctest::Approx(4.9));

    scheduling.prefixCache = false;
    checkRows(run(setupOf(scheduling, pencilTime), workload), {{0, 1.9, 3.9}, {4.9, 7.5, 7.5}});
}

TEST_CASE("the longest unused block is evicted first, a text's end before its beginning")
{
    // 6 blocks of 4. Request 0 (system prompt of 8, 10 tokens) leaves blocks free in the order 3 4 5 2 1 0:
    // its own end, then the second and the first block of the system prompt. A request of 16 tokens takes 3 4
    // 5 2 and leaves both; one of 20 takes the second one too.
    for (const auto& [between, found] : {std::pair{16, 8}, std::pair{20, 4}}) {
        CAPTURE(between);
        Workload workload = workloadOf({{0, 10, 1}, {10, between, 1}, {20, 10, 1}});
        workload.classes.resize(2);
        workload.requests[0].systemTokens = workload.requests[2].systemTokens = 8;
        workload.requests[1].classIndex = 1;
        Scheduling scheduling = roomy;
        scheduling.prefixCache = true;
        scheduling.kvTokens = 24;
        const Simulation done = run(setupOf(scheduling, oneSecond), workload);
        CHECK(done.outcomes[1].cachedTokens == 0);
        CHECK(done.outcomes[2].cachedTokens == found);
    }
}

TEST_CASE("prefix hashes of a trace: equal leading hashes are found, and at least one token is computed")
{
    Workload workload = workloadOf({{0, 16, 1}, {5, 16, 1}, {10, 16, 1}});
    workload.hashedTokens = 8;
    workload.prefixHashes = {1, 2, 1, 2, 1, 3};
    for (std::uint32_t i = 0; i < 3; ++i) {
        workload.requests[i].hashBegin = 2 * i;
        workload.requests[i].hashCount = 2;
    }
    Scheduling scheduling = roomy;
    scheduling.prefixCache = true;
    const Simulation done = run(setupOf(scheduling, oneSecond), workload);
    CHECK(done.outcomes[0].cachedTokens == 0);
    CHECK(done.outcomes[1].cachedTokens == 12); // all 4 blocks are there, but the last must be computed
    CHECK(done.outcomes[2].cachedTokens == 8);
}

TEST_CASE("speculation by its mean: 1.875 tokens a step at 3 drafted and half accepted")
{
    // (1 - 0.5^4) / 0.5 = 1.875. After the prompt's token: 1 (0.875 kept), 2 (0.75 kept), 2: six tokens in 3
    // steps.
    Scheduling scheduling = roomy;
    scheduling.speculation = {.draftTokens = 3, .acceptance = 0.5};
    CHECK(scheduling.speculation.meanYield() == doctest::Approx(1.875));
    checkRows(run(setupOf(scheduling, oneSecond), workloadOf({{0, 4, 6}})), {{0, 1, 4}});
}

TEST_CASE("guided decoding: forced tokens come free and enter the cache with the next step")
{
    // Half of the tokens forced: each sampled one brings another. 5 tokens: 1, then 2 and 2. The mask costs
    // 0.5 s for each of three sampled rows; the second decode step writes one forced token: 0.1 s.
    Scheduling scheduling = roomy;
    scheduling.guided = {.maskPerRow = Seconds(0.5), .forcedShare = 0.5};
    checkRows(run(setupOf(scheduling, pencilTime), workloadOf({{0, 4, 5}})), {{0, 1.9, 5.0}});
}

TEST_CASE("beams share the prompt's full blocks and own the rest")
{
    // Blocks of 4, prompt 6, two beams: 1 shared and, with 8 tokens at the end, 2 x 1 own: 3 blocks.
    Scheduling scheduling = roomy;
    scheduling.beams = 2;
    scheduling.kvTokens = 12;
    const Simulation done = run(setupOf(scheduling, oneSecond), workloadOf({{0, 6, 3}}));
    checkRows(done, {{0, 1, 3}});
    CHECK(done.replicas[0].peakKvTokens == 12);
    CHECK(done.replicas[0].decodedRows == 4);
    scheduling.kvTokens = 8;
    const Simulation refused = run(setupOf(scheduling, oneSecond), workloadOf({{0, 6, 3}}));
    CHECK(refused.outcomes[0].state == Outcome::State::Refused);
}

TEST_CASE("prefill and decode in pools of their own, the cache travels one after the other")
{
    // Both prompts in one step of 1 + 3 s. The link carries 10 tokens in 0.1 s and 20 in 0.2 s and needs 0.2
    // s more: there at 4.3 and 4.5. Decode steps of 0.5 s: 4.3-4.8 for request 0, 4.8-5.3 for both, and both
    // end.
    const Workload workload = workloadOf({{0, 10, 3}, {0, 20, 2}, {0, 1, 1}});
    ServingSetup setup = setupOf(roomy, [](const StepShape&) { return Seconds(0.5); });
    setup.prefill = PrefillPool{.pool = {.scheduling = roomy, .stepTime = pencilTime},
                                .link = {.latency = Seconds(0.2), .perToken = Seconds(0.01)}};
    setup.prefill->pool.scheduling.maxBatchedTokens = 30;
    const Simulation done = run(setup, workload);
    checkRows(done, {{0, 4, 5.3}, {0, 4, 5.3}, {4, 5.1, 5.1}}); // the third needs no decode pool
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

TEST_CASE("a request that could never fit is refused and blocks nobody")
{
    Scheduling scheduling = roomy;
    scheduling.kvTokens = 16;
    const Simulation done = run(setupOf(scheduling, oneSecond), workloadOf({{0, 17, 1}, {0, 4, 2}}));
    CHECK(done.outcomes[0].state == Outcome::State::Refused);
    CHECK(done.outcomes[1].end.base() == doctest::Approx(2));
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

TEST_CASE("a share of the blocks stays free when a prompt joins running ones")
{
    // 10 blocks of 4, a fifth kept free: 2. Request 0 holds 2 blocks for its 8 tokens. Request 1 needs 7: of
    // 8 free ones only 6 may be taken, so it waits until request 0 has gone; alone it may take all.
    Scheduling scheduling = roomy;
    scheduling.kvTokens = 40;
    scheduling.watermark = 0.2;
    const Workload workload = workloadOf({{0, 7, 2}, {0.5, 28, 1}});
    checkRows(run(setupOf(scheduling, oneSecond), workload), {{0, 1, 2}, {2, 3, 3}});
    scheduling.watermark = 0.1; // one block: seven of eight may go
    checkRows(run(setupOf(scheduling, oneSecond), workload), {{0, 1, 2}, {1, 2, 2}});
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
