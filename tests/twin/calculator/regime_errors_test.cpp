// Errors of the regimes that were once found by reading and by running, each against a value worked out by
// hand: those that no test beside the code they were in holds.
#include "model/closed_form/operating_point.h"
#include "model/closed_form/step_budget.h"
#include "model/cost/exchange_form.h"
#include "model/cost/step_cost.h"
#include "model/count/op_work.h"
#include "model/count/operators.h"
#include "model/yaml/catalogue.h"
#include "resolved.h"
#include "tests/app/cli/process.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

using namespace headroom;
using doctest::Approx;
using twin::resolved;

namespace {

Scenario onH100(const char* model, const char* engine)
{
    Scenario s;
    s.model = model;
    s.gpus = {"h100-sxm-80gb"};
    s.engine = engine;
    s.tp = 1;
    return s;
}

} // namespace

TEST_CASE("attention shared out over four ranks with whole experts gathers their tokens and gives back sums")
{
    Resolved on = resolved(onH100("qwen3-235b-a22b", "ideal"));
    Deployment& d = on.deployment;
    d.layout = {.dp = 4};
    double bytes = 0;
    double exchanges = 0;
    forEachOperator(d, stageLayers(*d.llm, 1, 0),
                    {.decodeSequences = 8, .decodeContext = 1000, .sampledRows = 8}, [&](const Op& op) {
                        if (op.name != OpName::AllGather)
                            return;
                        exchanges += op.count;
                        bytes += op.count * op.message.base();
                    });
    // 94 layers of experts; two rows of 4,096 numbers of two bytes, there and back.
    CHECK(exchanges == Approx(94 * 2));
    CHECK(bytes == Approx(94.0 * 2 * 2 * 4096 * 2));
}

TEST_CASE("a switch that adds up takes each message once, a ring 2 (n - 1) / n times")
{
    Node node = *resolved(onH100("llama-3.1-8b", "ideal")).deployment.node;
    node.intra.perGpuPerDirection = BytesPerSecond(450e9);
    const Op op = collectiveOp(OpName::AllReduce, CollectiveClass::NcclAllReduce, 64e6, 8, 1);
    node.intra.inNetworkReduction = true;
    CHECK(exchangeFloor(op, node).base() == Approx(64e6 / 450e9));
    node.intra.inNetworkReduction = false;
    CHECK(exchangeFloor(op, node).base() == Approx(2 * 7 / 8.0 * 64e6 / 450e9));
}

TEST_CASE("where another pool computes prompts, a batch serves its tokens over their time")
{
    Scenario s = onH100("llama-3.1-8b", "vllm");
    s.batch = 8;
    Resolved on = resolved(s);
    on.load.promptElsewhere = true;
    const Prediction p = predict(on.deployment, on.load);
    CHECK(p.tpotUnderLoad.value.base() == Approx(p.tpot.value.base()));
    CHECK(p.requestsPerSecond.value.base()
          == Approx(8 / (on.load.outputTokens * p.tpot.value.base())).epsilon(1e-9));
    CHECK(std::isfinite(p.ttft.high.base()));
    CHECK(std::isfinite(p.prefillComputeUtilisation));
}

TEST_CASE("a latency that is mostly the wait for its first token is as sure as that")
{
    OperatingPoint point;
    point.tpot = {Seconds(0.05), Seconds(0.04), Seconds(0.0625), Source::Prior};
    point.latency = {Seconds(10), Seconds(8), Seconds(12.5), Source::Prior};
    Targets targets;
    targets.tokensPerSecond = 20; // even odds
    targets.latency = Seconds(10);
    point.ttft = {Seconds(2), Seconds(1.6), Seconds(2.5), Source::Prior};
    CHECK(confidenceOf(point, targets) == Approx(0.5)); // both are the decodes'
    point.ttft = {Seconds(8), Seconds(6.4), Seconds(10), Source::Prior};
    CHECK(confidenceOf(point, targets) == Approx(0.25)); // one the prompt's, one the decodes'
}

TEST_CASE("SGLang computes prompts in steps of the budget that is asked for")
{
    Scenario s = onH100("llama-3.1-8b", "sglang");
    s.maxBatchedTokens = 2000;
    const Resolved on = resolved(s);
    CHECK(stepBudget(on.deployment, 8000, 0) == 2000);
    s.prompt = LengthDistribution::of(8000);
    s.maxBatchedTokens = 8000;
    const Resolved whole = resolved(s);
    s.maxBatchedTokens = 2000;
    const Resolved parts = resolved(s);
    const double weights = StepTimer(parts.deployment)
                               .rate({.prefillTokens = 1, .prefillSequences = 1, .sampledRows = 1})
                               .base();
    // Four steps read the weights three times more; computing, which they hide behind, is the same.
    const double longer = predict(parts.deployment, parts.load).prefill.rate.value.base()
        - predict(whole.deployment, whole.load).prefill.rate.value.base();
    CHECK(longer > 0);
    CHECK(longer < 3 * weights);
}

TEST_CASE("the ideal engine lets a long prompt flow through four stages in a quarter of the time")
{
    Scenario s = onH100("llama-3.1-8b", "ideal");
    s.prompt = LengthDistribution::of(64000);
    s.pp = 1;
    const Resolved one = resolved(s);
    s.pp = 4;
    const Resolved four = resolved(s);
    const double ratio = predict(one.deployment, one.load).prefill.latency.value.base()
        / predict(four.deployment, four.load).prefill.latency.value.base();
    CHECK(ratio == Approx(4).epsilon(0.03));
}

TEST_CASE("every distinct stage of a deep pipeline counts: stages add up to the pass")
{
    // DeepSeek-V3: 61 layers of which three are dense, over 16 stages in two boxes.
    Scenario s = onH100("deepseek-v3", "vllm");
    s.gpus = {"h200-sxm-141gb"};
    s.pp = 16;
    const Resolved on = resolved(s);
    const StagePass pass
        = StepTimer(on.deployment).pass({.decodeSequences = 4, .decodeContext = 1000, .sampledRows = 4});
    int stages = 0;
    for (std::size_t i = 0; i < pass.kindCount; ++i)
        stages += pass.kinds[i].stages;
    CHECK(stages == 16);
    CHECK(pass.slowest() * 16 >= pass.latency() - pass.host);
}

TEST_CASE("the percentile that is judged is the one that was asked for")
{
    const auto sized
        = test::headroomProgram({"size", "--model", "llama-3.1-8b", "--gpu", "h100-sxm-80gb", "--tps", "20",
                                 "--concurrency", "8", "--percentile", "97.5", "--json"});
    REQUIRE(sized.exitCode == 0);
    CHECK(sized.out.find("\"percentile\": 97.5") != std::string::npos);
    CHECK(sized.out.find("\"percentile\": 99") == std::string::npos);
}

TEST_CASE("a system prompt longer than the prompt that holds it is refused")
{
    const auto told
        = test::headroomProgram({"simulate", "--model", "llama-3.1-8b", "--gpu", "h100-sxm-80gb", "--tp", "1",
                                 "--rps", "1", "--class", "chat system=1000 prompt=300"});
    CHECK(told.exitCode == 2);
    CHECK(told.err.find("1000 tokens are part of every prompt, which has 300") != std::string::npos);
}
