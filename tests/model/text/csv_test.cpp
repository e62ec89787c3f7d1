#include "model/import/measured_csv.h"
#include "model/measured/kept_wide.h"
#include "model/text/csv.h"

#include <doctest/doctest.h>

using namespace headroom;

namespace {

std::vector<std::vector<std::string>> cellsOf(std::string_view text)
{
    const auto records = readCsvRecords(text, "t.csv");
    REQUIRE(records.has_value());
    std::vector<std::vector<std::string>> cells;
    for (const CsvRecord& record : *records)
        cells.push_back(record.cells);
    return cells;
}

// "place what" of each problem.
std::vector<std::string> lines(const Problems& problems)
{
    std::vector<std::string> out;
    for (const Problem& problem : problems)
        out.push_back(problem.where + " " + problem.what.english());
    return out;
}

using Cells = std::vector<std::vector<std::string>>;

const std::string header
    = "id,source,engine,model,gpu,gpus,tp,pp,dp,weight_dtype,kv_dtype,input_len,output_len,"
      "batch_or_concurrency,metric,value,unit\n";

} // namespace

TEST_CASE("cells are split as RFC 4180 says")
{
    CHECK(cellsOf("a,b\n1,2\n") == Cells{{"a", "b"}, {"1", "2"}});
    CHECK(cellsOf("a,b\r\n1,2") == Cells{{"a", "b"}, {"1", "2"}});
    CHECK(cellsOf("\"x,y\",\"say \"\"hi\"\"\"\n") == Cells{{"x,y", "say \"hi\""}});
    CHECK(cellsOf("\"two\nlines\",b\nc,d\n") == Cells{{"two\nlines", "b"}, {"c", "d"}});
    CHECK(cellsOf(",\n") == Cells{{"", ""}});
    CHECK(cellsOf("a\n\nb\n") == Cells{{"a"}, {}, {"b"}});
    CHECK(cellsOf("\xEF\xBB\xBF"
                  "a,b\n")
          == Cells{{"a", "b"}});
    CHECK(cellsOf("a\rb,c\n") == Cells{{"a\rb", "c"}});
    CHECK(cellsOf("").empty());
}

TEST_CASE("a record knows its line and its cells know their columns, line breaks in quotes included")
{
    const auto records = readCsvRecords("a,bb,c\n\"x\ny\",z\nlast\n", "t.csv");
    REQUIRE(records.has_value());
    REQUIRE(records->size() == 3);
    CHECK((*records)[0].columns == std::vector<std::size_t>{1, 3, 6});
    CHECK((*records)[1].line == 2);
    CHECK((*records)[2].line == 4);
}

TEST_CASE("a broken CSV is refused with its places")
{
    CHECK(lines(readCsvRecords("a\nb,\"open", "t.csv").error())
          == std::vector<std::string>{"t.csv:2:3 the quote that opens here is never closed"});
    CHECK(lines(readCsvRecords("\"a\"b,c\n", "t.csv").error())
          == std::vector<std::string>{
              "t.csv:1:4 expected a comma or the end of the line after a closing quote"});
    CHECK(lines(readCsvRecords(std::string_view("a\0b\n", 4), "t.csv").error())
          == std::vector<std::string>{"t.csv:1:2 a NUL byte: this is not a text file"});
    CHECK(lines(readCsvTable("a,b\n1,2,3\n4\n", "t.csv").error())
          == std::vector<std::string>{"t.csv:2:1 expected 2 cells as in the header, got 3",
                                      "t.csv:3:1 expected 2 cells as in the header, got 1"});
    CHECK(lines(readCsvTable("a,b,a\n", "t.csv").error())
          == std::vector<std::string>{"t.csv:1:5 the column 'a' stands twice in the header"});
    CHECK(lines(readCsvTable("\n\n", "t.csv").error())
          == std::vector<std::string>{"t.csv:1:1 the file is empty, expected a header line"});
}

TEST_CASE("more cells than any table of measurements has are refused before they are all stored")
{
    const auto records = readCsvRecords(std::string(csvCellLimit + 10, ','), "t.csv");
    REQUIRE(!records.has_value());
    CHECK(records.error().front().what.english() == "more than 4000000 cells: not a table of measurements");
}

TEST_CASE("a measured row keeps what its source said")
{
    const auto rows = readMeasuredCsv(header
                                          + "E1,docs,vLLM,Llama-3.1-70B,H100-SXM,4,4,1,1,fp8,,\"281 "
                                            "(mean)\",<=512,qps 10,ttft_ms,78.5,ms\n",
                                      "m.csv");
    REQUIRE(rows.has_value());
    REQUIRE(rows->size() == 1);
    const MeasuredRow& row = rows->front();
    CHECK(row.model == "Llama-3.1-70B");
    CHECK(row.gpus == 4);
    CHECK(row.kvDtype.empty());
    CHECK(row.metric == Metric::Ttft);
    CHECK(row.value == 78.5);
    CHECK(row.line == 2);
    CHECK(readTokenLength(row.inputLength) == TokenLength{.tokens = 281, .mean = true});
    CHECK(readTokenLength(row.outputLength) == TokenLength{.tokens = 512, .bound = true});
    CHECK(readLoad(row.load) == MeasuredLoad{.kind = LoadKind::RequestRate, .amount = 10});
}

TEST_CASE("written rows read back the same")
{
    MeasuredRow row{.id = "1",
                    .source = "own, \"lab\"",
                    .model = "m",
                    .gpu = "g",
                    .gpus = 2,
                    .inputLength = "128 (mean)",
                    .load = "max",
                    .metric = Metric::TotalThroughput,
                    .value = 0.1,
                    .notes = "two\nlines"};
    const auto back = readMeasuredCsv(measuredCsv({row}), "m.csv");
    REQUIRE(back.has_value());
    row.line = 2;
    CHECK(back->front() == row);
}

TEST_CASE("every unreadable cell of a measured row is reported at once")
{
    const auto rows = readMeasuredCsv(header
                                          + "E1,s,e,m,g,0,x,1,1,,,1,1,1,ttft_ms,nan,ms\n"
                                            "E2,s,e,m,g,,,,,,,1,1,1,speed,1,ms\n"
                                            "E3,s,e,m,g,,,,,,,1,1,1,tpot_ms,-1,s\n",
                                      "m.csv");
    REQUIRE(!rows.has_value());
    CHECK(lines(rows.error())
          == std::vector<std::string>{"m.csv:2:12 gpus expected a whole number from 1 to 1000000, got '0'",
                                      "m.csv:2:14 tp expected a whole number from 1 to 1000000, got 'x'",
                                      "m.csv:2:36 value expected a finite number above 0, got 'nan'",
                                      "m.csv:3:24 metric unknown metric 'speed'",
                                      "m.csv:4:35 unit expected 'ms' for tpot_ms, got 's'",
                                      "m.csv:4:32 value expected a finite number above 0, got '-1'"});
    CHECK(lines(readMeasuredCsv("model,gpu\na,b\n", "m.csv").error())
          == std::vector<std::string>{"m.csv:1:1 the column 'metric' is missing",
                                      "m.csv:1:1 the column 'value' is missing"});
}

TEST_CASE("a measured row names layers in 16 bits by known words, and another word is told with its line")
{
    const std::string named = "model,gpu,metric,value,notes\n";
    const auto of = [&](const std::string& notes) {
        return readMeasuredCsv(named + "m,g,tpot_ms,1," + notes + "\n", "m.csv");
    };
    const auto refused = of("tier=A; keeps attention;keeps shared in 16 bits (a card)");
    REQUIRE(!refused.has_value());
    CHECK(lines(refused.error())
          == std::vector<std::string>{"m.csv:2:15 notes no kind of layer is kept in 16 bits as 'shared'"});
    CHECK(!of("\"keeps attention, mlp in 16 bits\"").has_value());
    CHECK(!of("\"keeps nothing,mlp in 16 bits\"").has_value());
    CHECK(keptWideOfNotes("keeps nothing in 16 bits").parts == WideParts{.nothing = true});
    // Neither another clause nor sums in 16 bits say what a checkpoint kept.
    CHECK(of("keeps its prefix cache; sums in 16 bits").has_value());
    CHECK(!keptWideOfNotes("keeps its prefix cache; sums in 16 bits").parts.any());
    const KeptWide kept
        = keptWideOfNotes("keeps its cache; keeps attention in 16 bits; keeps mlp in 16 bits");
    CHECK(kept.parts == WideParts{.attention = true, .denseMlp = true});
    CHECK(kept.unknown.empty());
}

TEST_CASE("loads and lengths in words are not guessed")
{
    CHECK(readLoad("64") == MeasuredLoad{.kind = LoadKind::Concurrency, .amount = 64});
    CHECK(readLoad("max") == MeasuredLoad{.kind = LoadKind::Saturated});
    CHECK(readLoad("QPS=0.5") == MeasuredLoad{.kind = LoadKind::RequestRate, .amount = 0.5});
    CHECK(readLoad("QPS=inf") == MeasuredLoad{.kind = LoadKind::Saturated});
    CHECK(readLoad("1000 (all at once)") == MeasuredLoad{.kind = LoadKind::Burst, .amount = 1000});
    for (const char* words :
         {"", "MLPerf-Server", "trace lmsys rate 0.5 req/s", "qps", "qps x", "-4", "1e400", "64x"})
        CHECK(readLoad(words).kind == LoadKind::Unknown);
    for (const char* words : {"", "short", "see note", "~10", "ShareGPT", "<=", "inf", "12 or 13"})
        CHECK(!readTokenLength(words).has_value());
    CHECK(readTokenLength("215 (ShareGPT mean)") == TokenLength{.tokens = 215, .mean = true});
    CHECK(readTokenLength("290.11") == TokenLength{.tokens = 290.11, .mean = true});
    for (const MeasuredLoad load :
         {MeasuredLoad{LoadKind::Concurrency, 8}, MeasuredLoad{LoadKind::Saturated, 0},
          MeasuredLoad{LoadKind::RequestRate, 2.5}, MeasuredLoad{LoadKind::Burst, 100}})
        CHECK(readLoad(loadText(load)) == load);
}
