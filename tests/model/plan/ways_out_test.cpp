#include "model/advise/size.h"
#include "model/base/currency.h"
#include "model/base/three_digits.h"
#include "model/search/job_time.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <tuple>

namespace headroom::tests {

namespace {

std::shared_ptr<const SizingPlan> refused(const Scenario& s)
{
    auto plan = size(s, shipped());
    REQUIRE(plan);
    REQUIRE_FALSE((*plan)->meets);
    return *plan;
}

bool tells(const Remedy& remedy, std::string_view words)
{
    return remedy.change.english().find(words) != std::string::npos;
}

template <typename Test>
const Remedy* find(const SizingPlan& plan, Test test)
{
    const auto found = std::find_if(plan.remedies.begin(), plan.remedies.end(), test);
    return found == plan.remedies.end() ? nullptr : &*found;
}

Scenario job()
{
    Scenario s;
    s.model = "qwen3-8b";
    s.gpus = {"h100-sxm-80gb"};
    s.prompt = LengthDistribution::of(3000);
    s.output = LengthDistribution::of(200);
    s.jobRequests = 2e6;
    s.deadline = Seconds(8 * 3600.0);
    s.mostGpus = 4;
    return s;
}

} // namespace

TEST_CASE("A job that is too large is told when it can be done, not at which rate")
{
    const Scenario s = job();
    const auto plan = refused(s);
    CHECK(find(*plan, [](const Remedy& r) { return tells(r, "requests/s"); }) == nullptr);
    const Remedy* const later = find(*plan, [](const Remedy& r) { return tells(r, "done within"); });
    REQUIRE(later != nullptr);
    REQUIRE(later->scenario.deadline);
    CHECK(*later->scenario.deadline > *s.deadline);
    const auto time = jobTime(later->scenario, later->answer);
    REQUIRE(time);
    CHECK(time->time <= *later->scenario.deadline);
    // Asked so, it is answered.
    Scenario again = s;
    again.deadline = later->scenario.deadline;
    const auto then = size(again, shipped());
    REQUIRE(then);
    CHECK((*then)->meets);
}

TEST_CASE("A load of a month is told in tokens of a month")
{
    Scenario s;
    s.model = "qwen3-8b";
    s.gpus = {"h100-sxm-80gb"};
    s.tokensPerMonth = 5e12;
    s.mostGpus = 4;
    const auto plan = refused(s);
    CHECK(find(*plan, [](const Remedy& r) { return tells(r, "requests/s"); }) == nullptr);
    const Remedy* const fewer
        = find(*plan, [](const Remedy& r) { return tells(r, "million tokens a month"); });
    REQUIRE(fewer != nullptr);
    CHECK(*fewer->scenario.tokensPerMonth < 5e12);
    Scenario again = s;
    again.tokensPerMonth = fewer->scenario.tokensPerMonth;
    const auto then = size(again, shipped());
    REQUIRE(then);
    CHECK((*then)->meets);
}

TEST_CASE("Boxes that hold no replica and have no network: the usual ones are a way out")
{
    Scenario s;
    s.model = "deepseek-v3";
    s.gpus = {"h200-sxm-141gb"};
    s.gpuCount = 16;
    s.node = "single-workstation";
    s.concurrency = 8;
    const auto plan = refused(s);
    CHECK(std::any_of(plan->warnings.begin(), plan->warnings.end(), [](const Remark& each) {
        return each.text.english().find("no Workstation with one card with NVIDIA H200") == 0;
    }));
    const Remedy* const usual = find(*plan, [](const Remedy& r) { return tells(r, "usual boxes"); });
    REQUIRE(usual != nullptr);
    CHECK(usual->answer.deployment.node->gpusPerNode == 8);
    CHECK(usual->answer.gpus() <= 16);
}

TEST_CASE("A remedy does when it is asked as it is told, and one GPU fewer does not")
{
    Scenario s;
    s.model = "llama-3.3-70b";
    s.gpus = {"h100-sxm-80gb"};
    s.gpuCount = 2;
    s.concurrency = 100;
    s.targets.tokensPerSecond = 20;
    const auto plan = refused(s);
    const Remedy* const more = find(*plan, [](const Remedy& r) { return r.amount == Remedy::Amount::Gpus; });
    REQUIRE(more != nullptr);
    Scenario again = s;
    again.gpuCount = *more->scenario.gpuCount;
    CHECK(tells(*more, std::to_string(*again.gpuCount) + " GPUs instead of 2"));
    auto then = size(again, shipped());
    REQUIRE(then);
    CHECK((*then)->meets);
    again.gpuCount = *again.gpuCount - 1;
    then = size(again, shipped());
    REQUIRE(then);
    CHECK_FALSE((*then)->meets);

    // Rates and times are asked in the digits that they are told in.
    s.targets.ttft = Seconds(2);
    s.targets.tokensPerSecond = 25;
    s.gpuCount = 4;
    s.concurrency = 300;
    int told = 0;
    const auto slow = refused(s);
    for (const Remedy& remedy : slow->remedies) {
        CAPTURE(remedy.change.english());
        for (const auto& [now, then, unit] :
             {std::tuple(*s.targets.tokensPerSecond, *remedy.scenario.targets.tokensPerSecond, "tokens/s"),
              std::tuple(s.targets.ttft->base(), remedy.scenario.targets.ttft->base(), " s")}) {
            if (now == then)
                continue;
            ++told;
            CHECK(tells(remedy, threeDigits(then)));
            CHECK(tells(remedy, unit));
            CHECK(std::stod(threeDigits(then)) == doctest::Approx(then).epsilon(1e-12));
        }
    }
    CHECK(told > 0);
}

TEST_CASE("A budget that is told pays what it was told for, in any currency")
{
    const Currency before = toldCurrency();
    for (const Currency& currency : {Currency{}, publishedYuan, publishedEuro}) {
        tellAmountsIn(currency);
        for (const double dollars : {0.0312, 0.5, 9.8404, 137.0, 998.997, 123456.4, 7.0e6}) {
            const double budget = toldAbove(dollars);
            CAPTURE(dollars);
            CHECK(budget >= dollars * (1 - 1e-11));
            CHECK(budget <= dollars
                      + (dollars * currency.perDollar < 999 ? 0.01 : 1.0) / currency.perDollar * 1.0001);
            CHECK(amountText(budget) == amountText(toldAbove(budget)));
        }
    }
    tellAmountsIn(before);
}

} // namespace headroom::tests
