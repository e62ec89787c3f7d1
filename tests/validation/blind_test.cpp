// Runs of sources that nothing is fitted to: how the program does where it was never told the answer.
#include "tests/validation/files.h"

#include <set>

using namespace headroom;

namespace {

const ValidationReport& report()
{
    static const ValidationReport once = validate(tests::rowsOf({"blind.csv"}), tests::shippedCatalogue());
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
    for (const MeasuredRow& row : tests::rowsOf(tests::fittedFiles))
        fitted.insert(rootOf(row.sourcePath));
    for (const MeasuredRow& row : tests::rowsOf({"blind.csv"}))
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
    const std::vector<CsvRecord> records = tests::recordsOf("recorded_blind.csv");
    CHECK(records.size() >= 5);
    for (const CsvRecord& record : records) {
        const std::string& figure = record.cells.at(0);
        const bool all = figure == "all";
        REQUIRE_MESSAGE((all || now.count(figure) == 1), figure);
        const ErrorSummary& summary = all ? report().all : now.at(figure);
        const double error = tests::numberIn(record, 1);
        const double inside = tests::numberIn(record, 2);
        CHECK_MESSAGE(summary.medianAbsError <= error + (all ? slackOfAll : slackOfFew), figure, " ",
                      summary.medianAbsError);
        CHECK_MESSAGE(summary.withinInterval >= inside - slackOfShare, figure, " ", summary.withinInterval);
    }
    CHECK(report().all.withinInterval <= mostInside);
}
