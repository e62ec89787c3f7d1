#include "model/advise/size.h"
#include "model/closed_form/prediction.h"
#include "model/resolve/money.h"
#include "model/resolve/resolve.h"
#include "model/search/search.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

namespace headroom::tests {

namespace {

Gpu card()
{
    Gpu gpu;
    gpu.cloudPrice = dollarsPerHour(2.5);
    gpu.purchasePrice = Dollars(30000);
    gpu.tdp = Watts(700);
    return gpu;
}

Money usual()
{
    Money money;
    money.amortisationYears = 4;
    money.pue = 1.3;
    money.electricityPerKwh = 0.12;
    return money;
}

// So many cards in a box that costs nothing.
struct Cards {
    explicit Cards(int count)
    {
        node.gpusPerNode = 8;
        node.serverPrice = Dollars();
        deployment.gpu = &gpu;
        deployment.node = &node;
        deployment.layout.replicas = count;
    }
    Cards(const Cards&) = delete;
    Gpu gpu = card();
    Node node;
    Deployment deployment;
};

} // namespace

TEST_CASE("renting and owning by hand")
{
    const auto choice = rentOrOwn(card(), usual(), Cards(8).deployment, Watts(8 * 700));
    REQUIRE(choice);
    CHECK(choice->rent == doctest::Approx(8 * 2.5));
    const double electricity = 0.7 * 1.3 * 0.12; // dollars an hour
    CHECK(choice->electricity == doctest::Approx(8 * electricity));
    CHECK(choice->own == doctest::Approx(8 * (30000 / (4 * 8766.0) + electricity)));
    CHECK(choice->owningPays());
    // After so many months the rent of all has paid for all and their electricity.
    const double months = choice->monthsToPay();
    CHECK(months * 730.5 * (8 * 2.5) == doctest::Approx(8 * 30000 + months * 730.5 * 8 * electricity));
}

TEST_CASE("GPUs of two kinds are rented and owned together")
{
    Gpu other = card();
    other.cloudPrice = dollarsPerHour(6);
    other.purchasePrice = Dollars(50000);
    const RentOrOwn both = *rentOrOwn(card(), usual(), Cards(2).deployment, Watts(2 * 700))
        + *rentOrOwn(other, usual(), Cards(4).deployment, Watts(4 * 700));
    CHECK(both.rent == doctest::Approx(2 * 2.5 + 4 * 6.0));
    CHECK(both.purchase.base() == doctest::Approx(2 * 30000 + 4 * 50000));
    const double electricity = 6 * 0.7 * 1.3 * 0.12;
    CHECK(both.own == doctest::Approx((2 * 30000 + 4 * 50000) / (4 * 8766.0) + electricity));
    CHECK(both.monthsToPay() == doctest::Approx(260000 / ((29 - electricity) * 730.5)));
}

TEST_CASE("the user's prices come before the catalogue's, and one that nobody knows leaves nothing to weigh")
{
    Money own = usual();
    own.gpuPrice = dollarsPerHour(0.5);
    own.purchasePrice = Dollars(20000);
    const auto choice = rentOrOwn(card(), own, Cards(1).deployment, Watts(700));
    REQUIRE(choice);
    CHECK(choice->rent == doctest::Approx(0.5));
    CHECK(choice->purchase.base() == 20000);
    CHECK_FALSE(choice->owningPays()); // 0.57 for the card alone
    Gpu unsold = card();
    unsold.purchasePrice.reset();
    CHECK_FALSE(rentOrOwn(unsold, usual(), Cards(1).deployment, Watts(700)));
    Gpu unrented = card();
    unrented.cloudPrice.reset();
    CHECK_FALSE(rentOrOwn(unrented, usual(), Cards(1).deployment, Watts(700)));
}

TEST_CASE("An owner pays for the power that is shown, and buys no slower split to save some of it")
{
    Scenario s;
    s.model = "llama-3.1-70b";
    s.gpus = {"h100-sxm-80gb"};
    s.money.buy = true;
    const auto plan = size(s, shipped(), {.prune = true, .simulate = false, .explain = false});
    REQUIRE(plan);
    const Service& service = (*plan)->answer.point.prediction.service;
    const double each = (*plan)->answer.machine->scenario.money.purchasePrice->base();
    // One box: its eight modules at the catalogue's price, and the rest of it.
    REQUIRE(service.gpus <= 8);
    const double box = 8 * each + (*plan)->answer.deployment.node->serverPrice->base();
    const double writeOff = box / (4 * 8766.0);
    const double electricity = service.power.value.base() / 1000 * 1.3 * 0.12;
    CHECK(perHour(service.price) == doctest::Approx(writeOff + electricity));
    REQUIRE((*plan)->rentOrOwn);
    CHECK((*plan)->rentOrOwn->own == doctest::Approx(writeOff + electricity));
    s.money.buy = false;
    const auto rented = size(s, shipped(), {.prune = true, .simulate = false, .explain = false});
    CHECK((*plan)->answer.deployment.layout == (*rented)->answer.deployment.layout);
}

TEST_CASE("A budget to buy from bounds what all boxes cost")
{
    Scenario s;
    s.model = "llama-3.1-70b";
    s.gpus = {"h100-sxm-80gb"};
    s.targets.tokensPerSecond = 60; // four at least
    s.money.purchasePrice = Dollars(30000);
    s.money.purchaseBudget = Dollars(310000);
    const SearchOptions quick{.prune = true, .simulate = false, .explain = false};
    const auto enough = size(s, shipped(), quick);
    REQUIRE(enough);
    CHECK((*enough)->meets);
    CHECK(purchaseOf((*enough)->answer)->base() <= 310000);
    s.money.purchaseBudget = Dollars(309000);
    const auto less = size(s, shipped(), quick);
    REQUIRE(less);
    CHECK(!(*less)->meets);
    s.money.purchasePrice.reset();
    s.gpus = {"instinct-mi325x"};
    s.targets.tokensPerSecond = 20;
    const auto unknown = size(s, shipped(), quick);
    REQUIRE(unknown);
    CHECK(!(*unknown)->meets);
    CHECK((*unknown)->answer.reason.english().find("purchase price is not known") != std::string::npos);
}

TEST_CASE("How many users a budget carries is asked of all that it pays")
{
    Scenario s;
    s.model = "llama-3.1-8b";
    s.gpus = {"h100-sxm-80gb"};
    s.targets.tokensPerSecond = 20;
    s.objective = Objective::MostThroughput;
    s.money.gpuPrice = dollarsPerHour(2);
    s.money.budgetPerHour = 20;
    const SearchOptions quick{.prune = true, .simulate = false, .explain = false};
    const auto ten = size(s, shipped(), quick);
    REQUIRE(ten);
    CHECK((*ten)->answer.gpus() == 10);
    CHECK(perHour((*ten)->answer.point.prediction.service.price) <= 20);
    s.money.budgetPerHour = 10;
    const auto five = size(s, shipped(), quick);
    CHECK((*ten)->answer.maxConcurrency == doctest::Approx(2 * (*five)->answer.maxConcurrency).epsilon(0.1));
}

TEST_CASE("Power that nobody published is not told as the host's alone")
{
    Scenario s;
    s.model = "llama-3.1-8b";
    s.gpus = {"tpu-v5p"};
    const auto machine = resolve(s, shipped());
    REQUIRE(machine);
    CHECK(predict(machine->deployment, machine->load).service.power.value.base() == 0);
    bool told = false;
    for (const Message& one : machine->warnings)
        told = told || one.is("no power is known for {}: power and electricity are left out");
    CHECK(told);
}

} // namespace headroom::tests
