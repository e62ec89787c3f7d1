// Runs in the regimes that decide what a buyer of several boxes pays for: pipelines, wide expert parallelism,
// several boxes, GPUs on PCIe, split pools.
#include "calib/validate/validation.h"
#include "headroom_source_dir.h"
#include "model/base/quantity_text.h"
#include "model/import/measured_csv.h"
#include "model/text/csv.h"
#include "model/text/text_file.h"

#include <doctest/doctest.h>

#include <iterator>

using namespace headroom;

namespace {

const std::filesystem::path folder = std::filesystem::path(HEADROOM_SOURCE_DIR) / "tests" / "validation";

const ValidationReport& report()
{
    static const ValidationReport once = [] {
        const auto catalogue = Catalogue::open(HEADROOM_SOURCE_DIR);
        REQUIRE(catalogue.has_value());
        std::vector<MeasuredRow> all;
        for (const char* file : {"regimes.csv", "wide_ep.csv", "split_pools.csv"}) {
            auto rows = readMeasuredCsv(folder / file);
            REQUIRE(rows.has_value());
            all.insert(all.end(), std::make_move_iterator(rows->begin()),
                       std::make_move_iterator(rows->end()));
        }
        return validate(all, **catalogue);
    }();
    return once;
}

} // namespace

TEST_CASE("no published run of a well-described regime is refused as impossible")
{
    for (const JudgedRow& row : report().rows)
        if (row.row.notes.find("tier=A") != std::string::npos)
            CHECK_MESSAGE(!row.impossible, row.row.id, " ", row.row.value);
}

TEST_CASE("no regime's error is more than a point above its record")
{
    const auto& now = report().by.at("regime");
    const Result<std::string> text = readTextFile(folder / "recorded_regimes.csv", 1U << 16);
    REQUIRE(text.has_value());
    const Result<CsvTable> table = readCsvTable(*text, "recorded_regimes.csv");
    REQUIRE(table.has_value());
    CHECK(table->records.size() >= 12);
    for (const CsvRecord& record : table->records) {
        const std::string regime = record.cells.at(0) + ", " + record.cells.at(1);
        REQUIRE_MESSAGE(now.count(regime) == 1, regime);
        CHECK_MESSAGE(now.at(regime).medianAbsError <= numberFromText(record.cells.at(2)).value() + 0.01,
                      regime, " ", now.at(regime).medianAbsError);
    }
}
