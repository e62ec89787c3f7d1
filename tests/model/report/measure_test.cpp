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
