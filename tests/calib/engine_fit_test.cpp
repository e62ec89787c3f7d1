#include "calib/validate/engine_fit.h"
#include "calib/validate/row_case.h"
#include "calib/validate/run_figures.h"
#include "model/yaml/engine_yaml.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace headroom;
using tests::shipped;

namespace {

// What a server would have measured whose host takes `times` as long for a step as the preset says.
std::vector<MeasuredRow> measuredWith(double times, const std::vector<const char*>& loads)
{
    std::vector<MeasuredRow> rows;
    for (const char* load : loads)
        for (const Metric metric : {Metric::Tpot, Metric::Ttft, Metric::OutputThroughput}) {
            MeasuredRow row{.id = std::string(load) + std::string(metricName(metric)),
                            .engine = "vLLM",
                            .engineVersion = "0.7",
                            .model = "llama-3.1-8b",
                            .gpu = "h100",
                            .gpus = 1,
                            .tp = 1,
                            .weightDtype = "bf16",
                            .inputLength = "512",
                            .outputLength = "64",
                            .load = load,
                            .metric = metric};
            const RowCase run = std::get<RowCase>(caseOf(row, shipped()));
            Engine own = *run.deployment().engine;
            own.stepHostTime = own.stepHostTime * times;
            const RowCase slower = run.with(own);
            row.value = figureOf(runFigures(slower), slower, row).value;
            rows.push_back(row);
        }
    return rows;
}

} // namespace

TEST_CASE("a slower host is found in a few runs, and runs left out are foretold better than by the preset")
{
    const Result<EngineFit> fit = fitEngine(measuredWith(3, {"1", "8", "32"}), shipped(), "own.csv");
    REQUIRE(fit.has_value());
    CHECK(fit->rows == 9);
    CHECK(fit->runs == 3);
    const FittedTime& step = fit->times.front();
    CHECK(step.name == "per_step");
    CHECK(step.after / step.before == doctest::Approx(3).epsilon(0.15));
    CHECK(fit->leftOut.median < 0.05);
    CHECK(fit->before.median > 2 * fit->leftOut.median);
    const Result<Engine> back = readEngine(writeEngine(fit->engine), "own.yaml");
    REQUIRE(back.has_value());
    CHECK(back->stepHostTime.base() == doctest::Approx(step.after.base()));
}

TEST_CASE("rows of two engines, or too few, are not fitted")
{
    std::vector<MeasuredRow> rows = measuredWith(1, {"1"});
    CHECK(fitEngine(rows, shipped(), "own.csv").has_value()); // one run: fitted, nothing to leave out
    CHECK(fitEngine(rows, shipped(), "own.csv")->leftOut.lnErrors.empty());
    rows.front().engine = "SGLang";
    CHECK(!fitEngine(rows, shipped(), "own.csv").has_value());
    rows.pop_back();
    rows.erase(rows.begin());
    const Result<EngineFit> few = fitEngine(rows, shipped(), "own.csv");
    REQUIRE(!few.has_value());
    CHECK(few.error().front().what.english().find("3 are needed") != std::string::npos);
}
