// How sure layouts are, and what is told of it.
#include "model/base/estimate.h"
#include "model/cost/step_cost.h"
#include "model/resolve/resolve.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace headroom;
using tests::shipped;

namespace {

Resolved seventyBillion(int tp, int pp)
{
    Scenario s;
    s.model = "llama-3.1-70b";
    s.gpus = {"h100-sxm-80gb"};
    s.engine = "vllm";
    s.prompt = LengthDistribution::of(2000);
    s.tp = tp;
    s.pp = pp;
    auto machine = resolveMachine(s, shipped());
    REQUIRE(machine);
    return *std::move(machine);
}

// Variance of the logarithm of a prompt's and of a decode's time.
struct Variances {
    double prompt = 0;
    double decode = 0;
};
Variances variancesOf(const Resolved& machine)
{
    const StepTimer timer(machine.deployment);
    const auto of = [](const Estimate<Seconds>& time) {
        const double deviation = std::log(time.high / time.value) / deviationsToNinetieth;
        return deviation * deviation;
    };
    return {of(timer.cost({.prefillTokens = 2000, .prefillSequences = 1, .sampledRows = 1}).latency),
            of(timer.cost({.decodeSequences = 8, .decodeContext = 2000, .sampledRows = 8}).rate)};
}

std::string toldOf(const Resolved& machine)
{
    std::string all;
    for (const auto& each : machine.assumptions)
        all += each.text.english() + "\n";
    return all;
}

} // namespace

TEST_CASE("Stages of a pipeline are less sure than one box, for prompts and decodes alike, and it is told")
{
    const Resolved one = seventyBillion(4, 1);
    const Resolved stages = seventyBillion(4, 2);
    CHECK(variancesOf(stages).prompt > variancesOf(one).prompt + 0.01);
    CHECK(variancesOf(stages).decode > variancesOf(one).decode + 0.01);
    CHECK(toldOf(one).find("pipeline") == std::string::npos);
    // e^(1.2816 * 0.2) and e^(1.2816 * 0.12)
    CHECK(toldOf(stages).find("up to 1.29 times either way for prompts and 1.17 for decodes")
          != std::string::npos);
}

TEST_CASE("Prompts over two boxes are less sure than their exchanges make them, and it is told")
{
    const Resolved one = seventyBillion(8, 1);
    const Resolved two = seventyBillion(16, 1);
    CHECK(variancesOf(two).prompt > variancesOf(one).prompt + 0.05);
    CHECK(toldOf(one).find("ranges of prompts") == std::string::npos);
    CHECK(toldOf(two).find(
              "ranges of prompts allow for how boxes and their network are set up, up to 1.38 times")
          != std::string::npos); // e^(1.2816 * 0.25)
}
