#include "pipeline.h"

#include <doctest/doctest.h>

#include <random>

using namespace headroom::twin;
using doctest::Approx;

namespace {

// A model of 8 parts of equal work, dealt evenly over the stages. A pass reads all weights and computes.
StageTime evenly(int stages)
{
    return [stages](int, const MicroBatch& work) {
        return (0.8 + 0.001 * static_cast<double>(work.tokens()) + 2e-8 * static_cast<double>(work.pairs)
                + 1e-6 * static_cast<double>(work.context))
            / stages;
    };
}
// One second a stage, whatever it runs.
double oneSecond(int, const MicroBatch&) { return 1; }
double nothing(int, const MicroBatch&) { return 0; }

std::vector<Request> varied(int count, std::int64_t prompt, std::int64_t output)
{
    std::mt19937_64 random(11);
    std::vector<Request> requests;
    for (int i = 0; i < count; ++i) {
        const auto about = [&](std::int64_t mean) {
            const auto spread = mean / 5;
            return spread == 0 ? mean
                               : mean - spread
                    + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(2 * spread + 1));
        };
        requests.push_back({0, output > 1 ? about(prompt) : prompt, about(output)});
    }
    return requests;
}

} // namespace

TEST_CASE("a lone user's tokens pass all stages and all ways between them")
{
    const auto hop = [](int, const MicroBatch&) { return 0.25; };
    for (const auto& rules :
         {vllmPipeline(4, 8192, 256), sglangPipeline(4, 8192, 256), tensorRtPipeline(4, 8192, 64),
          llamaCppPipeline(4, 2048, 4), naivePipeline(4, 8192, 256)}) {
        const PipelineRun run = runPipeline(rules, oneSecond, hop, {{0, 100, 11}}, 1);
        CHECK(run.served[0].firstToken == Approx(4 + 3 * 0.25));
        CHECK(run.served[0].end == Approx(11 * (4 + 3 * 0.25)));
        CHECK(run.busy[2] == Approx(11));
        CHECK(run.wire[2] == Approx(11 * 0.25));
    }
}

TEST_CASE("equal stages with free ways between them do n times the work of one card that holds everything")
{
    struct Mix {
        std::int64_t prompt, output;
        int ofCard; // users
        PipelineRules (*rules)(int, std::int64_t, std::int64_t);
        std::int64_t budget;
    };
    // Equal micro-batches: slots deal decodes out evenly; where prompts never end, every pass fills its
    // budget.
    for (const Mix mix : {Mix{8000, 1, 16, sglangPipeline, 8192}, Mix{16, 400, 32, sglangPipeline, 8192},
                          Mix{8000, 1, 16, vllmPipeline, 8192}, Mix{2000, 20, 64, vllmPipeline, 512},
                          Mix{1000, 60, 128, vllmPipeline, 512}})
        for (const int n : {2, 4, 8}) {
            CAPTURE(mix.prompt);
            CAPTURE(mix.output);
            CAPTURE(n);
            const auto rateOf = [&](int stages) {
                const int users = mix.ofCard * stages;
                const PipelineRules rules = mix.rules(stages, mix.budget, users);
                const std::vector<Request> requests = varied(users * 12, mix.prompt, mix.output);
                const PipelineRun run = runPipeline(rules, evenly(stages), nothing, requests, users);
                return steadyOf(requests, run.served).requestRate;
            };
            CHECK(rateOf(n) / rateOf(1) == Approx(n).epsilon(0.03));
        }
}

TEST_CASE("passes of uneven length leave stages idle: prompts before decodes, slot by slot")
{
    const auto rateOf = [&](int stages) {
        const int users = 24 * stages;
        const std::vector<Request> requests = varied(users * 12, 2000, 100);
        const PipelineRun run
            = runPipeline(sglangPipeline(stages, 8192, users), evenly(stages), nothing, requests, users);
        return steadyOf(requests, run.served).requestRate;
    };
    const double gain = rateOf(4) / rateOf(1);
    CHECK(gain > 1.5);
    CHECK(gain < 3.6);
}

TEST_CASE("without micro-batches stages do the work of one card")
{
    const std::vector<Request> requests = varied(200, 2000, 100);
    const PipelineRun one = runPipeline(naivePipeline(1, 8192, 64), evenly(1), nothing, requests, 32);
    const PipelineRun four = runPipeline(naivePipeline(4, 8192, 64), evenly(4), nothing, requests, 32);
    CHECK(four.end == Approx(one.end));
}

TEST_CASE("a burst of m prompts through n stages takes m + n - 1 steps: bubbles at its start and its end")
{
    for (const int n : {1, 2, 4})
        for (const int m : {1, 3, 10}) {
            const std::vector<Request> requests(static_cast<std::size_t>(m), {0, 8192, 1});
            CHECK(runPipeline(vllmPipeline(n, 8192, 256), oneSecond, nothing, requests, 0).end
                  == Approx(m + n - 1));
        }
}

TEST_CASE("a lone prompt's chunks follow one another through the stages where the engine lets them")
{
    const std::vector<Request> long128k{{0, 16 * 8192, 1}};
    CHECK(runPipeline(vllmPipeline(8, 8192, 256), oneSecond, nothing, long128k, 0).end == Approx(16 + 8 - 1));
    CHECK(runPipeline(sglangPipeline(8, 8192, 256), oneSecond, nothing, long128k, 0).end
          == Approx(16 + 8 - 1));
    PipelineRules waits = vllmPipeline(8, 8192, 256);
    waits.chunksFollow = false;
    CHECK(runPipeline(waits, oneSecond, nothing, long128k, 0).end == Approx(16 * 8));
    CHECK(runPipeline(naivePipeline(8, 8192, 256), oneSecond, nothing, long128k, 0).end == Approx(16 * 8));
    // llama.cpp: a batch of 2,048 in four pieces of 512 over two devices, then the next batch.
    CHECK(runPipeline(llamaCppPipeline(2, 2048, 4), oneSecond, nothing, {{0, 4096, 1}}, 0).end
          == Approx(2 * (4 + 1)));
}

TEST_CASE("more stages never shorten a lone user's time between tokens, his chunked prompt they may")
{
    double ttftBefore = 1e9;
    double tpotBefore = 0;
    for (const int n : {1, 2, 4, 8}) {
        const auto hop
            = [](int, const MicroBatch& work) { return 1e-4 + 1e-7 * static_cast<double>(work.tokens()); };
        const std::vector<Request> lone{{0, 65536, 50}};
        const PipelineRun run = runPipeline(vllmPipeline(n, 8192, 256), evenly(n), hop, lone, 1);
        const double tpot = (run.served[0].end - run.served[0].firstToken) / 49;
        CHECK(tpot >= tpotBefore * (1 - 1e-9));
        CHECK(run.served[0].firstToken < ttftBefore);
        tpotBefore = tpot;
        ttftBefore = run.served[0].firstToken;
    }
}

TEST_CASE("the slowest stage sets the pace, with the message that holds it")
{
    const auto uneven = [](int stage, const MicroBatch&) { return stage == 2 ? 2.0 : 1.0; };
    const std::vector<Request> requests(400, {0, 8192, 1});
    const auto rate = [&](const StageTime& stage, const HopTime& hop) {
        const PipelineRun run = runPipeline(vllmPipeline(4, 8192, 256), stage, hop, requests, 0);
        return 400 / run.end;
    };
    CHECK(rate(uneven, nothing) == Approx(0.5).epsilon(0.02));
    const auto slowWay = [](int stage, const MicroBatch&) { return stage == 0 ? 3.0 : 0.0; };
    // The stage before it begins its next pass when the message of the last one has left.
    CHECK(rate(oneSecond, slowWay) == Approx(1 / (1 + 3.0)).epsilon(0.02));
}

TEST_CASE(
    "who is admitted in one pass stays in one pass: short prompts that come together use one stage at a time")
{
    const std::vector<Request> together(16, {0, 10, 101});
    const PipelineRun run = runPipeline(vllmPipeline(4, 8192, 256), oneSecond, nothing, together, 0);
    CHECK(run.end == Approx(4 * 101));
    CHECK(run.passes == 101);
    // Slots of four deal them out: four passes share the stages.
    const PipelineRun dealt = runPipeline(sglangPipeline(4, 8192, 16), oneSecond, nothing, together, 0);
    CHECK(dealt.end == Approx(4 * 101 + 3));
    CHECK(dealt.passes == 4 * 101);
}

TEST_CASE("stages work as long whatever the scheduler: work is conserved")
{
    const std::vector<Request> requests(64, {0, 4096, 1});
    const StageTime perToken
        = [](int, const MicroBatch& work) { return 1e-4 * static_cast<double>(work.tokens()); };
    for (const auto& rules : {vllmPipeline(4, 8192, 256), sglangPipeline(4, 8192, 256),
                              llamaCppPipeline(4, 2048, 4), naivePipeline(4, 8192, 256)}) {
        const PipelineRun run = runPipeline(rules, perToken, nothing, requests, 0);
        for (const double busy : run.busy)
            CHECK(busy == Approx(64 * 4096 * 1e-4));
        CHECK(run.end >= 64 * 4096 * 1e-4);
    }
}

TEST_CASE("a message holds the stage that sends it, or the one that takes it in")
{
    // Two stages, both with as many passes as they want: prompts that fill one each and answers of one token.
    const auto hop = [](int, const MicroBatch&) { return 0.5; };
    const auto stage = [](int s, const MicroBatch&) { return s == 0 ? 1.0 : 2.0; };
    const std::vector<Request> prompts(20, {0, 100, 1});
    PipelineRules rules = vllmPipeline(2, 100, 64);
    CHECK(rules.messages == PipelineRules::Messages::HoldSender);
    // The second stage is the slower one: what the first one sends hides behind it.
    CHECK(runPipeline(rules, stage, hop, prompts, 20).end == Approx(1 + 0.5 + 20 * 2));
    rules.messages = PipelineRules::Messages::HoldReceiver;
    CHECK(runPipeline(rules, stage, hop, prompts, 20).end == Approx(1 + 20 * (0.5 + 2)));
    CHECK(tensorRtPipeline(2, 100, 64).messages == PipelineRules::Messages::HoldReceiver);
}

TEST_CASE("batches that end at once are served at the rate at which they come")
{
    // Ten batches of ten, one each second.
    std::vector<Request> requests(100, {0, 100, 2});
    std::vector<Served> served;
    for (int i = 0; i < 100; ++i)
        served.push_back({0, 0, i / 10 + 0.5, i / 10 + 1.0});
    const Steady steady = steadyOf(requests, served);
    CHECK(steady.requestRate == Approx(10));
    CHECK(steady.outputRate == Approx(20));
}
