// What would save a quarter is told and true; a question without an answer is told three ways to one.
#include "model/advise/hints.h"
#include "model/advise/narrower_types.h"
#include "model/advise/size.h"
#include "model/report/hint_text.h"
#include "model/report/translation.h"
#include "model/resolve/money.h"
#include "tests/model/shipped_catalogue.h"
#include "tests/sanitized.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

namespace headroom::tests {
namespace {

constexpr double aQuarter = 0.25;

std::shared_ptr<const SizingPlan> hintedPlan(const Scenario& asked, bool explain = true)
{
    const auto plan = size(asked, shipped(), {.explain = explain, .safer = true});
    REQUIRE(plan);
    return *plan;
}

Scenario seventyBillion(double users, double speed)
{
    Scenario s;
    s.model = "llama-3.1-70b";
    s.gpus = {"h100-sxm-80gb"};
    s.concurrency = users;
    s.targets.tokensPerSecond = speed;
    return s;
}

// Planned once: it is asked about again and again.
const SizingPlan& busy()
{
    static const auto plan = hintedPlan(seventyBillion(200, 20));
    return *plan;
}

const Hint* hinted(const SizingPlan& plan, Hint::Kind kind)
{
    const auto found = std::find_if(plan.hints.begin(), plan.hints.end(),
                                    [kind](const Hint& hint) { return hint.kind == kind; });
    return found == plan.hints.end() ? nullptr : &*found;
}

double hour(const Candidate& c) { return perHour(c.point.prediction.service.price); }

// The hint's question, asked anew, is answered for no more than the hint says.
void checkTrue(const Hint& hint)
{
    CAPTURE(hint.flags);
    const auto again = hintedPlan(hint.scenario, false);
    REQUIRE(again->meets);
    CHECK((again->answer.simulated.has_value() || hint.scenario.concurrency <= 1));
    const double least
        = std::min(hour(again->answer), again->cheapest ? hour(*again->cheapest) : hour(again->answer));
    CHECK(least <= hour(hint.answer) * 1.001);
    if (hint.saved > 0) {
        CHECK(hint.saved >= aQuarter);
        CHECK(hour(hint.answer) == doctest::Approx(hour(hint.instead) * (1 - hint.saved)));
    } else {
        const Candidate& most = again->mostLikely ? *again->mostLikely : again->answer;
        CHECK(hint.more >= aQuarter);
        CHECK(most.maxConcurrency >= hint.instead.maxConcurrency * (1 + aQuarter) * 0.98);
    }
}

} // namespace

TEST_CASE("what saves a quarter of the price is hinted at, and asked for it is true")
{
    const SizingPlan& plan = busy();
    REQUIRE(plan.meets);
    CHECK(hinted(plan, Hint::Kind::Types) != nullptr);
    for (const Hint& hint : plan.hints)
        checkTrue(hint);
    CHECK(std::is_sorted(plan.hints.begin(), plan.hints.end(),
                         [](const Hint& a, const Hint& b) { return a.saved > b.saved; }));
}

TEST_CASE(
    "a pool for prompts is hinted at with the first token that it is planned for, where none was promised"
    * doctest::skip(test::sanitized))
{
    // Of 8,000 tokens in and 100 out nearly all work is of prompts: beside them answers are slow.
    Scenario asked = seventyBillion(300, 30);
    asked.prompt = LengthDistribution::of(8000);
    asked.output = LengthDistribution::of(100);
    const auto plan = hintedPlan(asked);
    REQUIRE(plan->meets);
    const Hint* const own = hinted(*plan, Hint::Kind::Pools);
    REQUIRE(own != nullptr);
    CHECK(own->flags == "--disaggregate only --ttft 5");
    CHECK(own->change.english().find("first token within 5 s") != std::string::npos);
    REQUIRE(own->answer.simulated);
    CHECK(own->answer.simulated->ttft <= Seconds(5));
    checkTrue(*own);

    // Who promised one is told nothing of another.
    asked.targets.ttft = Seconds(3);
    const auto promised = hintedPlan(asked);
    if (const Hint* const kept = hinted(*promised, Hint::Kind::Pools))
        CHECK(kept->flags == "--disaggregate only");
}

TEST_CASE("the narrower types that are tried are those that the engine reads")
{
    const auto tried = [](const char* engine, DType than) {
        return usualNarrower(*shipped().engine(engine).value(), than);
    };
    using Types = std::vector<DType>;
    CHECK(tried("vllm", DType::Bf16) == Types{DType::Fp8, DType::Int4});
    CHECK(tried("vllm", DType::Fp8) == Types{DType::Int4});
    CHECK(tried("vllm", DType::Int4).empty());
    CHECK(tried("llama-cpp", DType::Bf16) == Types{DType::Q8_0, DType::Q4_K_M});
    CHECK(tried("llama-cpp", DType::Q8_0) == Types{DType::Q6_K, DType::Q4_K_M});
}

TEST_CASE("what was stated is not hinted away")
{
    Scenario s = seventyBillion(200, 20);
    s.weights = DType::Bf16;
    s.kv = DType::Bf16;
    const auto plan = hintedPlan(s);
    CHECK(hinted(*plan, Hint::Kind::Types) == nullptr);
    const auto no = hintedPlan(seventyBillion(20, 2000));
    REQUIRE_FALSE(no->meets);
    CHECK(no->hints.empty());
}

TEST_CASE("a machine that is there is told what would let it carry a quarter more")
{
    Scenario s;
    s.model = "qwen3-32b";
    s.gpus = {"h100-sxm-80gb"};
    s.gpuCount = 2;
    s.objective = Objective::MostUsers;
    s.targets.tokensPerSecond = 20;
    s.targets.ttft = Seconds(2);
    const auto plan = hintedPlan(s);
    REQUIRE(plan->meets);
    REQUIRE(!plan->hints.empty());
    for (const Hint& hint : plan->hints) {
        CHECK(hint.saved == 0);
        CHECK(hint.answer.gpus() <= 2);
    }
    checkTrue(plan->hints.front());
}

TEST_CASE("hints are told in both languages")
{
    REQUIRE(!busy().hints.empty());
    for (const Hint& hint : busy().hints) {
        const std::string english = hintText(hint, ask::Language::English);
        CHECK(english.find("in place of") != std::string::npos);
        CHECK(english.find(hint.flags) != std::string::npos);
        CHECK(hintText(hint, ask::Language::Chinese).find("代替") != std::string::npos);
        CHECK(inChinese(hint.change) != hint.change.english());
    }
}

TEST_CASE("a question without an answer is told three ways to one, each with the figure that was asked for")
{
    Scenario fast = seventyBillion(20, 200);
    fast.gpus = {"a100-sxm-80gb"};
    Scenario faster;
    faster.model = "llama-3.1-405b";
    faster.gpus = {"h100-sxm-80gb"};
    faster.targets.tokensPerSecond = 500;
    Scenario small;
    small.model = "llama-3.1-405b";
    small.gpus = {"geforce-rtx-4090"};
    small.gpuCount = 1;
    Scenario users = small;
    users.objective = Objective::MostUsers;
    for (const Scenario& asked : {fast, faster, small, users}) {
        CAPTURE(asked.model + " on " + asked.gpus.front());
        const auto plan = hintedPlan(asked);
        REQUIRE_FALSE(plan->meets);
        CHECK(plan->remedies.size() >= 3);
        const std::string_view unit
            = asked.objective == Objective::MostUsers ? "users at once" : "tokens/s for each user";
        for (const Remedy& remedy : plan->remedies) {
            CAPTURE(remedy.change.english());
            CHECK(remedy.effect.english().find(unit) != std::string::npos);
            CHECK(remedy.answer.meets);
            CHECK((remedy.answer.simulated.has_value() || remedy.scenario.concurrency.value_or(1) <= 1));
            CHECK(hintedPlan(remedy.scenario, false)->meets);
            CHECK(inChinese(remedy.effect) != remedy.effect.english());
            CHECK(inChinese(remedy.change) != remedy.change.english());
        }
    }
}

TEST_CASE("narrower weights are a way out on whichever accelerator they are cheapest, where none was named"
          * doctest::skip(test::sanitized))
{
    Scenario s;
    s.model = "qwen3-32b";
    s.prompt = LengthDistribution::of(1500);
    s.output = LengthDistribution::of(300);
    s.concurrency = 300;
    s.targets.ttft = Seconds(1);
    s.objective = Objective::CheapestHour;
    // Near the edge of a target a smaller budget has more machines replayed: asked again until nothing is
    // left.
    const auto costs = [&](DType weights) {
        Scenario one = s;
        one.weights = weights;
        double least = 1e9;
        for (auto plan = size(one, shipped(), {.explain = false});
             plan && (*plan)->meets; // not the safer one
             plan = size(one, shipped(), {.explain = false})) {
            least = hour((*plan)->answer);
            one.money.budgetPerHour = 0.99 * least;
        }
        REQUIRE(least < 1e9);
        return least;
    };
    const double eight = costs(DType::Fp8);
    const double sixteen = costs(DType::Bf16);
    REQUIRE(eight < 0.95 * sixteen);
    s.money.budgetPerHour = (eight + sixteen) / 2;
    const auto plan = hintedPlan(s);
    REQUIRE_FALSE(plan->meets);
    CHECK(std::any_of(plan->remedies.begin(), plan->remedies.end(),
                      [](const Remedy& r) { return r.change.english() == "fp8 weights"; }));
}

TEST_CASE("no way out leads beyond what the model was made for")
{
    Scenario s;
    s.model = "llama-3.1-70b"; // 131,072 tokens
    s.gpus = {"l40s"};
    s.gpuCount = 4;
    s.prompt = LengthDistribution::of(400'000);
    s.targets.ttft = Seconds(2);
    const auto plan = hintedPlan(s);
    REQUIRE_FALSE(plan->meets);
    REQUIRE(!plan->remedies.empty());
    for (const Remedy& remedy : plan->remedies)
        CHECK(remedy.scenario.prompt.mean() + remedy.scenario.output.mean() <= 131'072);
}

TEST_CASE("the same way out is told once, though two kinds of change come to it")
{
    Scenario s; // an engine of one vendor: the newest card is what is there as it is, and what comes nearest
    s.model = "llama-3.3-70b";
    s.gpus = {"geforce-rtx-4090"};
    s.gpuCount = 1;
    s.engine = "tensorrt-llm";
    s.targets.tokensPerSecond = 20;
    const auto plan = hintedPlan(s);
    REQUIRE_FALSE(plan->meets);
    std::set<std::string> told;
    for (const Remedy& remedy : plan->remedies)
        CHECK_MESSAGE(told.insert(remedy.change.english()).second, remedy.change.english());
    CHECK(told.count("NVIDIA B200 SXM 180GB instead") == 1);
}

} // namespace headroom::tests
