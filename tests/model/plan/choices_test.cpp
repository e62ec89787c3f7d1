// Three services to choose from, and which of them is recommended.
#include "model/advise/choices.h"
#include "model/advise/size.h"
#include "model/report/translation.h"
#include "model/search/judge.h"
#include "model/search/ranking.h"
#include "model/search/safe_answer.h"
#include "model/search/safe_confidence.h"
#include "model/yaml/catalogue.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

namespace headroom::tests {
namespace {

std::shared_ptr<const SizingPlan> answerTo(const Scenario& asked)
{
    const auto plan = size(asked, shipped());
    REQUIRE(plan);
    return *plan;
}

Scenario asking(std::vector<std::string> gpus, double users, double speed)
{
    Scenario s;
    s.model = "qwen3-32b";
    s.gpus = std::move(gpus);
    s.concurrency = users;
    s.targets.tokensPerSecond = speed;
    return s;
}

const Candidate* chosen(const Choices& choices, ChoiceKind kind)
{
    const auto found = std::find_if(choices.all.begin(), choices.all.end(),
                                    [kind](const Choice& choice) { return choice.is(kind); });
    return found == choices.all.end() ? nullptr : found->service;
}

// What holds of any choices, whatever was asked.
void checkLaws(const SizingPlan& plan)
{
    const Choices choices = choicesOf(plan);
    REQUIRE(!choices.all.empty());
    CHECK(sameService(*choices.all[choices.recommended].service, plan.answer));
    for (const Choice& choice : choices.all) {
        CHECK(choice.service->meets);
        CHECK(!choice.kinds.empty());
    }
    if (const Candidate* safe = chosen(choices, ChoiceKind::Safe))
        CHECK(safe->confidence >= safeConfidence);
    if (const Candidate* likely = chosen(choices, ChoiceKind::Likely)) {
        CHECK(likely->confidence >= leastConfidence);
        REQUIRE(plan.safe);
        CHECK(better(*likely, *plan.safe, plan.scenario.objective));
        REQUIRE(plan.cheapest);
        CHECK(better(*plan.cheapest, *likely, plan.scenario.objective));
        if (priced(*likely) && priced(*plan.safe))
            CHECK_FALSE(better(*plan.safe, *likely, Objective::CheapestHour));
    }
    if (const Candidate* sure = chosen(choices, ChoiceKind::Surest))
        CHECK(sure->evidence() <= Source::MeasuredPublished);
    const Candidate* cheapest = chosen(choices, ChoiceKind::Cheapest);
    REQUIRE(cheapest);
    for (const Choice& choice : choices.all)
        if (choice.service->deployment.gpu == cheapest->deployment.gpu)
            CHECK(choice.service->gpus() >= cheapest->gpus());
    if (cheapest->confidence < leastConfidence && chosen(choices, ChoiceKind::Safe) != nullptr) {
        CHECK(choices.because == Recommended::TooUnsure);
        CHECK(plan.answer.confidence >= safeConfidence);
    }
}

} // namespace

TEST_CASE(
    "of three choices the safe one is nine in ten sure, and stands first where the cheapest is a gamble")
{
    bool gamble = false;
    bool calm = false;
    for (double speed = 10; speed < 44; speed += speed < 30 ? 5 : 1) {
        CAPTURE(speed);
        const auto plan = answerTo(asking({"h100-sxm-80gb"}, 40, speed));
        REQUIRE(plan->meets);
        checkLaws(*plan);
        const Recommended because = choicesOf(*plan).because;
        gamble = gamble || because == Recommended::TooUnsure;
        calm = calm || because == Recommended::SureEnough || because == Recommended::Likely;
    }
    CHECK(gamble);
    CHECK(calm);
}

TEST_CASE("of two accelerators, what costs more and is less sure is no gamble that stands beside the answer")
{
    // Six B200, rented singly, are fewer than the eight MI355X of a whole machine, and cost more.
    Scenario s = asking({"b200-sxm-180gb", "instinct-mi355x"}, 200, 10);
    s.model = "deepseek-v3";
    const auto plan = answerTo(s);
    REQUIRE(plan->meets);
    CHECK(plan->answer.confidence >= safeConfidence);
    const Choices choices = choicesOf(*plan);
    for (const Choice& choice : choices.all)
        if (choice.is(ChoiceKind::Cheapest))
            CHECK(choice.service->point.prediction.service.price
                  <= plan->answer.point.prediction.service.price);
}

TEST_CASE("an accelerator without a price is never the cheapest: it stands apart")
{
    const auto plan = answerTo(asking({"h100-sxm-80gb", "gh200-144gb"}, 60, 15));
    REQUIRE(plan->meets);
    const Choices choices = choicesOf(*plan);
    const Candidate* cheapest = chosen(choices, ChoiceKind::Cheapest);
    REQUIRE(cheapest);
    CHECK(cheapest->deployment.gpu->id == "h100-sxm-80gb");
    CHECK(cheapest->point.prediction.service.priceKnown);
    for (const Candidate* each : choices.unpriced)
        CHECK_FALSE(each->point.prediction.service.priceKnown);
    Scenario byCost = asking({"h100-sxm-80gb", "gh200-144gb"}, 60, 15);
    byCost.objective = Objective::CheapestHour;
    const auto paid = answerTo(byCost);
    REQUIRE(paid->meets);
    CHECK(paid->answer.deployment.gpu->id == "h100-sxm-80gb");
    const Choices byPrice = choicesOf(*paid);
    REQUIRE(byPrice.unpriced.size() == 1);
    CHECK(byPrice.unpriced.front()->deployment.gpu->id == "gh200-144gb");
}

TEST_CASE("of a machine the safe number of users leads, and the most stands beside it as the gamble it is")
{
    Scenario s = asking({"h20-96gb"}, 1, 20);
    s.concurrency.reset();
    s.gpuCount = 4;
    s.objective = Objective::MostUsers;
    const auto plan = answerTo(s);
    REQUIRE(plan->meets);
    const UsersCarried users = plan->usersCarried();
    REQUIRE(plan->mostLikely);
    CHECK(users.safe);
    CHECK(users.told == *plan->safeUsers);
    CHECK(users.told < users.mostLikely);
    CHECK(users.mostLikely == plan->mostLikely->maxConcurrency);
    CHECK(plan->answer.confidence >= safeConfidence);
    CHECK(plan->mostLikely->confidence < leastConfidence);
    const Choices choices = choicesOf(*plan);
    CHECK(choices.because == Recommended::TooMany);
    CHECK(chosen(choices, ChoiceKind::Safe) == &plan->answer);
    // As many, asked for, are as sure.
    Scenario stated = s;
    stated.objective = Objective::FewestGpus;
    stated.concurrency = users.told;
    CHECK(answerTo(stated)->answer.confidence >= safeConfidence - 0.02);
}

TEST_CASE("growth begins with the answer, and no machine is given back")
{
    Scenario s = asking({"h100-sxm-80gb"}, 60, 25);
    s.growthPerYear = 0.4;
    const auto plan = answerTo(s);
    REQUIRE(plan->meets);
    REQUIRE(plan->growth.size() == 4);
    CHECK(plan->growth.front().gpus == plan->answer.gpus());
    for (std::size_t year = 1; year < plan->growth.size(); ++year)
        CHECK(plan->growth[year].gpus >= plan->growth[year - 1].gpus);
    CHECK(plan->growth.back().gpus > plan->answer.gpus());
}

TEST_CASE("between a gamble and a safe answer that costs far more stands one that is likely enough")
{
    const auto plan = answerTo(asking({"l40s"}, 100, 25));
    const Choices choices = choicesOf(*plan);
    checkLaws(*plan);
    REQUIRE(choices.because == Recommended::TooUnsure);
    CHECK(chosen(choices, ChoiceKind::Likely) != nullptr);
}

TEST_CASE("fewer GPUs that cost more than what is safe are not told as likely enough")
{
    for (const double users : {100.0, 200.0, 300.0, 400.0}) {
        CAPTURE(users);
        Scenario s = asking({"b300-sxm-288gb", "gb300", "instinct-mi350x"}, users, 10);
        s.targets.ttft = Seconds(1);
        s.targets.percentile = 95;
        const auto plan = answerTo(s);
        REQUIRE(plan->meets);
        checkLaws(*plan);
    }
}

TEST_CASE("what the search for a safe answer left untried is told with the answer")
{
    Scenario s = asking({"b200-sxm-180gb"}, 40, 15);
    s.targets.ttft = Seconds(1);
    s.prompt = LengthDistribution::of(8192);
    s.output = LengthDistribution::of(64);
    const auto work = std::make_shared<std::int64_t>(500'000); // steps of a sequence: too few for both
    const auto plan = size(s, shipped(), {.explain = false, .safer = true, .work = work});
    REQUIRE(plan);
    REQUIRE(*work <= 0);
    const auto& told = (*plan)->assumptions;
    CHECK(std::any_of(told.begin(), told.end(),
                      [](const Message& each) { return each.is("not every safer choice was tried: {}"); }));
}

TEST_CASE("what widens the ranges of a layout is told once, of the layout that was chosen")
{
    const auto timesTold = [](const Scenario& s) {
        const auto plan = size(s, shipped(), {.explain = false});
        REQUIRE(plan);
        const auto& told = (*plan)->assumptions;
        return std::count_if(told.begin(), told.end(), [](const Message& each) {
            return each.is("ranges allow for how well the stages of a pipeline keep each other busy, up to "
                           "{:.2f} times either way for prompts and {:.2f} for decodes");
        });
    };
    Scenario s = asking({"h100-sxm-80gb"}, 10, 15);
    s.pp = 2;
    CHECK(timesTold(s) == 1); // stated, whatever the other numbers of the layout are
    s.pp = 1;
    CHECK(timesTold(s) == 0);
}

TEST_CASE("for the same bill no gamble stands before one of a more usual shape")
{
    Scenario s = asking({"h100-sxm-80gb"}, 1, 10);
    s.objective = Objective::FewestGpus;
    const auto machine = std::make_shared<const Resolved>(*resolve(s, shipped()));
    Candidate usual = judge(machine, {.tp = 2, .replicas = 3}, s);
    Candidate odd = judge(machine, {.pp = 3, .replicas = 2}, s);
    usual.deployment.layout.replicas = 3;
    odd.deployment.layout.replicas = 2;
    REQUIRE(usual.gpus() == odd.gpus());
    usual.meets = odd.meets = true;
    usual.confidence = 0.85;
    odd.confidence = 0.95;
    CHECK(better(usual, odd, s.objective));
    usual.confidence = 0.6;
    CHECK(better(odd, usual, s.objective));
}

TEST_CASE("where the answer is no there is nothing to choose from")
{
    const auto plan = answerTo(asking({"geforce-rtx-4090"}, 1, 2000));
    REQUIRE_FALSE(plan->meets);
    CHECK(choicesOf(*plan).all.empty());
}

TEST_CASE("what is said of choices is said in Chinese too")
{
    for (const ChoiceKind kind :
         {ChoiceKind::Asked, ChoiceKind::Fewest, ChoiceKind::Cheapest, ChoiceKind::Likely, ChoiceKind::Safe,
          ChoiceKind::Surest, ChoiceKind::Elsewhere})
        CHECK(inChinese(choiceText(kind)) != choiceText(kind).english());
    for (const Recommended because : {Recommended::SureEnough, Recommended::Likely, Recommended::TooUnsure,
                                      Recommended::TooMany, Recommended::NothingSafer, Recommended::RunsSpent,
                                      Recommended::AsAsked, Recommended::NothingPromised})
        CHECK(inChinese(recommendedText(because)) != recommendedText(because).english());
}

} // namespace headroom::tests
