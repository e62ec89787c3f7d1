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
}

} // namespace headroom
