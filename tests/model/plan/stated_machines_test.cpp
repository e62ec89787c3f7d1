#include "model/advise/size.h"
#include "model/advise/stated_order.h"
#include "model/scenario/alternatives.h"
#include "model/search/search.h"
#include "tests/model/shipped_catalogue.h"
#include "tests/sanitized.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>

namespace headroom::tests {

namespace {

Scenario eightOrFour()
{
    Scenario s;
    s.model = "llama-3.1-70b";
    s.gpus = {"h100-sxm-80gb", "b200-sxm-180gb"};
    s.gpuCounts = {8, 4};
    s.concurrency = 64;
    return s;
}

std::shared_ptr<const SizingPlan> plannedOn(const Scenario& scenario)
{
    auto plan = size(scenario, shipped());
    REQUIRE(plan);
    return *plan;
}

Candidate alone(const Scenario& scenario, std::size_t which)
{
    return plannedOn(ofOneMachine(scenario, which))->answer;
}

double hourlyPrice(const Candidate& c) { return perHour(c.point.prediction.service.price); }
double stream(const Candidate& c) { return c.point.tokensPerSecondPerUser.value.base(); }
double total(const Candidate& c) { return c.point.prediction.service.outputTokensPerSecond.value.base(); }

bool isOf(const Candidate& a, const Candidate& b)
{
    return a.deployment.gpu->id == b.deployment.gpu->id && a.deployment.layout == b.deployment.layout;
}

} // namespace

TEST_CASE("boxes of one GPU share each layer where a lone user is to be fast, as their published runs do")
{
    Scenario s;
    s.model = "qwen3-235b-a22b";
    s.gpus = {"dgx-spark-gb10"};
    s.gpuCount = 2;
    s.weights = DType::Int4;
    s.concurrency = 1;
    const Candidate shared = plannedOn(s)->answer;
    CHECK(shared.deployment.layout.tp == 2);
    s.tp = 1;
    CHECK(stream(shared) > stream(plannedOn(s)->answer));
}

TEST_CASE("of machines with sizes of their own the best one alone is the answer")
{
    Scenario s = eightOrFour();
    SUBCASE("the fastest where no speed is asked for")
    {
        const Candidate h100 = alone(s, 0);
        const Candidate b200 = alone(s, 1);
        CHECK(isOf(plannedOn(s)->answer, stream(h100) > stream(b200) ? h100 : b200));
    }
    SUBCASE("the cheapest that meets the targets")
    {
        s.targets.tokensPerSecond = 20;
        const Candidate h100 = alone(s, 0);
        const Candidate b200 = alone(s, 1);
        REQUIRE(h100.meets);
        REQUIRE(b200.meets);
        CHECK(isOf(plannedOn(s)->answer, hourlyPrice(h100) < hourlyPrice(b200) ? h100 : b200));
    }
    SUBCASE("what the whole machine gives, not each GPU of it")
    {
        s.objective = Objective::MostThroughput;
        s.concurrency.reset();
        s.gpuCounts = {8, 1}; // each B200 gives more, eight H100 together far more
        const Candidate h100 = alone(s, 0);
        const Candidate b200 = alone(s, 1);
        REQUIRE(total(b200) > total(h100) / 8);
        REQUIRE(total(h100) > total(b200));
        CHECK(isOf(plannedOn(s)->answer, h100));
    }
}

TEST_CASE("a machine is planned in its own layout, and another one in any")
{
    Scenario s = eightOrFour();
    s.gpuLayouts = {{.tp = 4, .pp = 2}, {}};
    const auto plan = plannedOn(s);
    REQUIRE(plan->weighed.size() == 2);
    for (const Candidate& c : plan->weighed)
        if (c.deployment.gpu->id == "h100-sxm-80gb") {
            CHECK(c.deployment.layout.tp == 4);
            CHECK(c.deployment.layout.pp == 2);
        } else {
            CHECK(isOf(c, alone(s, 1)));
        }
    CHECK(plan->scenario.gpuLayouts == s.gpuLayouts);
    CHECK_FALSE(plan->scenario.tp);
}

TEST_CASE("of types of weights that are weighed the best one alone is the answer")
{
    Scenario s = eightOrFour();
    s.gpus = {"h100-sxm-80gb"};
    s.gpuCounts.clear();
    s.gpuCount = 4;
    s.weightTypes = {DType::Bf16, DType::Fp8};
    const auto plan = plannedOn(s);
    REQUIRE(plan->weighed.size() == 2);
    CHECK(plan->weighed[0].deployment.weights != plan->weighed[1].deployment.weights);
    CHECK(stream(plan->weighed[0]) >= stream(plan->weighed[1]));
    CHECK(plan->answer.deployment.weights == plan->weighed[0].deployment.weights);
    CHECK(plan->scenario.weightTypes == s.weightTypes);
    CHECK_FALSE(plan->scenario.weights);
    CHECK(std::ranges::any_of(plan->assumptions, [](const Message& one) {
        return one.english().find("quality") != std::string::npos;
    }));
}

TEST_CASE("the machine that is not the answer stands beside it, also when it misses")
{
    Scenario s = eightOrFour();
    s.gpuCounts = {1, 4}; // 141 GB of weights do not fit into one H100
    const auto plan = plannedOn(s);
    CHECK(plan->meets);
    CHECK(plan->answer.deployment.gpu->id == "b200-sxm-180gb");
    CHECK(plan->answer.gpus() == 4);
    const auto other = std::find_if(plan->candidates.begin(), plan->candidates.end(), [](const Candidate& c) {
        return c.deployment.gpu->id == "h100-sxm-80gb";
    });
    REQUIRE(other != plan->candidates.end());
    CHECK_FALSE(other->meets);
    CHECK(plan->scenario.gpuCounts == s.gpuCounts);
    CHECK_FALSE(plan->remedies.size() > 0); // the answer meets
    CHECK_FALSE(plan->sensitivity.empty()); // and is explained
}

TEST_CASE("cards of a stated machine that stand idle are told, for its cost leaves them out")
{
    Scenario s = eightOrFour();
    s.gpuCounts = {5, 4}; // heads divide by four or one, 141 GB need two cards at least
    s.tp = 4;
    const auto plan = plannedOn(s);
    const auto told = [&](std::string_view text) {
        return std::any_of(plan->warnings.begin(), plan->warnings.end(),
                           [&](const Message& one) { return one.english().starts_with(text); });
    };
    CHECK(told("4 of 5 "));
    CHECK_FALSE(told("4 of 4 "));
}

TEST_CASE("of layouts that are named the best one alone is the answer, and the others stand beside it")
{
    Scenario s;
    s.model = "llama-3.1-405b";
    s.gpus = {"h100-sxm-80gb"};
    s.gpuCount = 16;
    s.concurrency = 4;
    s.layouts = {{.tp = 8, .pp = 2}, {.tp = 16}};
    Scenario pipeline = s;
    pipeline.layouts.clear();
    pipeline.tp = 8;
    pipeline.pp = 2;
    Scenario wide = pipeline;
    wide.tp = 16;
    wide.pp = 1;
    const Candidate a = plannedOn(pipeline)->answer;
    const Candidate b = plannedOn(wide)->answer;
    const auto plan = plannedOn(s);
    CHECK(isOf(plan->answer, stream(a) > stream(b) ? a : b));
    REQUIRE(plan->weighed.size() == 2);
    CHECK(isOf(plan->weighed[0], plan->answer));
    CHECK(isOf(plan->weighed[1], stream(a) > stream(b) ? b : a));
    CHECK(plan->scenario.layouts == s.layouts);
    CHECK_FALSE(plan->scenario.tp);
    const StatedOrder order = orderOf(plan->scenario, plan->weighed[0], plan->weighed[1]);
    CHECK(order.by == DecidedBy::Stream);
    CHECK(order.times == doctest::Approx(stream(plan->weighed[0]) / stream(plan->weighed[1])));
    REQUIRE(order.sure);
    CHECK(*order.sure >= 0.5); // it is the likelier by a coin's throw at least
    CHECK(*order.sure < 1);
    // A layout that holds the model on no box is told, and the other is the answer.
    s.layouts = {{.tp = 8, .pp = 2}, {.tp = 8, .pp = 1}};
    const auto one = plannedOn(s);
    CHECK(one->answer.deployment.layout.pp == 2);
    REQUIRE(one->weighed.size() == 2);
    CHECK_FALSE(one->weighed[1].meets);
}

TEST_CASE("machines are weighed in the boxes that were said of each")
{
    Scenario s = eightOrFour();
    s.gpuCounts = {8, 8};
    s.boxSizes = {4, std::nullopt};
    const auto plan = plannedOn(s);
    REQUIRE(plan->weighed.size() == 2);
    for (const Candidate& c : plan->weighed)
        CHECK(c.deployment.node->gpusPerNode == (c.deployment.gpu->id == "h100-sxm-80gb" ? 4 : 8));
}

TEST_CASE("the larger of two figures is the surer, the less either varies")
{
    const auto figure = [](double value, double tenth) {
        return Estimate<Seconds>{Seconds(value), Seconds(value / tenth), Seconds(value * tenth)};
    };
    CHECK(probabilityAbove(figure(3, 1.2), figure(3, 1.5)) == doctest::Approx(0.5));
    // Both spreads together are as wide as the two lie apart: the one is above the other in nine of ten
    // cases.
    const double each = std::exp(std::log(2.0) / std::sqrt(2.0));
    CHECK(probabilityAbove(figure(2, each), figure(1, each)) == doctest::Approx(0.9));
    CHECK(probabilityAbove(figure(1, each), figure(2, each)) == doctest::Approx(0.1));
    CHECK(probabilityAbove(figure(2, 1.1), figure(1, 1.1)) > 0.99);
}

TEST_CASE("two machines of one accelerator are two answers")
{
    Scenario s = eightOrFour();
    s.gpus = {"h100-sxm-80gb", "h100-sxm-80gb"};
    s.gpuCounts = {4, 8};
    const auto plan = plannedOn(s);
    REQUIRE(plan->candidates.size() > 1);
    CHECK(plan->candidates[0].machine->scenario.gpuCount == 8); // the faster
    CHECK(plan->candidates[1].machine->scenario.gpuCount == 4);
}

TEST_CASE("all that is wrong with machines of stated sizes is said")
{
    Scenario s = eightOrFour();
    s.gpuCount = 8;
    const auto twice = size(s, shipped());
    REQUIRE_FALSE(twice);
    CHECK(twice.error().front().where == "gpus");
    CHECK_FALSE(resolve(s, shipped()));
    s.gpuCount.reset();
    s.gpuCounts = {8};
    CHECK_FALSE(size(s, shipped()));
    s.gpuCounts = {8, 4};
    s.gpus = {"h101", "b201"};
    const auto unknown = size(s, shipped());
    REQUIRE_FALSE(unknown);
    CHECK(unknown.error().size() == 2);
}

TEST_CASE("a prediction is of the first machine and its number")
{
    const auto resolved = resolve(eightOrFour(), shipped());
    REQUIRE(resolved);
    CHECK(resolved->deployment.gpu->id == "h100-sxm-80gb");
    CHECK(resolved->deployment.layout.gpus() == 8);
    CHECK(std::any_of(resolved->warnings.begin(), resolved->warnings.end(), [](const Message& told) {
        return told.english().find("about the first") != std::string::npos;
    }));
}

TEST_CASE("A machine that carries some of the users says how many within the targets, and shows the layout "
          "that does")
{
    Scenario s;
    s.model = "qwen3-235b-a22b";
    s.gpus = {"h100-sxm-80gb"};
    s.gpuCount = 16;
    s.prompt = LengthDistribution::of(20224);
    s.output = LengthDistribution::of(256);
    s.concurrency = 200;
    s.targets.tokensPerSecond = 40;
    const auto plan = size(s, shipped(), {.explain = false});
    REQUIRE(plan);
    CHECK_FALSE((*plan)->meets);
    const Candidate& shown = (*plan)->answer;
    // Memory holds over twice as many: the targets end it.
    REQUIRE(shown.maxConcurrency >= 1);
    CHECK(shown.maxConcurrency * 2
          < shown.point.prediction.memory.maxBatch * shown.deployment.layout.replicas);
    const std::string reason = (*plan)->reason.english();
    CHECK(reason.starts_with(fmt::format("at most {:.0f} users at once within the targets ({} ×",
                                         shown.maxConcurrency, shown.gpus())));
    CHECK(reason.find("200 are asked") != std::string::npos);
    for (const Candidate& other : (*plan)->candidates)
        CHECK(other.maxConcurrency <= shown.maxConcurrency);
    // Asked for as many, it says yes.
    s.concurrency = shown.maxConcurrency;
    const auto fewer = size(s, shipped(), {.explain = false});
    REQUIRE(fewer);
    CHECK((*fewer)->meets);
}

TEST_CASE("a change that would do is asked of every machine that was named" * doctest::skip(test::sanitized))
{
    Scenario s = eightOrFour();
    s.model = "glm-4.6";
    s.gpus = {"rtx-pro-6000-blackwell-workstation", "h100-sxm-80gb", "h200-sxm-141gb"};
    s.gpuCounts = {8, 8, 8};
    s.weights = DType::Fp8;
    s.prompt = LengthDistribution::of(61184);
    s.prefixCached = 0.9;
    s.concurrency = 10;
    s.targets.tokensPerSecond = 28;
    const auto plan = plannedOn(s);
    REQUIRE_FALSE(plan->meets);
    int ofAll = 0;
    for (const Remedy& remedy : plan->remedies) {
        CAPTURE(remedy.change.english());
        if (remedy.amount == Remedy::Amount::Gpus) {
            CHECK(remedy.scenario.gpus.size() == 1);
            continue;
        }
        ++ofAll;
        CHECK(remedy.scenario.gpus == s.gpus);
        CHECK(remedy.scenario.gpuCounts == s.gpuCounts);
        CHECK(plannedOn(remedy.scenario)->meets);
    }
    CHECK(ofAll > 0);
}

TEST_CASE("a change that would do is asked of all of a few accelerators that share their number")
{
    Scenario s = eightOrFour();
    s.gpus = {"l40s", "h100-sxm-80gb", "b200-sxm-180gb"};
    s.gpuCounts.clear();
    s.gpuCount = 1;
    s.targets.tokensPerSecond = 20;
    const auto plan = plannedOn(s);
    REQUIRE_FALSE(plan->meets);
    const auto weights = std::find_if(plan->remedies.begin(), plan->remedies.end(),
                                      [](const Remedy& r) { return r.scenario.weights.has_value(); });
    REQUIRE(weights != plan->remedies.end());
    CHECK(weights->scenario.gpus == s.gpus);
    CHECK(weights->scenario.gpuCount == s.gpuCount);
    CHECK(plannedOn(weights->scenario)->meets);
}

} // namespace headroom::tests
