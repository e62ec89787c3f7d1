#include "model/cost/step_cost.h"
#include "model/launch/launch.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace headroom::tests {

namespace {

Resolved resolvedOn(std::string engine, bool eager)
{
    Scenario s;
    s.model = "llama-3.1-70b";
    s.gpus = {"h100-sxm-80gb"};
    s.engine = std::move(engine);
    s.tp = 4;
    s.eager = eager;
    s.batch = 16;
    auto out = resolve(s, shipped());
    if (!out)
        FAIL(out.error().front().where << " " << out.error().front().what.english());
    return *std::move(out);
}

bool startsWith(const Resolved& resolved, std::string_view flag)
{
    const auto command = launchCommand(resolved);
    REQUIRE(command);
    return std::any_of(command->flags.begin(), command->flags.end(),
                       [&](const LaunchFlag& each) { return each.first == flag; });
}

} // namespace

TEST_CASE("who asks for kernels one by one gets the engine's flag for it")
{
    CHECK(!startsWith(resolvedOn("vllm", false), "--enforce-eager"));
    CHECK(startsWith(resolvedOn("vllm", true), "--enforce-eager"));
    CHECK(!startsWith(resolvedOn("sglang", false), "--disable-cuda-graph"));
    CHECK(startsWith(resolvedOn("sglang", true), "--disable-cuda-graph"));
}

TEST_CASE("no start line is given for kernels one by one where no flag of the engine for it is known")
{
    CHECK(launchCommand(resolvedOn("tensorrt-llm", false)));
    const auto refused = launchCommand(resolvedOn("tensorrt-llm", true));
    REQUIRE(!refused);
    CHECK(refused.error().front().what.english().find("from capturing graphs") != std::string::npos);
}

TEST_CASE("steps without captured graphs are as slow as their kernels are launched")
{
    const Resolved graphs = resolvedOn("vllm", false);
    const Resolved oneByOne = resolvedOn("vllm", true);
    CHECK(!oneByOne.deployment.engine->graphs);
    // A kernel takes what whole steps say of it, not what a compiled prompt does.
    CHECK(oneByOne.deployment.engine->eagerLaunch == graphs.deployment.engine->eagerStepLaunch);
    CHECK(graphs.deployment.engine->eagerStepLaunch > graphs.deployment.engine->eagerLaunch);
    const StepShape decode{.decodeSequences = 1, .decodeContext = 2000, .sampledRows = 1};
    const auto step = [&](const Resolved& r) { return StepTimer(r.deployment).rate(decode).base(); };
    // 80 layers of ten kernels and more.
    CHECK(step(oneByOne) > 80 * 10 * oneByOne.deployment.engine->eagerLaunch.base());
    CHECK(step(oneByOne) > step(graphs));
}

} // namespace headroom::tests
