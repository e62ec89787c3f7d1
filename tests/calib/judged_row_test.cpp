#include "model/measured/judged_row.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace headroom {

namespace {

JudgedRow judgedRow(const char* model, bool inside)
{
    JudgedRow row;
    row.model = model;
    row.used = true;
    row.row.value = inside ? 1.0 : 3.0;
    row.predicted = {1.0, 0.5, 2.0, Source::Prior};
    return row;
}

ErrorSummary of(const std::vector<JudgedRow>& rows)
{
    std::vector<const JudgedRow*> all;
    for (const JudgedRow& row : rows)
        all.push_back(&row);
    return summarise(all);
}

} // namespace

TEST_CASE("the share inside the range is as sure as there are configurations, not rows")
{
    // Two configurations of two rows each, one wholly inside and one outside: each is off its share by 2/2
    // rows.
    const ErrorSummary together
        = of({judgedRow("a", true), judgedRow("a", true), judgedRow("b", false), judgedRow("b", false)});
    CHECK(together.withinInterval == 0.5);
    CHECK(together.withinError == doctest::Approx(std::sqrt((1.0 + 1.0) * 2 / 1) / 4)); // 0.5
    // The same rows as four configurations are twice as telling, but for the small sample.
    const ErrorSummary apart
        = of({judgedRow("a", true), judgedRow("b", true), judgedRow("c", false), judgedRow("d", false)});
    CHECK(apart.withinError == doctest::Approx(std::sqrt(4 * 0.25 * 4 / 3) / 4));
    CHECK(apart.withinError < together.withinError);
    // One configuration says nothing of others.
    CHECK(of({judgedRow("a", true), judgedRow("a", false)}).withinError == 0);
}

namespace {

JudgedRow figure(std::size_t readAs, const char* version, double measured, double predicted)
{
    JudgedRow row = judgedRow("a", true);
    row.readAs = readAs;
    row.row.engineVersion = version;
    row.row.value = measured;
    row.predicted.value = predicted;
    row.vendor = "NVIDIA";
    return row;
}

} // namespace

TEST_CASE("one set-up measured twice is no pair of alternatives, and tells how far publications are apart")
{
    const JudgedRow once = figure(0, "0.5.7", 10, 12);
    const OrderSummary twice = orderOf({once, figure(0, "0.5.7", 15, 12)});
    CHECK(twice.within.pairs == 0);
    CHECK(twice.repeats.pairs == 1);
    CHECK(twice.repeats.overFifth == 1);
    CHECK(twice.repeats.median == doctest::Approx(1.5));
    // Nothing tells them apart either where one does not state its version; a date is none.
    CHECK(orderOf({once, figure(0, "", 15, 12)}).repeats.pairs == 1);
    CHECK(orderOf({once, figure(0, "2026-06", 15, 12)}).repeats.pairs == 1);
    // A figure that others contradict is no evidence, but it was published.
    JudgedRow contradicted = figure(0, "0.5.7", 15, 12);
    contradicted.used = false;
    contradicted.contradicted = true;
    CHECK(orderOf({once, contradicted}).repeats.pairs == 1);
}

TEST_CASE("two versions are alternatives, though they are predicted alike: that is a wrong order")
{
    const OrderSummary versions = orderOf({figure(0, "0.5.2", 10, 12), figure(0, "0.5.5", 15, 12)});
    CHECK(versions.within.pairs == 1);
    CHECK(versions.within.right == 0);
    CHECK(versions.repeats.pairs == 0);
    const OrderSummary machines = orderOf({figure(0, "0.5.2", 10, 12), figure(1, "0.5.2", 15, 13)});
    CHECK(machines.within.pairs == 1);
    CHECK(machines.within.right == 1);
}

TEST_CASE("a first token of few users is judged apart from one behind a queue")
{
    JudgedRow lone = judgedRow("a", true);
    lone.regime = "one box";
    lone.row.metric = Metric::Ttft;
    lone.row.load = "8";
    JudgedRow queued = lone;
    queued.row.load = "9";
    JudgedRow open = lone;
    open.row.load = "qps 4";
    const ValidationReport report = reportOf({lone, queued, open});
    const auto& by = report.by.at("regime");
    CHECK(by.at("one box, ttft_ms of few users").used == 1);
    CHECK(by.at("one box, ttft_ms").used == 2);
    CHECK(by.at("one box, every quantity").used == 3);
}

TEST_CASE("percentiles of a metric are summed up apart, and with its means")
{
    JudgedRow mean = judgedRow("a", true);
    mean.row.metric = Metric::Ttft;
    JudgedRow tail = mean;
    tail.row.statistic = Statistic::P99;
    JudgedRow token = mean;
    token.row.metric = Metric::Tpot;
    const ValidationReport report = reportOf({mean, tail, token});
    const auto& by = report.by.at("metric");
    CHECK(by.at("ttft_ms").used == 1);
    CHECK(by.at("ttft_ms p99").used == 1);
    CHECK(by.at("ttft_ms, all").used == 2);
    CHECK(by.at("tpot_ms").used == 1);
    CHECK(by.count("tpot_ms, all") == 0); // there is nothing to sum up
}

} // namespace headroom
