#include "model/plan/money.h"

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

} // namespace

TEST_CASE("renting and owning by hand")
{
    const auto choice = rentOrOwn(card(), usual(), 8);
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
    const RentOrOwn both = *rentOrOwn(card(), usual(), 2) + *rentOrOwn(other, usual(), 4);
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
    const auto choice = rentOrOwn(card(), own, 1);
    REQUIRE(choice);
    CHECK(choice->rent == doctest::Approx(0.5));
    CHECK(choice->purchase.base() == 20000);
    CHECK_FALSE(choice->owningPays()); // 0.57 for the card alone
    Gpu unsold = card();
    unsold.purchasePrice.reset();
    CHECK_FALSE(rentOrOwn(unsold, usual(), 1));
    Gpu unrented = card();
    unrented.cloudPrice.reset();
    CHECK_FALSE(rentOrOwn(unrented, usual(), 1));
}

} // namespace headroom::tests
