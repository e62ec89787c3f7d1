// An engine's own runs decide its numbers: planted ones are found again, and every tool's file says
// something.
#include "calib/engine/engine_runs_fit.h"
#include "calib/engine/kernel_numbers.h"
#include "headroom_source_dir.h"
#include "model/import/bench_import.h"
#include "model/yaml/catalogue.h"
#include "model/yaml/efficiency_yaml.h"
#include "tests/model/shipped_catalogue.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

using namespace headroom;
using tests::shipped;

namespace {

Scenario asked(const std::string& gpu, const std::string& engine)
{
    Scenario s;
    s.gpus = {gpu};
    s.engine = engine;
    return s;
}

// Rows as llama-bench and llama-batched-bench tell them, one point each.
ImportedBench benchOf(const std::vector<std::array<double, 3>>& points) // prompt, users, context
{
    ImportedBench out{.format = "llama-batched-bench", .rows = {}, .missing = {}, .warnings = {}};
    for (const auto& [prompt, users, context] : points) {
        MeasuredRow row{.engine = "llama.cpp", .model = "qwen2.5-0.5b", .weightDtype = "q8_0"};
        const bool reads = prompt > 0;
        row.inputLength = std::to_string(static_cast<int>(reads ? prompt : context));
        row.outputLength = reads ? "0" : "1";
        row.load = std::to_string(static_cast<int>(users));
        row.metric = reads ? Metric::Ttft : Metric::Tpot;
        row.value = 1;
        out.rows.push_back(row);
    }
    return out;
}

const std::vector<std::array<double, 3>> dozen{{64, 1, 0},   {256, 1, 0},  {1024, 1, 0}, {0, 1, 128},
                                               {0, 2, 128},  {0, 4, 128},  {0, 8, 128},  {0, 1, 1024},
                                               {0, 4, 1024}, {0, 1, 4096}, {0, 8, 1024}, {32, 1, 0}};

std::vector<EnginePoint> pointsOf(const std::vector<std::array<double, 3>>& what)
{
    const auto points = enginePoints({benchOf(what)}, asked("cpu", "llama-cpp"), shipped());
    for (const Problem& problem : points ? Problems{} : points.error())
        MESSAGE(problem.where << ": " << problem.what.english());
    REQUIRE(points.has_value());
    REQUIRE(points->points.size() == what.size());
    return points->points;
}

// An engine whose one-row kernel reads at a third of what is known, and whose attention is five times slower.
EngineState plantedEngine(const Deployment& d)
{
    EngineState state{.efficiency = *d.efficiency, .engine = *d.engine};
    state.engine.hostOverlap = 0;
    state.engine.stepHostTime = Seconds(2e-3);
    GemmForm& form = state.efficiency.gemm[static_cast<std::size_t>(GemmClass::WeightOnly8)];
    form.vectorRows = 1;
    form.vectorMemory = form.memoryEfficiency / 1.5;
    form.vectorCompute = form.computeEfficiency;
    form.memoryEfficiency /= 3;
    form.computeEfficiency /= 2;
    return state;
}

void measure(std::vector<EnginePoint>& points, const EngineState& truth)
{
    for (EnginePoint& point : points) {
        Deployment d = point.machine->deployment;
        d.efficiency = &truth.efficiency;
        d.engine = &truth.engine;
        point.seconds = predictedSeconds(point, d);
    }
}

} // namespace

TEST_CASE("a dozen runs of an engine find its planted kernels, step between one row and many included")
{
    std::vector<EnginePoint> points = pointsOf(dozen);
    const EngineState truth = plantedEngine(points.front().machine->deployment);
    measure(points, truth);
    const auto fit = fitEngineRuns(points, {.files = {"runs.json"}, .created = "2026-11-23", .tool = "test"});
    REQUIRE(fit.has_value());
    CHECK(fit->before.median > 0.2);
    CHECK(fit->leftOut.median < 0.05);
    CHECK(fit->set.engineRuns->points == 12);
    CHECK(fit->set.engineRuns->engine == "llama-cpp");
    // Points that no fit saw: three users, a longer context, a longer prompt.
    std::vector<EnginePoint> unseen = pointsOf({{0, 3, 512}, {0, 1, 2048}, {0, 6, 256}, {512, 1, 0}});
    measure(unseen, truth);
    Engine engine = *unseen.front().machine->deployment.engine;
    engine.hostOverlap = 0;
    engine.stepHostTime = fit->set.engineRuns->perStep;
    engine.stepHostTimePerSequence = fit->set.engineRuns->perStepAndSequence;
    for (const EnginePoint& point : unseen) {
        Deployment d = point.machine->deployment;
        d.efficiency = &fit->set;
        d.engine = &engine;
        CHECK_MESSAGE(std::abs(predictedSeconds(point, d) / point.seconds - 1) < 0.08, point.what.english());
    }
}

TEST_CASE("the range of a fit to a dozen noisy runs holds what other runs of the engine take")
{
    constexpr double noise = 0.1; // in ln, of each run
    int inside = 0;
    int all = 0;
    for (unsigned seed = 1; seed <= 8; ++seed) {
        std::mt19937_64 random(seed);
        std::normal_distribution<double> luck(0, noise);
        std::vector<EnginePoint> points = pointsOf(dozen);
        const EngineState truth = plantedEngine(points.front().machine->deployment);
        measure(points, truth);
        for (EnginePoint& point : points)
            point.seconds *= std::exp(luck(random));
        const auto fit
            = fitEngineRuns(points, {.files = {"runs.json"}, .created = "2026-11-23", .tool = "test"});
        REQUIRE(fit.has_value());
        std::vector<EnginePoint> unseen
            = pointsOf({{0, 3, 512}, {0, 1, 2048}, {0, 6, 256}, {0, 2, 768}, {128, 1, 0}, {512, 1, 0}});
        measure(unseen, truth);
        Engine engine = *unseen.front().machine->deployment.engine;
        engine.hostOverlap = 0;
        engine.stepHostTime = fit->set.engineRuns->perStep;
        engine.stepHostTimePerSequence = fit->set.engineRuns->perStepAndSequence;
        for (const EnginePoint& point : unseen) {
            Deployment d = point.machine->deployment;
            d.efficiency = &fit->set;
            d.engine = &engine;
            const double spread = point.prefill() ? fit->set.engineRuns->lnSpreadPrefill
                                                  : fit->set.engineRuns->lnSpreadDecode;
            constexpr double ninetieth = 1.2815515655446004; // of the standard normal distribution
            const double off
                = std::log(predictedSeconds(point, d) / (point.seconds * std::exp(luck(random))));
            inside += std::abs(off) <= ninetieth * spread ? 1 : 0;
            ++all;
        }
    }
    const double share = double(inside) / all;
    CHECK(share > 0.75); // 0.8, and more for another model's part
    CHECK(share < 0.97);
}

TEST_CASE("an engine without a step between kernels is fitted without one")
{
    std::vector<EnginePoint> points = pointsOf(dozen);
    EngineState truth{.efficiency = *points.front().machine->deployment.efficiency,
                      .engine = *points.front().machine->deployment.engine};
    GemmForm& form = truth.efficiency.gemm[static_cast<std::size_t>(GemmClass::WeightOnly8)];
    form.vectorRows = form.vectorMemory = form.vectorCompute = 0;
    measure(points, truth);
    // What is known has no step either.
    for (EnginePoint& point : points) {
        auto own = std::make_shared<Resolved>(*point.machine);
        own->ownEfficiency = std::make_shared<EfficiencySet>(truth.efficiency);
        own->deployment.efficiency = own->ownEfficiency.get();
        point.machine = own;
    }
    const auto fit = fitEngineRuns(points, {.files = {"runs.json"}, .created = "2026-11-23", .tool = "test"});
    REQUIRE(fit.has_value());
    CHECK_FALSE(fit->stepBetweenKernels);
}

TEST_CASE("the calibration of an engine's runs reads back as it was written")
{
    std::vector<EnginePoint> points = pointsOf(dozen);
    measure(points, plantedEngine(points.front().machine->deployment));
    const auto fit
        = fitEngineRuns(points, {.files = {"a.json", "b.jsonl"}, .created = "2026-11-23", .tool = "t"});
    REQUIRE(fit.has_value());
    const auto back = readEfficiencySet(efficiencyYaml(fit->set), "engine.yaml");
    for (const Problem& problem : back ? Problems{} : back.error())
        MESSAGE(problem.where << ": " << problem.what.english());
    REQUIRE(back.has_value());
    CHECK(back->engineRuns->runs == fit->set.engineRuns->runs);
    CHECK(back->engineRuns->perStep.base() == doctest::Approx(fit->set.engineRuns->perStep.base()));
    CHECK(back->form(GemmClass::WeightOnly8).vectorMemory
          == doctest::Approx(fit->set.form(GemmClass::WeightOnly8).vectorMemory));
}

TEST_CASE("result files of each tool become points, and what says nothing of kernels is told")
{
    struct File {
        const char* name;
        std::size_t points;
        TimedPart first;
    };
    const std::string folder = HEADROOM_SOURCE_DIR "/tests/data/bench/";
    const MeasuredRow given{.engine = "vLLM",
                            .model = "llama-3.1-8b",
                            .gpu = "h100-sxm-80gb",
                            .weightDtype = "bf16",
                            .inputLength = "1024",
                            .outputLength = "128",
                            .load = "8"};
    for (const File& file :
         {File{"llama_bench.json", 2, TimedPart::Prompts}, File{"llama_bench.md", 3, TimedPart::Prompts},
          File{"llama_batched_bench.jsonl", 2, TimedPart::Prompts},
          File{"vllm_bench_latency.json", 1, TimedPart::Batch},
          File{"vllm_bench_throughput.json", 1, TimedPart::Service},
          File{"sglang_bench_one_batch.jsonl", 2, TimedPart::Prompts}}) {
        CAPTURE(file.name);
        auto bench = importBench(std::filesystem::path(folder + file.name), given);
        REQUIRE(bench.has_value());
        for (MeasuredRow& row : bench->rows) { // models of these files are nobody's
            row.model = "llama-3.1-8b";
            row.weightDtype = row.engine == "llama.cpp" ? "q4_k_m" : "bf16";
            row.kvDtype.clear();
            row.gpu = "h100-sxm-80gb";
            row.tp.reset();
        }
        const std::string engine = bench->rows.front().engine == "llama.cpp" ? "llama-cpp"
            : bench->rows.front().engine == "SGLang"                         ? "sglang"
                                                                             : "vllm";
        const auto points = enginePoints({*bench}, asked("h100-sxm-80gb", engine), shipped());
        for (const Problem& problem : points ? Problems{} : points.error())
            MESSAGE(problem.where << ": " << problem.what.english());
        REQUIRE(points.has_value());
        CHECK(points->points.size() >= file.points);
        REQUIRE_FALSE(points->points.empty());
        CHECK(points->points.front().part == file.first);
        for (const EnginePoint& point : points->points) {
            CHECK(point.seconds > 0);
            CHECK(predictedSeconds(point, point.machine->deployment) > 0);
        }
    }
    auto served = importBench(std::filesystem::path(folder + "vllm_bench_serve.json"), given);
    REQUIRE(served.has_value());
    for (MeasuredRow& row : served->rows) {
        row.model = "llama-3.1-8b";
        row.load = "qps 4";
    }
    const auto none = enginePoints({*served}, asked("h100-sxm-80gb", "vllm"), shipped());
    REQUIRE(none.has_value());
    CHECK(none->points.empty());
    CHECK(none->skipped.size() == served->rows.size());
}

TEST_CASE("nobody joins the batch of an engine that holds one: its steps are no steps among prompts")
{
    ImportedBench bench{.format = "rows", .rows = {}, .missing = {}, .warnings = {}};
    for (const Metric metric : {Metric::Ttft, Metric::Tpot}) {
        MeasuredRow row{.model = "llama-3.1-8b", .weightDtype = "bf16"};
        row.inputLength = "1024";
        row.outputLength = "8";
        row.load = "4";
        row.metric = metric;
        row.value = 60;
        bench.rows.push_back(row);
    }
    const auto still = enginePoints({bench}, asked("h200-sxm-141gb", "hf-transformers"), shipped());
    REQUIRE(still.has_value());
    REQUIRE(still->points.size() == 2);
    CHECK(still->points[0].part == TimedPart::Prompts);
    CHECK(still->points[0].sequences == 4);
    CHECK(still->points[1].part == TimedPart::DecodeStep);
    const auto joined = enginePoints({bench}, asked("h200-sxm-141gb", "vllm"), shipped());
    REQUIRE(joined.has_value());
    REQUIRE(joined->points.size() == 1);
    CHECK(joined->points[0].part == TimedPart::LoadedStep);
    CHECK(joined->skipped.size() == 1);
}

TEST_CASE("probe's levels are read as its own format")
{
    const std::string text = R"({"schema": "headroom.probe/1", "url": "http://x", "model": "qwen2.5-0.5b",
        "server": "llama.cpp", "levels": [
        {"concurrency": 1, "requests": 6, "failed": 0, "ttft_p50_s": 0.5, "tpot_p50_s": 0.02,
         "output_tokens_per_s": 40, "prompt_tokens": 128, "output_tokens": 32, "rate_asked": null},
        {"concurrency": 4, "requests": 9, "failed": 2, "ttft_p50_s": 1.5, "tpot_p50_s": 0.05,
         "output_tokens_per_s": 60, "prompt_tokens": 128, "output_tokens": 32, "rate_asked": null}]})";
    const auto bench = importBench(text, "probe.json", {.gpu = "cpu", .weightDtype = "q8_0"});
    for (const Problem& problem : bench ? Problems{} : bench.error())
        MESSAGE(problem.where << ": " << problem.what.english());
    REQUIRE(bench.has_value());
    CHECK(bench->format == "headroom probe");
    CHECK(bench->rows.size() == 3); // of the level without failures
    CHECK(bench->warnings.size() == 1);
    const auto points = enginePoints({*bench}, asked("cpu", "llama-cpp"), shipped());
    REQUIRE(points.has_value());
    CHECK(points->points.size() == 2); // its first token and its steps
}

TEST_CASE("what a file says of its runs holds, and what is asked otherwise is refused")
{
    const MeasuredRow row{.engine = "llama.cpp",
                          .model = "llama 8B",
                          .gpu = "NVIDIA H200",
                          .pp = 2,
                          .weightDtype = "q4_k_m",
                          .kvDtype = "f16",
                          .inputLength = "512",
                          .outputLength = "0",
                          .load = "1",
                          .metric = Metric::Ttft,
                          .value = 50};
    const auto read = [&](const MeasuredRow& one, const Scenario& scenario) {
        return enginePoints({{.format = "llama-bench", .rows = {one}, .missing = {}, .warnings = {}}},
                            scenario, shipped());
    };
    // Nothing is asked: everything is the file's, the engine too.
    Scenario nothing;
    nothing.engine.clear();
    const auto own = read(row, nothing);
    for (const Problem& problem : own ? Problems{} : own.error())
        MESSAGE(problem.where << ": " << problem.what);
    REQUIRE(own.has_value());
    const Deployment& d = own->points.front().machine->deployment;
    CHECK(d.engine->id == "llama-cpp");
    CHECK(d.gpu->id == "h200-sxm-141gb");
    CHECK(d.weights == DType::Q4_K_M);
    CHECK(d.layout.pp == 2);
    // One thing after another is asked otherwise.
    const auto refused = [&](auto change) {
        Scenario scenario = nothing;
        change(scenario);
        const auto points = read(row, scenario);
        return points ? std::string() : points.error().front().where;
    };
    CHECK(refused([](Scenario& s) { s.engine = "vllm"; }) == "--engine");
    CHECK(refused([](Scenario& s) { s.gpus = {"l40s"}; }) == "--gpu");
    CHECK(refused([](Scenario& s) { s.weights = DType::Bf16; }) == "--weights");
    CHECK(refused([](Scenario& s) { s.kv = DType::Fp8; }) == "--kv");
    CHECK(refused([](Scenario& s) { s.pp = 1; }) == "--pp");
    // The same in other words, and a model under a name of the file's own.
    CHECK(refused([](Scenario& s) {
              s.engine = "llama-cpp";
              s.gpus = {"h200-sxm-141gb"};
              s.weights = DType::Q4_K_M;
              s.model = "llama-3.1-8b";
          }).empty());
    MeasuredRow named = row;
    named.model = "qwen2.5-0.5b"; // the id of another
    Scenario other = nothing;
    other.model = "llama-3.1-8b";
    const auto points = read(named, other);
    REQUIRE_FALSE(points.has_value());
    CHECK(points.error().front().where == "--model");
    MeasuredRow strange = row;
    strange.weightDtype = "q5_9";
    const auto unknown = read(strange, nothing);
    REQUIRE_FALSE(unknown.has_value());
    CHECK(unknown.error().front().where == "--weights");
}

TEST_CASE("runs over one and over two cards are told apart, and one model is not several")
{
    MeasuredRow row{.engine = "vLLM",
                    .model = "llama-3.1-8b",
                    .gpu = "h100-sxm-80gb",
                    .tp = 1,
                    .weightDtype = "bf16",
                    .inputLength = "512",
                    .outputLength = "64",
                    .load = "4",
                    .metric = Metric::Tpot,
                    .value = 10};
    ImportedBench bench{.format = "vllm bench serve", .rows = {row}, .missing = {}, .warnings = {}};
    row.tp = 2;
    bench.rows.push_back(row);
    const auto points = enginePoints({bench}, asked("h100-sxm-80gb", "vllm"), shipped());
    REQUIRE(points.has_value());
    REQUIRE(points->points.size() == 2);
    CHECK(points->points[0].machine->deployment.layout.tp == 1);
    CHECK(points->points[1].machine->deployment.layout.tp == 2);
    bench.rows[1].model = "some other 8B";
    Scenario one = asked("h100-sxm-80gb", "vllm");
    one.model = "llama-3.1-8b";
    const auto mixed = enginePoints({bench}, one, shipped());
    REQUIRE_FALSE(mixed.has_value());
    CHECK(mixed.error().front().where == "--model");
}

TEST_CASE("more runs than a fit could use are refused")
{
    std::vector<EnginePoint> points = pointsOf(dozen);
    points.resize(2001, points.front());
    const auto fit = fitEngineRuns(points, {.files = {"a.json"}, .created = "2026-11-24", .tool = "t"});
    REQUIRE_FALSE(fit.has_value());
    CHECK(fit.error().front().what.english()
          == "2001 figures say something of kernels, at most 2000 are fitted");
}
