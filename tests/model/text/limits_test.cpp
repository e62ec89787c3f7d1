// What hostile or broken input is told, and how much of it.

#include "model/base/told_problems.h"
#include "model/cost/forms.h"
#include "model/text/csv.h"

#include <doctest/doctest.h>

#include <link.h>
#include <string>

using namespace headroom;

TEST_CASE("of very many problems the first are told, and the rest counted")
{
    Problems many;
    for (int i = 0; i < 100000; ++i)
        many.push_back({"file:" + std::to_string(i), "wrong", ""});
    const Problems told = toldProblems(many);
    REQUIRE(told.size() == 51);
    CHECK(told[49].where == "file:49");
    CHECK(told[50].what.english() == "and 99950 more problems");
    CHECK(toldProblems({many.begin(), many.begin() + 50}).size() == 50);
}

TEST_CASE("a header of very many columns is read, and one that stands twice is found")
{
    std::string header = "c0";
    for (int i = 1; i < 200000; ++i)
        header += ",c" + std::to_string(i);
    const auto table = readCsvTable(header + ",c7\n", "wide.csv");
    REQUIRE_FALSE(table.has_value());
    REQUIRE(table.error().size() == 1);
    CHECK(table.error().front().what.english() == "the column 'c7' stands twice in the header");
}

TEST_CASE("a cell that a spreadsheet would reckon with is text; numbers are left")
{
    CHECK(csvCell("=HYPERLINK(\"http://x\")") == "\"'=HYPERLINK(\"\"http://x\"\")\"");
    CHECK(csvCell("@SUM(A1)") == "'@SUM(A1)");
    CHECK(csvCell("+cmd|' /C calc'!A0") == "'+cmd|' /C calc'!A0");
    CHECK(csvCell("-2+3+cmd|'x'!A0") == "'-2+3+cmd|'x'!A0");
    CHECK(csvCell("-2.5") == "-2.5");
    CHECK(csvCell("-1e-7") == "-1e-7");
    CHECK(csvCell("-3.1 %") == "-3.1 %");
    CHECK(csvCell("-A1") == "'-A1");
    CHECK(csvCell("-") == "-");
    CHECK(csvCell("llama-3.1-8b") == "llama-3.1-8b");
}

TEST_CASE("a thread costs little memory before it has computed anything")
{
    // The thread-local part of the first object, this program with all of the model in it.
    std::size_t bytes = 0;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* out) {
            for (int i = 0; i < info->dlpi_phnum; ++i)
                if (info->dlpi_phdr[i].p_type == PT_TLS)
                    *static_cast<std::size_t*>(out) = info->dlpi_phdr[i].p_memsz;
            return 1;
        },
        &bytes);
    CHECK(bytes < 64U << 10U);
    // The curves are in it: without them the linker would leave them out.
    CHECK(timeOp(Op{}, Gpu{}, Node{}, EfficiencySet{}).total.base() >= 0);
}
