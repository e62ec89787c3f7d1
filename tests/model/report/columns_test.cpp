#include "model/json/table_json.h"
#include "model/report/columns.h"

#include <doctest/doctest.h>

#include <string>

using namespace headroom;

namespace {

struct Row {
    std::string name;
    double bytes = 0;
    Interval time;
    bool fits = false;
};

const Columns<Row> columns{
    {{"name", "who"}, [](const Row& r) { return r.name; }},
    {{"size_bytes", "size", Measure::Storage},
     [](const Row& r) { return r.bytes > 0 ? Cell(r.bytes) : Cell(); }},
    {{"time_s", "time", Measure::Time, true}, [](const Row& r) { return r.time; }},
    {{"fits", "fits"}, [](const Row& r) { return r.fits; }},
};
const std::vector<Row> rows{{"a,\"b\"", 2e9, {0.5, 0.25, 1, Source::Prior}, true},
                            {"c|d", 0, {0.002, 0.001, 0.004}, false}};

} // namespace

TEST_CASE("CSV has base units, quotes what it must and three columns for an interval")
{
    CHECK(csvTable(tableOf(columns, rows))
          == "name,size_bytes,time_s,time_s_low,time_s_high,fits\n"
             "\"a,\"\"b\"\"\",2000000000,0.5,0.25,1,true\n"
             "c|d,,0.002,0.001,0.004,false\n");
}

TEST_CASE("a text table is aligned, numbers to the right")
{
    CHECK(textTable(tableOf(columns, rows))
          == "who       size                    time  fits\n"
             "a,\"b\"  2.00 GB   500 ms (250 to 1,000)  yes\n"
             "c|d             2.00 ms (1.00 to 4.00)  no\n");
}

TEST_CASE("Markdown escapes what would end a cell")
{
    const std::string text = markdownTable(tableOf(columns, rows));
    CHECK(text.find("c\\|d") != std::string::npos);
    CHECK(text.find("---:") != std::string::npos);
}

TEST_CASE("a row of JSON has the keys of the columns and null where nothing is known")
{
    const auto cells = cellsOf(columns, rows.back());
    CHECK(
        rowJson(headsOf(columns), cells)
        == R"({"name":"c|d","size_bytes":null,"time_s":{"value":0.002,"low":0.001,"high":0.004,"source":"exact"},"fits":false})");
}
