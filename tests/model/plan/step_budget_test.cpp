#include "model/closed_form/operating_point.h"
#include "model/closed_form/prediction.h"
#include "model/closed_form/step_budget.h"
#include "model/resolve/resolve.h"
#include "model/search/variants.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

using namespace headroom;
using tests::shipped;

namespace {

Scenario onTensorRt(const std::string& model)
{
    Scenario s;
    s.model = model;
    s.gpus = {"b200-sxm-180gb"};
    s.engine = "tensorrt-llm";
    s.tp = 8;
    s.prompt = LengthDistribution::of(1024);
    s.output = LengthDistribution::of(1024);
    return s;
}

Resolved resolved(const Scenario& scenario)
{
    auto out = resolve(scenario, shipped());
    REQUIRE_MESSAGE(out, out.error().front().what.english());
    return *std::move(out);
}

} // namespace

TEST_CASE("DeepSeek on TensorRT-LLM computes one prompt a step: prompt, users and 64, in multiples of 64")
{
    const Resolved deepseek = resolved(onTensorRt("deepseek-r1"));
    CHECK(stepBudget(deepseek.deployment, 1024, 64) == 1152); // 1024 + 64 + 64
    CHECK(stepBudget(deepseek.deployment, 1024, 65) == 1216);
    CHECK(stepBudget(deepseek.deployment, 30000, 64) == 8192); // never more than the engine's own
    CHECK(std::any_of(deepseek.assumptions.begin(), deepseek.assumptions.end(), [](const Message& told) {
        return told.english().find("room for 1 prompt in a step") != std::string::npos;
    }));
    const Resolved llama = resolved(onTensorRt("llama-3.1-70b"));
    CHECK(stepBudget(llama.deployment, 1024, 64) == 8192);
}

TEST_CASE("a step budget of one's own counts")
{
    Scenario own = onTensorRt("deepseek-r1");
    own.maxBatchedTokens = 4096;
    CHECK(stepBudget(resolved(own).deployment, 1024, 64) == 4096);
}

TEST_CASE("text that is streamed every ten steps comes ten steps after the first token, and the answer ends "
          "no later")
{
    const Resolved streamed = resolved(onTensorRt("deepseek-r1"));
    Engine at = *streamed.deployment.engine;
    at.latent.answerSteps = 0;
    Deployment atOnce = streamed.deployment;
    atOnce.engine = &at;
    const Prediction late = predict(streamed.deployment, streamed.load);
    const Prediction early = predict(atOnce, streamed.load);
    CHECK(late.ttft.value.base() - early.ttft.value.base()
          == doctest::Approx(10 * early.tpot.value.base()).epsilon(0.01));
    CHECK(late.latency.value.base() == doctest::Approx(early.latency.value.base()));
    // Beside the prompts of others every token takes longer, those of the first piece too.
    const OperatingPoint busyLate = operateAt(streamed.deployment, streamed.load, 64);
    const OperatingPoint busyEarly = operateAt(atOnce, streamed.load, 64);
    CHECK(busyLate.ttft.value.base() - busyEarly.ttft.value.base()
          == doctest::Approx(10 * busyEarly.tpot.value.base()));
    CHECK(busyLate.latency.value.base() == doctest::Approx(busyEarly.latency.value.base()));
}

TEST_CASE("an answer shorter than its first piece is seen whole when it ends")
{
    Resolved brief = resolved(onTensorRt("deepseek-r1"));
    brief.load.outputTokens = 5;
    const Prediction p = predict(brief.deployment, brief.load);
    CHECK(p.latency.value == p.ttft.value);
    CHECK(tokensBesideFirst(brief.deployment, 5) == 4);
    CHECK(tokensBesideFirst(brief.deployment, 1) == 0);
}

TEST_CASE("what an answer was tuned to is stated, a budget that follows the load is not")
{
    Scenario tuning = onTensorRt("deepseek-r1");
    tuning.allowed.tune = true;
    Scenario chunked = tuning;
    chunked.maxBatchedTokens = 4096;
    CHECK(!asTuned(tuning, *resolved(tuning).deployment.engine).maxBatchedTokens);
    CHECK(asTuned(tuning, *resolved(chunked).deployment.engine).maxBatchedTokens == 4096);
    CHECK(asTuned(tuning, *resolved(tuning).deployment.engine).maxSequences == 2048);
    Scenario settled = tuning;
    settled.allowed.tune = false;
    CHECK(!asTuned(settled, *resolved(chunked).deployment.engine).maxBatchedTokens);
}

TEST_CASE(
    "the wait for an engine is no surer than the prompt: the range grows with the time to the first token")
{
    const Resolved usual = resolved(onTensorRt("llama-3.1-70b"));
    Engine slow = *usual.deployment.engine;
    slow.requestHostTime = Seconds(1.0);
    Deployment late = usual.deployment;
    late.engine = &slow;
    const auto width = [](const Estimate<Seconds>& time) { return time.high / time.value; };
    const Prediction early = predict(usual.deployment, usual.load);
    CHECK(predict(late, usual.load).ttft.value.base() > 1);
    CHECK(width(predict(late, usual.load).ttft) == doctest::Approx(width(early.ttft)));
    CHECK(width(early.ttft) > 1.2);
}
