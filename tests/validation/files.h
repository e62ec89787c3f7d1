// The published rows and the records beside this file, as the three tests here read them.
#pragma once

#include "calib/validate/validation.h"
#include "headroom_source_dir.h"
#include "model/base/quantity_text.h"
#include "model/import/measured_csv.h"
#include "model/text/csv.h"
#include "model/text/text_file.h"

#include <doctest/doctest.h>

#include <initializer_list>
#include <iterator>
#include <string>
#include <vector>

namespace headroom::tests {

// What the engines are fitted to.
inline constexpr std::initializer_list<const char*> fittedFiles{"measured.csv", "regimes.csv", "wide_ep.csv",
                                                                "split_pools.csv"};

inline std::filesystem::path validationFolder()
{
    return std::filesystem::path(HEADROOM_SOURCE_DIR) / "tests" / "validation";
}

inline const Catalogue& shippedCatalogue()
{
    static const auto catalogue = Catalogue::open(HEADROOM_SOURCE_DIR);
    REQUIRE(catalogue.has_value());
    return **catalogue;
}

inline std::vector<MeasuredRow> rowsOf(std::initializer_list<const char*> files)
{
    std::vector<MeasuredRow> all;
    for (const char* file : files) {
        auto rows = readMeasuredCsv(validationFolder() / file);
        REQUIRE_MESSAGE(rows.has_value(), file);
        all.insert(all.end(), std::make_move_iterator(rows->begin()), std::make_move_iterator(rows->end()));
    }
    return all;
}

inline std::vector<CsvRecord> recordsOf(const char* file)
{
    const Result<std::string> text = readTextFile(validationFolder() / file, 1U << 16);
    REQUIRE(text.has_value());
    Result<CsvTable> table = readCsvTable(*text, file);
    REQUIRE(table.has_value());
    return std::move(table->records);
}

inline double numberIn(const CsvRecord& record, std::size_t cell)
{
    return numberFromText(record.cells.at(cell)).value();
}

} // namespace headroom::tests
