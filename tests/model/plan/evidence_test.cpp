// What an answer rests on, what is promised where no speed was asked for, and how long a replica takes to
// load.
#include "model/advise/size.h"
#include "model/memory/loading_time.h"
#include "model/resolve/resolve.h"
#include "model/yaml/catalogue.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

namespace headroom::tests {
namespace {

const SearchOptions closedForm{.simulate = false};

Scenario askingFor(std::string model, std::vector<std::string> gpus)
{
    Scenario s;
    s.model = std::move(model);
    s.gpus = std::move(gpus);
    return s;
}

bool tells(const std::vector<Message>& sentences, std::string_view part)
{
    return std::any_of(sentences.begin(), sentences.end(),
                       [part](const Message& one) { return one.english().find(part) != std::string::npos; });
}

} // namespace

TEST_CASE(
    "beside an answer that rests on estimates stands the best one that rests on timings of its own card")
{
    Scenario asked = askingFor("llama-3.1-70b", {"instinct-mi300x", "h100-sxm-80gb"});
    asked.targets.tokensPerSecond = 15;
    asked.money.gpuPrice = dollarsPerHour(2); // of one: whole boxes need not be rented
    const auto plan = size(asked, shipped(), closedForm);
    REQUIRE(plan);
    const SizingPlan& p = **plan;
    REQUIRE(p.meets);
    REQUIRE(p.answer.deployment.gpu->id
            == "instinct-mi300x"); // one holds the model, of the H100 it takes two
    if (p.answer.evidence() <= Source::MeasuredPublished) {
        CHECK_FALSE(p.surest);
    } else {
        REQUIRE(p.surest);
        CHECK(p.surest->evidence() <= Source::MeasuredPublished);
        CHECK(p.surest->meets);
    }
}

TEST_CASE("figures rest on nothing less than was asked for")
{
    Scenario asked = askingFor("llama-3.1-8b", {"h100-sxm-80gb", "instinct-mi300x", "tpu-v5e"});
    asked.targets.tokensPerSecond = 15;
    const auto any = size(asked, shipped(), closedForm);
    REQUIRE(any);
    asked.evidence = EvidenceFloor::Measured;
    const auto measured = size(asked, shipped(), closedForm);
    REQUIRE(measured);
    CHECK((*measured)->candidates.size() < (*any)->candidates.size());
    for (const Candidate& c : (*measured)->candidates)
        if (c.point.prediction.memory.fits)
            CHECK(c.evidence() <= Source::MeasuredPublished);
    asked.gpus = {"tpu-v5e"};
    const auto none = size(asked, shipped(), closedForm);
    REQUIRE_FALSE(none);
    CHECK(none.error().front().where == "evidence");
}

TEST_CASE("where no speed was asked for an interactive service is assumed, and told")
{
    const auto plan = size(askingFor("llama-3.1-70b", {"a100-sxm-80gb"}), shipped(), closedForm);
    REQUIRE(plan);
    REQUIRE((*plan)->meets);
    CHECK((*plan)->answer.point.tokensPerSecondPerUser.value.base() >= 10);
    CHECK((*plan)->answer.point.ttft.value.base() <= 5);
    CHECK(tells((*plan)->assumptions, "no speed was asked for"));
}

TEST_CASE(
    "a first token in time is no speed: one is assumed, and told, and the first token stays as it was asked")
{
    Scenario asked = askingFor("llama-3.1-70b", {"a100-sxm-80gb"});
    asked.concurrency = 40;
    asked.targets.ttft = Seconds(1.5);
    const auto plan = size(asked, shipped(), closedForm);
    REQUIRE(plan);
    REQUIRE((*plan)->meets);
    CHECK((*plan)->answer.point.tokensPerSecondPerUser.value.base() >= 10);
    CHECK((*plan)->answer.point.ttft.value.base() <= 1.5);
    CHECK((*plan)->assumed.tokensPerSecond == 10);
    CHECK_FALSE((*plan)->assumed.ttft);
    CHECK(tells((*plan)->assumptions, "no speed was asked for: at least 10 tokens/s for each user"));
    asked.output = LengthDistribution::of(1); // nothing goes on after the first
    const auto one = size(asked, shipped(), closedForm);
    REQUIRE(one);
    CHECK_FALSE((*one)->assumed.any());
}

TEST_CASE("a speed that nobody asked for stands in nobody's way")
{
    // 405B with prompts of 100,000 tokens on small cards: no layout gives 10 tokens/s.
    Scenario asked = askingFor("llama-3.1-405b", {"l4"});
    asked.prompt = LengthDistribution::of(100'000);
    const auto plan = size(asked, shipped(), closedForm);
    REQUIRE(plan);
    CHECK((*plan)->meets);
    CHECK_FALSE(tells((*plan)->assumptions, "no speed was asked for: at least"));
    CHECK(tells((*plan)->warnings, "the first token comes after"));
}

TEST_CASE(
    "where no wait was asked for, long prompts are given longer, and what is in the prefix cache is not")
{
    Scenario asked = askingFor("llama-3.1-8b", {"h100-sxm-80gb"});
    asked.prompt = LengthDistribution::of(4000);
    CHECK((*size(asked, shipped(), closedForm))->assumed.ttft == Seconds(5));
    asked.prompt = LengthDistribution::of(94'000); // ten times MLPerf's, which are given 6 s
    CHECK((*size(asked, shipped(), closedForm))->assumed.ttft == Seconds(60));
    asked.prefixCached = 0.8;
    CHECK((*size(asked, shipped(), closedForm))->assumed.ttft == Seconds(12));
    asked.targets.ttft = Seconds(3);
    CHECK_FALSE((*size(asked, shipped(), closedForm))->assumed.ttft);
}

TEST_CASE("where nothing gives the usual speed half of it is assumed, also within a budget")
{
    // 405B on 4090s: their step alone takes more than a tenth of a second, and less than a fifth.
    Scenario asked = askingFor("llama-3.1-405b", {"geforce-rtx-4090"});
    const auto slower = size(asked, shipped(), closedForm);
    REQUIRE(slower);
    REQUIRE((*slower)->meets);
    CHECK((*slower)->assumed.tokensPerSecond == 5);
    CHECK((*slower)->assumed.ttft == Seconds(10));
    CHECK(tells((*slower)->assumptions,
                "no speed was asked for: at least 5 tokens/s for each user and a first token within 10 s"));
    // What a budget buys is no answer at a word in two seconds where it buys one at reading speed.
    asked.model = "deepseek-v3";
    asked.gpus.clear();
    asked.concurrency = 50;
    asked.money.buy = true;
    asked.money.purchaseBudget = Dollars(137'500);
    const auto bought = size(asked, shipped(), closedForm);
    REQUIRE(bought);
    REQUIRE((*bought)->meets);
    CHECK((*bought)->answer.point.tokensPerSecondPerUser.value.base() >= *(*bought)->assumed.tokensPerSecond);
    CHECK(*(*bought)->assumed.tokensPerSecond >= 2.5);
}

TEST_CASE("A speed that nobody asked for is not bought at any price, and what it would take is told")
{
    // Cards over PCIe under a large model: a little more speed takes many times as many of them.
    Scenario asked = askingFor("deepseek-v3", {"l40s"});
    asked.prompt = LengthDistribution::of(16'000);
    asked.output = LengthDistribution::of(1024);
    asked.concurrency = 32;
    bool anyDear = false;
    for (const double wait : {5.0, 8.5, 12.0, 20.0, 40.0}) {
        CAPTURE(wait);
        asked.targets.ttft = Seconds(wait);
        Scenario stated = asked;
        stated.targets.tokensPerSecond = 10;
        const auto usual = size(stated, shipped(), closedForm);
        stated.targets.tokensPerSecond = 5;
        const auto slower = size(stated, shipped(), closedForm);
        const auto plan = size(asked, shipped(), closedForm);
        REQUIRE((usual && slower && plan));
        if (!(*usual)->meets || !(*slower)->meets)
            continue;
        const int gpus = (*usual)->answer.gpus();
        const bool dear = gpus > 32 && gpus >= 4 * (*slower)->answer.gpus();
        anyDear = anyDear || dear;
        CHECK(((*plan)->assumed.tokensPerSecond < 10) == dear);
        CHECK(tells((*plan)->assumptions, "tokens/s for each user would take") == dear);
        if (dear)
            CHECK((*plan)->answer.gpus() <= (*slower)->answer.gpus());
    }
    MESSAGE((anyDear ? "some" : "none") << " of these is dear");
}

TEST_CASE("weights load at the storage that was stated")
{
    Scenario asked = askingFor("llama-3.1-70b", {"h100-sxm-80gb"});
    asked.tp = 4;
    asked.storageRead = BytesPerSecond(1e9);
    const auto slow = resolve(asked, shipped());
    REQUIRE(slow);
    const auto loading = loadingTime(slow->deployment);
    REQUIRE(loading);
    CHECK(loading->fromStorage.base() == doctest::Approx(70'553'706'496 * 2 / 1e9));
    CHECK(loading->boundByStorage);
}

} // namespace headroom::tests
