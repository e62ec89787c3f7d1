#include "calib/validate/engine_builds.h"
#include "tests/validation/files.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace headroom;

namespace {

const ValidationReport& report()
{
    static const ValidationReport once = validate(tests::rowsOf({"measured.csv"}), tests::shippedCatalogue());
    return once;
}

struct Recorded {
    double error = 0;
    double width = 0; // 0: none
};
std::map<std::string, Recorded> recorded()
{
    std::map<std::string, Recorded> out;
    for (const CsvRecord& record : tests::recordsOf("recorded.csv"))
        out[record.cells.at(0)]
            = {tests::numberIn(record, 1), numberFromText(record.cells.at(2)).value_or(0)};
    return out;
}

} // namespace

TEST_CASE("the shipped measurements are many, cited and mostly predictable")
{
    CHECK(report().all.rows >= 1500);
    CHECK(report().all.used >= 0.85 * static_cast<double>(report().all.rows));
    for (const JudgedRow& row : report().rows) {
        CHECK(!row.row.source.empty());
        CHECK((!row.row.sourcePath.empty() || !row.row.sourceVersion.empty()));
        CHECK((row.used || !row.whySkipped.empty()));
    }
}

TEST_CASE("no error is more than a point above its record, and no range a twentieth wider")
{
    const auto& now = report().by.at("metric");
    std::map<std::string, Recorded> before = recorded();
    const std::map<std::string, PairOrder> orders{
        {"pairs in wrong order within a vendor", report().order.within},
        {"pairs in wrong order across vendors", report().order.across}};
    for (const auto& [figure, order] : orders) {
        REQUIRE_MESSAGE(before.count(figure) == 1, figure);
        CHECK_MESSAGE(1 - order.share() <= before.at(figure).error + 0.01, figure, " ", 1 - order.share());
        before.erase(figure);
    }
    for (const auto& [metric, record] : before) {
        REQUIRE_MESSAGE(now.count(metric) == 1, metric);
        CHECK_MESSAGE(now.at(metric).medianAbsError <= record.error + 0.01, metric, " ",
                      now.at(metric).medianAbsError);
        CHECK_MESSAGE(now.at(metric).width <= record.width * 1.05 + 0.001, metric, " ", now.at(metric).width);
    }
}

TEST_CASE("every prediction is finite and stands inside its interval")
{
    for (const JudgedRow& row : report().rows)
        if (row.predicted.value > 0) {
            CHECK(row.predicted.low <= row.predicted.value);
            CHECK(row.predicted.value <= row.predicted.high);
            CHECK(std::isfinite(row.predicted.high));
        }
}

namespace {

// Runs of single users that are no rows here: the source says how many and whose.
bool fittedByHand(const Engine& engine)
{
    return std::any_of(engine.citations.begin(), engine.citations.end(), [](const Citation& each) {
        return each.key == "host" && each.text.find("per_step fitted to ") != std::string::npos;
    });
}

} // namespace

TEST_CASE("times of engines that no run speaks of are marked as such, and no others")
{
    std::set<std::string> seen; // "vllm", "vllm on gb10"
    for (const JudgedRow& row : validate(tests::rowsOf(tests::fittedFiles), tests::shippedCatalogue()).rows)
        if (row.used)
            seen.insert(row.engine);
    for (const std::string& id : tests::shippedCatalogue().engineIds()) {
        const Engine& engine = *tests::shippedCatalogue().engine(id).value();
        if (engine.platforms.empty())
            continue; // the physical floor: it has no times
        CHECK_MESSAGE(engine.measured == (seen.count(id) == 1 || fittedByHand(engine)), id);
        for (const EngineOnFamilies& on : engine.onFamilies)
            if (on.platform) // what is of families alone, runs of their cards have shown
                CHECK_MESSAGE(on.times.measured == (seen.count(buildName(engine, on)) == 1),
                              buildName(engine, on));
    }
}
