// Runs in the regimes that decide what a buyer of several boxes pays for: pipelines, wide expert parallelism,
// several boxes, GPUs on PCIe, split pools.
#include "tests/validation/files.h"

using namespace headroom;

namespace {

const ValidationReport& report()
{
    static const ValidationReport once = validate(
        tests::rowsOf({"regimes.csv", "wide_ep.csv", "split_pools.csv"}), tests::shippedCatalogue());
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
    const std::vector<CsvRecord> records = tests::recordsOf("recorded_regimes.csv");
    CHECK(records.size() >= 12);
    for (const CsvRecord& record : records) {
        const std::string regime = record.cells.at(0) + ", " + record.cells.at(1);
        REQUIRE_MESSAGE(now.count(regime) == 1, regime);
        CHECK_MESSAGE(now.at(regime).medianAbsError <= tests::numberIn(record, 2) + 0.01, regime, " ",
                      now.at(regime).medianAbsError);
    }
}
