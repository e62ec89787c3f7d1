#include "model/resolve/tco.h"

#include <doctest/doctest.h>

#include <cmath>
#include <optional>

namespace headroom::tests {

namespace {

constexpr double toTheDollar = 0.5;

void same(double figure, double sheet) { CHECK(std::abs(figure - sheet) <= toTheDollar); }

Bill oneSum(double dollars)
{
    return {.gpus = 8, .boxes = 1, .accelerators = Dollars(dollars), .servers = {}, .network = {}};
}

} // namespace

// The sheets were made by hand, a row for each month of 730.5 hours; each comment is the sheet's own sums.

TEST_CASE("Sheet 1: a box paid at once against the same box rented")
{
    // Purchase 310,000. Electricity 8.5 kW x 1.3 x 0.12 x 730.5 = 968.6430 a month; 48 rows: 46,494.86.
    // Owned 310,000 + 46,494.86 = 356,494.86. Rent 19.68 x 730.5 = 14,376.24; 48 rows: 690,059.52.
    // Row 12: 310,000 + 12 x 968.643 = 321,623.72. The lines cross at 310,000 / (14,376.24 - 968.643)
    // = 23.12.
    Money money;
    const CostOverYears c = costOverYears(
        {.bill = oneSum(310000), .power = Watts(8500), .fullPower = Watts(10200), .rentPerHour = 19.68},
        money);
    same(*c.own, 356494.86);
    same(c.electricity, 46494.86);
    same(*c.rent, 690059.52);
    REQUIRE(c.ownByMonth.size() == 49);
    same(c.ownByMonth[0], 310000);
    same(c.ownByMonth[12], 321623.72);
    same(c.rentByMonth[12], 172514.88);
    CHECK(*c.monthsToRent == doctest::Approx(23.1212).epsilon(1e-5));
    CHECK_FALSE(c.api);
}

TEST_CASE("Sheet 2: two boxes with their network, in a rented room, with staff, sold in the end")
{
    // Purchase 480,000 + 140,000 + 30,120 = 650,120. A month: 15 kW x 1.25 x 0.10 x 730.5 = 1,369.69 of
    // electricity, 20.4 kW x 184.06 = 3,754.82 for the room, 650,120 x 5 % / 12 = 2,708.83 for staff. 60
    // rows: 82,181.25 + 225,289.44 + 162,530 = 470,000.69. Got back in row 60: 65,012. 650,120 + 470,000.69 -
    // 65,012 = 1,055,108.69. Rent 39.36 x 730.5 x 60 = 1,725,148.80.
    const Bill bill{.gpus = 16,
                    .boxes = 2,
                    .accelerators = Dollars(480000),
                    .servers = Dollars(140000),
                    .network = Dollars(30120)};
    Money money;
    money.years = 5;
    money.pue = 1.25;
    money.electricityPerKwh = 0.10;
    money.hostingPerKwMonth = 184.06;
    money.staffShare = 0.05;
    money.residualShare = 0.1;
    const CostOverYears c = costOverYears(
        {.bill = bill, .power = Watts(15000), .fullPower = Watts(20400), .rentPerHour = 39.36}, money);
    same(c.electricity, 82181.25);
    same(c.room, 225289.44);
    same(c.staff, 162530);
    same(c.gotBack, 65012);
    same(*c.own, 1055108.69);
    same(*c.rent, 1725148.80);
    same(c.ownByMonth[24], 838120.28);
}

TEST_CASE("Sheet 3: a loan at six per cent pays the box of sheet 1")
{
    // r = 0.005 a month: 310,000 x r / (1 - (1 + r)^-48) = 7,280.36. The sheet's column of interest, balance
    // x r, sums to 39,457.23. Row 12: 12 x (7,280.36 + 968.643) = 98,988.02. Row 48: 395,952.10.
    Money money;
    money.interestPerYear = 0.06;
    const CostOverYears c = costOverYears(
        {.bill = oneSum(310000), .power = Watts(8500), .fullPower = Watts(10200), .rentPerHour = 19.68},
        money);
    same(c.run.loan, 7280.36);
    same(c.interest, 39457.23);
    same(c.ownByMonth[0], 0);
    same(c.ownByMonth[12], 98988.02);
    same(*c.own, 395952.10);
    CHECK(*c.monthsToRent == 0); // a month of the loan is less than a month of rent
}

TEST_CASE("Sheet 4: a workstation in an office, ten hours on five days a week")
{
    // Purchase 4 x 985.5 + 1,314 = 5,256. 50 of 168 hours: 1.1 kW x 0.30 x 730.5 x 50 / 168 = 71.75 a month;
    // 36 rows: 2,582.84. Owned 7,838.84. Rent 2.00 x 730.5 x 50 / 168 x 36 = 15,653.57.
    Money money;
    money.amortisationYears = 3;
    money.pue = 1;
    money.electricityPerKwh = 0.30;
    money.hoursPerDay = 10;
    money.daysPerWeek = 5;
    const CostOverYears c = costOverYears(
        {.bill = oneSum(5256), .power = Watts(1100), .fullPower = Watts(1600), .rentPerHour = 2.0}, money);
    same(c.electricity, 2582.84);
    same(*c.own, 7838.84);
    same(*c.rent, 15653.57);
    same(c.ownByMonth[24], 6977.89);
}

TEST_CASE("Sheet 5: a cluster on a loan against an API's price of tokens")
{
    // 1,240,000 at 8 % over 36 rows: 38,857.09 each, interest 158,855.35; a fifth got back, 248,000.
    // Owned 1,240,000 + 158,855.35 - 248,000 = 1,150,855.35, 31,968.20 a month, 63.94 for each of 500 users.
    // 3,000 million tokens a month, three of prompts to one of answers: (3 x 0.50 + 1.50) / 4 = 0.75 a
    // million, 2,250 a month, 81,000 in all. The cluster is worth it above 31,968.20 / 0.75 = 42,624.27
    // million.
    Money money;
    money.years = 3;
    money.interestPerYear = 0.08;
    money.residualShare = 0.2;
    money.apiPrice = ApiPrice{0.5, 1.5};
    const CostOverYears c = costOverYears({.bill = oneSum(1240000),
                                           .power = {},
                                           .fullPower = {},
                                           .rentPerHour = std::nullopt,
                                           .promptTokens = 3000,
                                           .outputTokens = 1000,
                                           .tokensPerMonth = 3e9,
                                           .users = 500},
                                          money);
    same(c.run.loan, 38857.09);
    same(c.interest, 158855.35);
    same(*c.own, 1150855.35);
    same(*c.perMonth(), 31968.20);
    CHECK(*c.perUserAndMonth == doctest::Approx(63.9364).epsilon(1e-5));
    same(*c.api, 81000);
    CHECK(*c.tokensWorthIt == doctest::Approx(42624.27e6).epsilon(1e-6));
    CHECK_FALSE(c.monthsToApi); // a month of the loan alone is more than the API asks
    CHECK_FALSE(c.rent);
}

TEST_CASE("An hour of owning is the sheet's sum over the hours of its years")
{
    Money money;
    money.years = 5;
    money.staffShare = 0.05;
    money.residualShare = 0.1;
    money.interestPerYear = 0.06;
    const CostOverYears c = costOverYears({.bill = oneSum(310000),
                                           .power = Watts(8500),
                                           .fullPower = Watts(10200),
                                           .rentPerHour = std::nullopt},
                                          money);
    const OwnedHour hour = ownedHour(Dollars(310000), Watts(8500), money);
    CHECK(hour.total() * 5 * hoursPerYear == doctest::Approx(*c.own));
}

} // namespace headroom::tests
