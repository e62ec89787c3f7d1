#include "tests/model/serve/hand_worked.h"

#include <doctest/doctest.h>

using namespace headroom;
using namespace headroom::serve;
using namespace headroom::serve::testing;

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

TEST_CASE("a request that could never fit is refused and blocks nobody")
{
    Scheduling scheduling = roomy;
    scheduling.kvTokens = 16;
    const Simulation done = run(setupOf(scheduling, oneSecond), workloadOf({{0, 17, 1}, {0, 4, 2}}));
    CHECK(done.outcomes[0].state == Outcome::State::Refused);
    CHECK(done.outcomes[1].end.base() == doctest::Approx(2));
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
