#include "model/base/currency.h"
#include "model/base/figure_text.h"
#include "model/base/message.h"
#include "model/report/measure.h"

#include <doctest/doctest.h>

#include <limits>

using namespace headroom;

TEST_CASE("numbers for people have three digits that matter and a unit that fits")
{
    CHECK(forPeople(0.0141, Measure::Time) == "14.1 ms");
    CHECK(forPeople(1.0, Measure::Time) == "1.00 s");
    CHECK(forPeople(0.9999, Measure::Time) == "1.00 s");
    CHECK(forPeople(0, Measure::Time) == "0 s");
    CHECK(forPeople(141107412992.0, Measure::Storage) == "141 GB");
    CHECK(forPeople(131072, Measure::Storage) == "131 KB");
    CHECK(forPeople(70553706496.0, Measure::Whole) == "70,553,706,496");
    CHECK(forPeople(312e12, Measure::WorkRate) == "312 TFLOP/s");
    CHECK(forPeople(0.595, Measure::Share) == "59.5 %");
    CHECK(forPeople(5.16, Measure::HourlyPrice) == "$5.16/h");
    CHECK(forPeople(0.165, Measure::MillionPrice) == "$0.165");
    CHECK(forPeople(0.45, Measure::HourlyPrice) == "$0.45/h");
    CHECK(forPeople(1279, Measure::Length) == "1,279 tokens");
    CHECK(forPeople(999.6, Measure::TokenRate) == "1,000 tokens/s");
}

TEST_CASE("an interval is shown in the unit of its value")
{
    CHECK(forPeople(0.193, 0.167, 0.222, Measure::Time) == "193 ms (167 to 222)");
    CHECK(forPeople(0.95, 0.8, 1.1, Measure::Time) == "950 ms (800 to 1,100)");
    CHECK(forPeople(2.0, 2.0, 2.0, Measure::TokenRate) == "2.00 tokens/s");
}

TEST_CASE("what is no number is said to be unknown")
{
    CHECK(forPeople(std::numeric_limits<double>::quiet_NaN(), Measure::Time) == "unknown");
    CHECK(forPeople(std::numeric_limits<double>::infinity(), Measure::Storage) == "unknown");
}

TEST_CASE("figures in sentences have no powers of ten, however small or large")
{
    CHECK(fewDigits(0.0000123, 3) == "0.0000123");
    CHECK(fewDigits(3.4e-9, 4) == "0.0000000034");
    CHECK(fewDigits(0.123456, 3) == "0.123");
    CHECK(fewDigits(12.5, 3) == "12.5");
    CHECK(fewDigits(1234567, 3) == "1234567");
    CHECK(fewDigits(999.7, 3) == "1000");
    CHECK(fewDigits(0, 3) == "0");
}

TEST_CASE("amounts have cents, thousands in groups, and more digits only below a cent")
{
    CHECK(amountText(0.8) == "$0.80");
    CHECK(amountText(0.057) == "$0.057");
    CHECK(amountText(0.0000123) == "$0.0000123");
    CHECK(amountText(2.46) == "$2.46");
    CHECK(amountText(999.999) == "$1,000");
    CHECK(amountText(25000) == "$25,000");
    CHECK(amountText(1234567.8) == "$1,234,568");
}

TEST_CASE("what is counted is one or many")
{
    CHECK(counted(1, "{} replica", "{} replicas").english() == "1 replica");
    CHECK(counted(3, "{} replica", "{} replicas").english() == "3 replicas");
}
