#include "calib/validate/contradicting_rows.h"
#include "calib/validate/validation.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <fmt/format.h>
#include <initializer_list>

using namespace headroom;

namespace {

MeasuredRow run(int number, double milliseconds)
{
    return {.id = fmt::format("run {}", number),
            .source = "lab",
            .engine = "vLLM",
            .engineVersion = "0.11.0",
            .model = "Llama-3.1-8B",
            .gpu = "H100-SXM",
            .gpus = 1,
            .tp = 1,
            .weightDtype = "bf16",
            .inputLength = "1000",
            .outputLength = "100",
            .load = "8",
            .metric = Metric::Tpot,
            .value = milliseconds,
            .notes = fmt::format("closed loop; measured=2026-01-{:02}", number + 1)};
}

std::vector<MeasuredRow> runs(std::initializer_list<double> milliseconds)
{
    std::vector<MeasuredRow> out;
    for (const double one : milliseconds)
        out.push_back(run(int(out.size()), one));
    return out;
}

// Which of the rows are used, as a picture: 'x' used, '.' not.
std::string usedMarks(const std::vector<MeasuredRow>& rows)
{
    std::string out;
    for (const JudgedRow& row : validate(rows, tests::shipped()).rows)
        out += row.used ? 'x' : '.';
    return out;
}

} // namespace

TEST_CASE("repeats of a run that agree within 30 % are all judged")
{
    CHECK(usedMarks(runs({10, 12.9, 11})) == "xxx");
}

TEST_CASE("of two figures of one set-up that are far apart neither is judged, and each names the other")
{
    const ValidationReport report = validate(runs({8, 14}), tests::shipped());
    CHECK(!report.rows[0].used);
    CHECK(!report.rows[1].used);
    CHECK(report.rows[0].whySkipped.english().find("contradicts run 1") == 0);
    CHECK(report.rows[0].whySkipped.english().find("1.8 times") != std::string::npos);
    CHECK(report.rows[1].whySkipped.english().find("contradicts run 0") == 0);
}

TEST_CASE("where most agree only the odd one is left out")
{
    CHECK(usedMarks(runs({10, 11, 30, 10.5})) == "xx.x");
    CHECK(usedMarks(runs({10, 10.5, 30, 31})) == "....");
}

TEST_CASE("runs that differ in what they state contradict nobody")
{
    std::vector<MeasuredRow> rows = runs({8, 14, 8, 14, 8});
    rows[1].load = "64";
    rows[2].notes += "; prefix cache off";
    rows[3].engineVersion = "0.11.2";
    rows[4].metric = Metric::Ttft;
    rows[4].value = 80;
    CHECK(usedMarks(rows) == "xxxxx");
}
