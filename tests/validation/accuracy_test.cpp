#include "calib/validate/validation.h"
#include "headroom_source_dir.h"
#include "model/base/quantity_text.h"
#include "model/import/measured_csv.h"
#include "model/text/csv.h"
#include "model/text/text_file.h"

#include <doctest/doctest.h>

#include <cmath>
#include <map>

using namespace headroom;

namespace {

const std::filesystem::path folder = std::filesystem::path(HEADROOM_SOURCE_DIR) / "tests" / "validation";

const ValidationReport& report()
{
    static const ValidationReport once = [] {
        const auto catalogue = Catalogue::open(HEADROOM_SOURCE_DIR);
        REQUIRE(catalogue.has_value());
        const auto rows = readMeasuredCsv(folder / "measured.csv");
        REQUIRE(rows.has_value());
        return validate(*rows, **catalogue);
    }();
    return once;
}

struct Recorded {
    double error = 0;
    double width = 0; // 0: none
};
std::map<std::string, Recorded> recorded()
{
    std::map<std::string, Recorded> out;
    const Result<std::string> text = readTextFile(folder / "recorded.csv", 1U << 16);
    REQUIRE(text.has_value());
    const Result<CsvTable> table = readCsvTable(*text, "recorded.csv");
    REQUIRE(table.has_value());
    for (const CsvRecord& record : table->records)
        out[record.cells.at(0)]
            = {numberFromText(record.cells.at(1)).value(), numberFromText(record.cells.at(2)).value_or(0)};
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
