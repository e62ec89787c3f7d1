// Runs of sources that nothing is fitted to: how the program does where it was never told the answer.
#include "calib/validate/validation.h"
#include "headroom_source_dir.h"
#include "model/base/quantity_text.h"
#include "model/import/measured_csv.h"
#include "model/text/csv.h"
#include "model/text/text_file.h"

#include <doctest/doctest.h>

#include <set>

using namespace headroom;

namespace {

const std::filesystem::path folder = std::filesystem::path(HEADROOM_SOURCE_DIR) / "tests" / "validation";

std::vector<MeasuredRow> rowsOf(const char* file)
{
    auto rows = readMeasuredCsv(folder / file);
    REQUIRE(rows.has_value());
    return *std::move(rows);
}

const ValidationReport& report()
{
    static const ValidationReport once = [] {
        const auto catalogue = Catalogue::open(HEADROOM_SOURCE_DIR);
        REQUIRE(catalogue.has_value());
        return validate(rowsOf("blind.csv"), **catalogue);
    }();
    return once;
}

// "owner/repository" or the whole address: what two files must not share.
std::string rootOf(const std::string& path)
{
    return path.find("://") == std::string::npos ? path.substr(0, path.find(':')) : path;
}

constexpr double slackOfAll = 0.01;   // as the other records
constexpr double slackOfFew = 0.03;   // a metric has some thirty rows: one row moves its median so far
constexpr double slackOfShare = 0.03; // likewise, of rows inside their ranges
// Ranges that hold nearly everything say nothing: they are meant to hold eight of ten.
constexpr double mostInside = 0.95;

} // namespace

TEST_CASE("no source of the blind rows is one that the engines are fitted to")
{
    std::set<std::string> fitted;
    for (const char* file : {"measured.csv", "regimes.csv", "wide_ep.csv", "split_pools.csv"})
        for (const MeasuredRow& row : rowsOf(file))
            fitted.insert(rootOf(row.sourcePath));
    for (const MeasuredRow& row : rowsOf("blind.csv"))
        CHECK_MESSAGE(fitted.count(rootOf(row.sourcePath)) == 0, row.id, " ", row.sourcePath);
}

TEST_CASE("nearly every blind row can be predicted, and the rest says why not")
{
    CHECK(report().all.rows >= 200);
    CHECK(report().by.at("source").size() >= 10);
    CHECK(report().all.used >= 0.95 * static_cast<double>(report().all.rows));
    for (const JudgedRow& row : report().rows)
        CHECK_MESSAGE((row.used || !row.whySkipped.empty()), row.row.id);
}

TEST_CASE("blind rows are met no worse than recorded, and as many stand inside their ranges")
{
    const auto& now = report().by.at("metric");
    const Result<std::string> text = readTextFile(folder / "recorded_blind.csv", 1U << 16);
    REQUIRE(text.has_value());
    const Result<CsvTable> table = readCsvTable(*text, "recorded_blind.csv");
    REQUIRE(table.has_value());
    CHECK(table->records.size() >= 5);
    for (const CsvRecord& record : table->records) {
        const std::string& figure = record.cells.at(0);
        const bool all = figure == "all";
        REQUIRE_MESSAGE((all || now.count(figure) == 1), figure);
        const ErrorSummary& summary = all ? report().all : now.at(figure);
        const double error = numberFromText(record.cells.at(1)).value();
        const double inside = numberFromText(record.cells.at(2)).value();
        CHECK_MESSAGE(summary.medianAbsError <= error + (all ? slackOfAll : slackOfFew), figure, " ",
                      summary.medianAbsError);
        CHECK_MESSAGE(summary.withinInterval >= inside - slackOfShare, figure, " ", summary.withinInterval);
    }
    CHECK(report().all.withinInterval <= mostInside);
}
