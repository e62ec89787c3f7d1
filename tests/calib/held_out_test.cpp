#include "calib/validate/held_out.h"
#include "calib/validate/launch_options.h"
#include "calib/validate/load_tool.h"
#include "calib/validate/repeated_rows.h"
#include "calib/validate/validation.h"
#include "model/resolve/engine_settings.h"
#include "model/scenario/text_lengths.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <cmath>
#include <fmt/format.h>

using namespace headroom;
using tests::shipped;

namespace {

MeasuredRow row(const std::string& source, const std::string& model, int users, Metric metric)
{
    MeasuredRow out;
    out.id = fmt::format("{}-{}-{}-{}", source, model, users, metricName(metric));
    out.source = source;
    out.engine = "vLLM";
    out.engineVersion = "0.11.0";
    out.model = model;
    out.gpu = "H100-SXM";
    out.gpus = 1;
    out.tp = 1;
    out.weightDtype = "bf16";
    out.inputLength = "1000";
    out.outputLength = "100";
    out.load = std::to_string(users);
    out.metric = metric;
    out.value = 1;
    return out;
}

} // namespace

TEST_CASE("settings that a row states replace the engine's defaults on every card")
{
    Engine engine;
    engine.maxBatchedTokens = 2048;
    engine.maxSequences = 256;
    engine.limitsByCard.push_back({.limits = {.maxBatchedTokens = 8192, .maxSequences = 1024}});
    const Gpu gpu{.family = "hopper-dc", .memoryUsable = Bytes(80e9)};
    const auto launchedAs = [&](const char* notes) {
        Problems problems;
        return *settledEngine(engine, gpu, withLaunchOptions({}, notes), problems);
    };
    const auto steps = [&](const Engine& e, double users) {
        return e.stepsToAdmission(gpu.memoryUsable, gpu.family, users);
    };
    const Engine launched
        = launchedAs("serve -tp 4 --max-num-batched-tokens 4096 --gpu-memory-utilization=0.85; mean");
    CHECK(launched.limitsFor(gpu.memoryUsable, gpu.family).maxBatchedTokens == 4096);
    CHECK(launched.limitsFor(gpu.memoryUsable, gpu.family).maxSequences == 1024);
    CHECK(launched.memoryFraction == doctest::Approx(0.85));
    CHECK(launchedAs("--max-num-batched-tokens-of-another 7").maxBatchedTokens == 8192);
    // A request comes anywhere between two looks, 30 steps apart: 14.5 steps on average, and 2 of the engine.
    engine.admissionSteps = 2;
    CHECK(steps(launchedAs("--scheduler-recv-interval 30"), 64) == doctest::Approx(16.5));
    // With few users it looks more often, unless its launch says how often.
    engine.admissionSteps = 0;
    engine.limitsByCard.front().limits.receiveInterval = 30;
    engine.limitsByCard.front().limits.fewUsers = 16;
    engine.limitsByCard.front().limits.receiveIntervalOfFew = 10;
    CHECK(steps(launchedAs(""), 16) == doctest::Approx(14.5));
    CHECK(steps(launchedAs(""), 15) == doctest::Approx(4.5));
    CHECK(steps(launchedAs("--scheduler-recv-interval 4"), 8) == doctest::Approx(1.5));
}

TEST_CASE("a tool's documented number of requests counts only for that tool and those lengths")
{
    CHECK(documentedRequests("trtllm-bench throughput, max load", 128, 4096) == 1500);
    CHECK(documentedRequests("trtllm-bench throughput, max load", 128, 4095) == 0);
    CHECK(documentedRequests("some other tool", 128, 4096) == 0);
}

TEST_CASE("a row that stands in two files counts once, whatever it is called there")
{
    std::vector<MeasuredRow> rows{
        row("one", "Qwen3-8B", 4, Metric::Ttft), row("one", "Qwen3-8B", 4, Metric::Tpot),
        row("one", "Qwen3-8B", 4, Metric::Ttft), row("one", "Qwen3-8B", 4, Metric::Ttft)};
    rows[2].id = "again";
    rows[2].line = 7;
    rows[3].notes = "another launch";
    CHECK(dropRepeats(rows) == 1);
    REQUIRE(rows.size() == 3);
    CHECK(rows[0].id == "one-Qwen3-8B-4-ttft_ms");
    CHECK(rows[1].metric == Metric::Tpot);
    CHECK(rows[2].notes == "another launch");
}

TEST_CASE("lengths of real texts keep the mean that is stated")
{
    for (const double mean : {60.0, 217.0, 700.0}) {
        CHECK(questionLengths(mean).mean() == doctest::Approx(mean).epsilon(0.05));
        CHECK(answerLengths(mean).mean() == doctest::Approx(mean).epsilon(0.02));
    }
    // An exponential distribution: half of the answers are shorter than ln 2 of the mean.
    CHECK(answerLengths(200).quantile(0.5) == doctest::Approx(200 * std::log(2.0)).epsilon(0.02));
}

TEST_CASE("a refit finds the host times that runs were made with, on rows that it never saw")
{
    std::vector<MeasuredRow> rows;
    for (const char* source : {"one", "two"})
        for (const char* model : {"Llama-3.1-8B", "Qwen3-8B"})
            for (const int users : {4, 32})
                for (const Metric metric : {Metric::Ttft, Metric::Tpot})
                    rows.push_back(row(source, model, users, metric));
    // Measured by a machine whose engine needs 4 ms for a step and 15 ms for a request.
    PreparedRuns prepared = prepareRuns(rows, shipped());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        REQUIRE(prepared.cases[i].has_value());
        Engine slow = *prepared.cases[i]->deployment().engine;
        slow.stepHostTime = Seconds(4e-3);
        slow.requestHostTime = Seconds(15e-3);
        const RowCase run = prepared.cases[i]->with(slow);
        prepared.rows[i].row.value = figureOf(runFigures(run), run, rows[i]).value;
    }
    ValidationReport report = validate(prepared);
    holdOut(prepared, shipped(), report);
    REQUIRE(report.heldOut.size() == 5);
    // What is left out one at a time: two sources, and two loads of one engine.
    CHECK(report.heldOut[1].byGroup.size() == 2);
    REQUIRE(report.heldOut[2].byGroup.size() == 2);
    CHECK(report.heldOut[2].byGroup.at("concurrency of 1 to 8").used == 8);
    CHECK(report.heldOut[2].byGroup.at("concurrency of 9 to 64").used == 8);
    // All are of one vendor and one generation: without them nothing is left to fit to.
    for (const HeldOut& held : {report.heldOut[0], report.heldOut[1], report.heldOut[2]})
        for (const auto& [metric, summary] : held.byMetric)
            CHECK_MESSAGE(summary.medianAbsError < 0.03, held.left, " ", metric);
    CHECK(report.by.at("metric").at("tpot_ms").medianAbsError > 0.1); // as shipped
    REQUIRE(report.fitted.size() == 2); // the engine, and what one without any runs would need
    for (const FittedValue& value : report.fitted.front().values)
        if (value.name == "per_step")
            CHECK(value.fitted == doctest::Approx(4));
}
