// Runs of llama.cpp on an H100 and an H200 (tests/data/h100/llama-cpp): what ships foretells the card that no
// fit has seen, and runs of one model decide the numbers of others.
#include "calib/engine/engine_points.h"
#include "calib/engine/engine_runs_fit.h"
#include "headroom_source_dir.h"
#include "model/import/bench_import.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace headroom;
using tests::shipped;

namespace {

std::vector<EnginePoint> pointsOf(const std::string& gpu, const std::vector<std::string>& files)
{
    std::vector<ImportedBench> benches;
    for (const std::string& file : files) {
        auto bench = importBench(
            std::filesystem::path(HEADROOM_SOURCE_DIR) / "tests/data/h100/llama-cpp" / file, {});
        REQUIRE(bench.has_value());
        benches.push_back(std::move(*bench));
    }
    Scenario asked;
    asked.gpus = {gpu};
    asked.engine = "llama-cpp";
    const auto points = enginePoints(benches, asked, shipped());
    for (const Problem& problem : points ? Problems{} : points.error())
        MESSAGE(problem.where << ": " << problem.what.english());
    REQUIRE(points.has_value());
    return points->points;
}

struct Missed {
    double median = 0;
    double inside = 0; // share of the figures within their 10-90 % range
};
Missed missed(const std::vector<EnginePoint>& points, const EngineRunsFit* fit, bool prompts)
{
    std::vector<double> errors;
    double inside = 0;
    for (const EnginePoint& point : points) {
        if (point.prefill() != prompts)
            continue;
        Deployment d = point.machine->deployment;
        Engine engine = *d.engine;
        if (fit != nullptr) {
            const EngineRecord& runs = *fit->set.engineRuns;
            engine.stepHostTime = runs.perStep;
            engine.stepHostTimePerSequence = runs.perStepAndSequence;
            engine.lnSpreadPrefill = runs.lnSpreadPrefill;
            engine.lnSpreadDecode = runs.lnSpreadDecode;
            engine.lnSpreadSourcePrefill = engine.lnSpreadSourceDecode = 0;
            d.engine = &engine;
            d.efficiency = &fit->set;
        }
        const Estimate<double> told = predictedTime(point, d);
        errors.push_back(std::abs(told.value / point.seconds - 1));
        inside += told.low <= point.seconds && point.seconds <= told.high ? 1 : 0;
    }
    REQUIRE(!errors.empty());
    std::nth_element(errors.begin(), errors.begin() + std::ptrdiff_t(errors.size() / 2), errors.end());
    return {errors[errors.size() / 2], inside / double(errors.size())};
}

void foretells(const std::vector<EnginePoint>& points, const EngineRunsFit* fit, double within)
{
    for (const bool prompts : {true, false}) {
        const Missed of = missed(points, fit, prompts);
        INFO((prompts ? "prompts" : "decodes") << ": median " << of.median << ", inside " << of.inside);
        CHECK(of.median < within);
        CHECK(of.inside > 0.7);
    }
}

} // namespace

TEST_CASE("what an H100 was timed at foretells llama.cpp on an H200, which no fit has seen")
{
    const std::vector<EnginePoint> points = pointsOf(
        "h200-sxm-141gb", {"h200-qwen2.5-7b.json", "h200-qwen2.5-7b.jsonl", "h200-llama-3.1-8b.json"});
    CHECK(points.size() > 100);
    foretells(points, nullptr, 0.15);
}

TEST_CASE("runs of one model on a card decide what others take there")
{
    std::vector<EnginePoint> points
        = pointsOf("h100-sxm-80gb", {"h100-qwen2.5-7b.json", "h100-qwen2.5-7b.jsonl"});
    // Of each type a prompt of 512, a step behind 1,024, and 2 and 16 users' prompts and steps.
    std::erase_if(points, [](const EnginePoint& p) {
        const bool one = p.sequences == 1 && ((p.prompt == 512 && p.cached == 0) || p.cached == 1040);
        const bool several = (p.sequences == 2 || p.sequences == 16) && (p.prompt == 128 || p.cached == 140);
        return !one && !several;
    });
    CHECK(points.size() == 18);
    const auto fit = fitEngineRuns(points, {.files = {"runs"}, .created = "2026-11-27", .tool = "test"});
    REQUIRE(fit.has_value());
    const std::vector<EnginePoint> others = pointsOf("h100-sxm-80gb",
                                                     {"h100-llama-3.2-3b.json", "h100-llama-3.1-8b.json",
                                                      "h100-qwen2.5-14b.json", "h100-qwen2.5-14b.jsonl"});
    foretells(others, &*fit, 0.12);
}

TEST_CASE("runs that do not say the type of GGUF weights are refused, unless it is said")
{
    auto bench = importBench(
        std::filesystem::path(HEADROOM_SOURCE_DIR) / "tests/data/h100/llama-cpp/h100-qwen2.5-7b.jsonl", {});
    REQUIRE(bench.has_value());
    for (MeasuredRow& row : bench->rows)
        row.weightDtype.clear(); // as the tool itself writes them
    Scenario asked;
    asked.gpus = {"h100-sxm-80gb"};
    asked.engine = "llama-cpp";
    const auto refused = enginePoints({*bench}, asked, shipped());
    REQUIRE(!refused.has_value());
    CHECK(refused.error().front().where == "--weights");
    asked.weights = DType::Q8_0;
    CHECK(enginePoints({*bench}, asked, shipped()).has_value());
}
