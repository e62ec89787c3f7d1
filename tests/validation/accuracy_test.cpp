#include "calib/validate/validation.h"
#include "model/json/csv.h"
#include "model/json/measured_csv.h"
#include "model/json/text_file.h"
#include "model/quantity_text.h"

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

std::map<std::string, double> recorded()
{
    std::map<std::string, double> out;
    const Result<std::string> text = readTextFile(folder / "recorded.csv", 1U << 16);
    REQUIRE(text.has_value());
    const Result<CsvTable> table = readCsvTable(*text, "recorded.csv");
    REQUIRE(table.has_value());
    for (const CsvRecord& record : table->records)
        out[record.cells.at(0)] = numberFromText(record.cells.at(1)).value();
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

TEST_CASE("no metric's median error is more than a point above its record")
{
    const auto& now = report().by.at("metric");
    for (const auto& [metric, median] : recorded()) {
        REQUIRE_MESSAGE(now.count(metric) == 1, metric);
        CHECK_MESSAGE(now.at(metric).medianAbsError <= median + 0.01, metric, " ",
                      now.at(metric).medianAbsError);
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
