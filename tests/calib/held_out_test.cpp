#include "calib/validate/engine_refit.h"
#include "calib/validate/held_out.h"
#include "calib/validate/launch_options.h"
#include "calib/validate/load_tool.h"
#include "calib/validate/repeated_rows.h"
#include "calib/validate/validation.h"
#include "model/resolve/engine_settings.h"
#include "model/scenario/text_lengths.h"
#include "tests/calib/planted_rows.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <tuple>

using namespace headroom;
using tests::measure;
using tests::row;
using tests::shipped;
using tests::stepsOf;

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
    CHECK(documentedCacheShare("gptManagerBenchmark, offline") == 0.95);
    CHECK_FALSE(documentedCacheShare("some other tool"));
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
    // The engine, and what one without any runs would need.
    CHECK(std::count_if(report.fitted.begin(), report.fitted.end(),
                        [](const FittedEngine& each) { return each.rows > 0; })
          == 2);
    for (const FittedValue& value : report.fitted.front().values)
        if (value.name == "per_step")
            CHECK(value.fitted == doctest::Approx(4));
}

TEST_CASE("to strangers sixteen rows of one source say less of an engine than four of each of three")
{
    std::vector<MeasuredRow> rows;
    for (const int users : {1, 2, 3, 4, 5, 6, 7, 8})
        for (const char* model : {"Llama-3.1-8B", "Qwen3-8B"})
            rows.push_back(row("large", model, users, Metric::Tpot));
    for (const char* source : {"a", "b", "c"})
        for (const int users : {1, 2, 3, 4})
            rows.push_back(row(source, "Llama-3.1-8B", users, Metric::Tpot));
    PreparedRuns prepared = prepareRuns(rows, shipped());
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        measure(prepared, i, stepsOf(rows[i].source == "large" ? 1.2 : 4));
        all.push_back(i);
    }
    EngineRefit refit(prepared, all);
    // By rows 16 stand against 12, by the roots of each source 4 against 6. The fewer pull a little.
    CHECK(refit.fit(all, stepsOf(2)).stepHostTime.base() < 1.6e-3);
    const auto sourceOf = [](const JudgedRow& one) { return one.row.source; };
    CHECK(refit.fit(all, stepsOf(2), std::nullopt, sourceOf).stepHostTime.base() > 3.4e-3);
    // Without two of the three they are more.
    const std::vector<std::size_t> fewer(all.begin(), all.end() - 8);
    CHECK(refit.fit(fewer, stepsOf(2), std::nullopt, sourceOf).stepHostTime.base() < 1.6e-3);
}

TEST_CASE("a number is moved from the usual one the more easily the farther engines are from one another")
{
    PreparedRuns prepared = prepareRuns({row("one", "Llama-3.1-8B", 1, Metric::Tpot)}, shipped());
    measure(prepared, 0, stepsOf(2));
    EngineRefit refit(prepared, {0});
    UsualTimes usual{.numbers = stepsOf(0.5), .lnDistance = {}};
    // The row is off by a fifth. Four times the usual time costs 0.35 ln 4 = 0.49 by the distance.
    usual.lnDistance.fill(1);
    CHECK(refit.fit({0}, usual.numbers, usual).stepHostTime.base() == doctest::Approx(0.5e-3));
    usual.lnDistance.fill(10);
    CHECK(refit.fit({0}, usual.numbers, usual).stepHostTime.base() == doctest::Approx(2e-3));
}

TEST_CASE("of a build that nobody else speaks of, other versions for the same cards tell more than its port")
{
    std::vector<MeasuredRow> rows;
    for (const auto& [source, version, gpu] :
         {std::tuple{"one", "0.5.12", "H100-SXM"}, std::tuple{"two", "0.5.12", "MI300X"},
          std::tuple{"three", "0.5.8", "H100-SXM"}})
        for (const int users : {1, 4}) {
            rows.push_back(row(source, "Llama-3.1-8B", users, Metric::Tpot));
            rows.back().engine = "SGLang";
            rows.back().engineVersion = version;
            rows.back().gpu = gpu;
        }
    PreparedRuns prepared = prepareRuns(rows, shipped());
    for (std::size_t i = 0; i < rows.size(); ++i)
        measure(prepared, i, stepsOf(rows[i].source == "two" ? 11 : 1.2));
    ValidationReport report = validate(prepared);
    holdOut(prepared, shipped(), report);
    CHECK(report.heldOut[1].byGroup.at("one").medianAbsError < 0.1);
    CHECK(report.heldOut[1].byGroup.at("three").medianAbsError < 0.1);
}

TEST_CASE("what a step takes comes from another engine on the same platform before its own elsewhere")
{
    std::vector<MeasuredRow> rows;
    for (const auto& [source, engine, version, gpu] :
         {std::tuple{"one", "SGLang", "0.5.12", "H100-SXM"},
          std::tuple{"two", "vLLM", "0.6.3", "Intel-Max-1550"},
          std::tuple{"three", "SGLang", "0.5.12", "Intel-Max-1550"}})
        for (const int users : {1, 4}) {
            rows.push_back(row(source, "Llama-3.1-8B", users, Metric::Tpot));
            rows.back().engine = engine;
            rows.back().engineVersion = version;
            rows.back().gpu = gpu;
        }
    PreparedRuns prepared = prepareRuns(rows, shipped());
    for (std::size_t i = 0; i < rows.size(); ++i)
        measure(prepared, i, stepsOf(rows[i].source == "one" ? 11 : 2)); // what is likely of any: 2 ms
    ValidationReport report = validate(prepared);
    REQUIRE(rows.size() == 6);
    holdOut(prepared, shipped(), report);
    CHECK(report.heldOut[1].byGroup.at("three").medianAbsError < 0.1);
}

TEST_CASE(
    "where a build shares its engine's host, deep models tell of shallow ones what passes between kernels")
{
    std::vector<MeasuredRow> rows;
    for (const auto& [source, model, gpu] :
         {std::tuple{"elsewhere", "Llama-3.1-8B", "H100-SXM"}, std::tuple{"deep", "Llama-3.1-70B", "MI300X"},
          std::tuple{"shallow", "Llama-3.2-1B", "MI300X"}})
        for (const int users : {1, 2, 4, 8}) {
            rows.push_back(row(source, model, users, Metric::Tpot));
            rows.back().engine = "SGLang";
            rows.back().engineVersion = "0.5.8";
            rows.back().gpu = gpu;
            if (rows.back().source == "deep")
                rows.back().gpus = rows.back().tp = 8;
        }
    PreparedRuns prepared = prepareRuns(rows, shipped());
    // What a step takes beside its kernels is 1.2 ms everywhere; 80 layers have 15 us beside each kernel.
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EngineTimes times = stepsOf(1.2);
        times.kernelGap = Seconds(rows[i].source == "elsewhere" ? 0 : 15e-6);
        measure(prepared, i, times);
    }
    ValidationReport report = validate(prepared);
    holdOut(prepared, shipped(), report);
    // Had the deep model's steps been laid to the host, those of 16 layers would be thrice as long.
    CHECK(report.heldOut[1].byGroup.at("shallow").medianAbsError < 0.1);
    const auto build = std::find_if(report.fitted.begin(), report.fitted.end(), [](const FittedEngine& each) {
        return each.engine == "sglang-2026-q1 on cdna3";
    });
    REQUIRE(build != report.fitted.end());
    const auto has = [&](const char* number) {
        return std::any_of(build->values.begin(), build->values.end(),
                           [&](const FittedValue& each) { return each.name == number; });
    };
    CHECK(has("per_kernel"));
    CHECK_FALSE(has("per_step"));
    CHECK_FALSE(has("per_step_and_sequence"));
}

TEST_CASE("a build that no run speaks of takes its relatives' step, and ranges of strangers")
{
    std::vector<MeasuredRow> rows;
    const auto add = [&](const std::string& source, const char* version, const char* gpu) {
        for (const char* model : {"Llama-3.1-8B", "Qwen3-8B"}) {
            rows.push_back(row(source, model, 4, Metric::Tpot));
            rows.back().engineVersion = version;
            rows.back().gpu = gpu;
        }
    };
    for (int source = 0; source < 8; ++source)
        add(std::to_string(source), "0.19.0", "H100-SXM");
    add("a port", "0.6.3", "MI300X");
    PreparedRuns prepared = prepareRuns(rows, shipped());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EngineTimes times = stepsOf(1.2);
        times.kernelGap = Seconds(rows[i].gpu == "MI300X" ? 20e-6 : 0);
        measure(prepared, i, times);
    }
    ValidationReport report = validate(prepared);
    holdOut(prepared, shipped(), report);
    const auto valueOf = [&](const char* build, const char* number) {
        const auto its = std::find_if(report.fitted.begin(), report.fitted.end(),
                                      [&](const FittedEngine& each) { return each.engine == build; });
        REQUIRE(its != report.fitted.end());
        const auto value = std::find_if(its->values.begin(), its->values.end(),
                                        [&](const FittedValue& each) { return each.name == number; });
        REQUIRE(value != its->values.end());
        return value->fitted;
    };
    const auto spreadOf = [&](const char* build) {
        return std::hypot(valueOf(build, "ln_spread_decode"), valueOf(build, "ln_spread_source_decode"));
    };
    CHECK(spreadOf("vllm-2026-08") > spreadOf("vllm")); // no run speaks of the class at all
    CHECK(valueOf("vllm", "per_step") == doctest::Approx(1.2));
    CHECK(valueOf("vllm on rocm", "per_kernel") == doctest::Approx(20));
    // The port of the other version is a stranger when its only source is left out, and is off by far.
    CHECK(spreadOf("vllm on rocm") > spreadOf("vllm"));
}

TEST_CASE("how a server takes requests in is told by servers, not by batches in the engine's own process")
{
    std::vector<MeasuredRow> rows;
    const auto add
        = [&](const char* source, const char* version, int users, Metric metric, const char* notes) {
              rows.push_back(row(source, "Llama-3.1-8B", users, metric));
              rows.back().engine = "vLLM";
              rows.back().engineVersion = version;
              rows.back().notes = notes;
          };
    for (const auto& [users, metric] : {std::tuple{1, Metric::Ttft}, std::tuple{4, Metric::Ttft},
                                        std::tuple{1, Metric::Tpot}, std::tuple{4, Metric::Tpot}}) {
        add("left", "0.9.0", users, metric, "closed-loop");
        add("server", "0.27", users, metric, "closed-loop");
        add("process", "0.2.4", users, metric, "static batch");
    }
    PreparedRuns prepared = prepareRuns(rows, shipped());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EngineTimes times = stepsOf(1.2);
        times.requestHostTime = Seconds(rows[i].source == "process" ? 1e-3 : 30e-3);
        measure(prepared, i, times);
    }
    ValidationReport report = validate(prepared);
    holdOut(prepared, shipped(), report);
    CHECK(report.heldOut[1].byGroup.at("left").medianAbsError < 0.03);
}

TEST_CASE("what relatives lend where no row is kept says nothing of how far the runs move a number")
{
    std::vector<MeasuredRow> rows;
    for (const auto& [source, version, gpu] :
         {std::tuple{"old", "0.6.3", "MI300X"}, std::tuple{"new", "0.19.0", "MI300X"}})
        for (const int users : {1, 4}) {
            rows.push_back(row(source, "Llama-3.1-8B", users, Metric::Tpot));
            rows.back().engineVersion = version;
            rows.back().gpu = gpu;
        }
    PreparedRuns prepared = prepareRuns(rows, shipped());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        EngineTimes times = stepsOf(1.2);
        times.kernelGap = Seconds(rows[i].source == "old" ? 15e-6 : 1e-6);
        measure(prepared, i, times);
    }
    ValidationReport report = validate(prepared);
    holdOut(prepared, shipped(), report);
    const auto build = std::find_if(report.fitted.begin(), report.fitted.end(),
                                    [](const FittedEngine& each) { return each.engine == "vllm on rocm"; });
    REQUIRE(build != report.fitted.end());
    const auto gap = std::find_if(build->values.begin(), build->values.end(),
                                  [](const FittedValue& each) { return each.name == "per_kernel"; });
    REQUIRE(gap != build->values.end());
    CHECK(gap->high == doctest::Approx(gap->fitted)); // without its only source it would be lent far more
}
