#include "headroom_source_dir.h"
#include "model/resolve/resolve.h"
#include "model/serve/serving_run.h"
#include "model/yaml/catalogue.h"

#include <benchmark/benchmark.h>
#include <stdexcept>
#include <sys/resource.h>

using namespace headroom;

namespace {

// Llama-70B on four H100, prompts of 1,024 and answers of 256 tokens on average, log-normal: no two steps are
// alike.
serve::ServingPlan planAt(double share, std::int64_t requests, bool alike = false)
{
    static const auto catalogue = Catalogue::open(HEADROOM_SOURCE_DIR);
    if (!catalogue)
        throw std::runtime_error("no catalogue at " HEADROOM_SOURCE_DIR);
    Scenario s;
    s.model = "llama-3.1-70b";
    s.gpus = {"h100-sxm-80gb"};
    s.tp = 4;
    s.requests = requests;
    if (!alike) {
        s.prompt = LengthDistribution::logNormal(1024, 4096, 0.99);
        s.output = LengthDistribution::logNormal(256, 1024, 0.99);
    }
    static const Result<Resolved> resolved = resolve(s, **catalogue);
    if (!resolved)
        throw std::runtime_error(resolved.error().front().what);
    Result<serve::ServingPlan> plan = serve::servingPlan(s, resolved->deployment, resolved->load);
    if (!plan)
        throw std::runtime_error(plan.error().front().what);
    // What servingPlan offers without a stated rate is four fifths of the capacity.
    plan->traffic.rate = plan->traffic.rate * (share / 0.8);
    plan->offered = plan->traffic.rate;
    return *plan;
}

void report(benchmark::State& state, const serve::ServingRun& run, std::int64_t requests)
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    state.counters["peak_MB"] = static_cast<double>(usage.ru_maxrss) / 1000;
    state.counters["steps"] = static_cast<double>(run.measures.steps);
    state.counters["batch"] = run.measures.meanBatch;
    state.SetItemsProcessed(state.iterations() * requests);
}

// Requests a second and how they fall with the load, in per cent of capacity.
void simulateAtLoad(benchmark::State& state)
{
    const std::int64_t requests = state.range(1);
    const serve::ServingPlan plan = planAt(static_cast<double>(state.range(0)) / 100, requests);
    std::optional<serve::ServingRun> last;
    for (auto _ : state)
        last = *serve::makeServingRun(plan);
    report(state, *last, requests);
}
BENCHMARK(simulateAtLoad)->ArgsProduct({{20, 50, 80, 95, 120}, {10000}})->Unit(benchmark::kMillisecond);
BENCHMARK(simulateAtLoad)->Args({80, 1000000})->Unit(benchmark::kMillisecond)->Iterations(1);

void simulateAlike(benchmark::State& state)
{
    const serve::ServingPlan plan = planAt(0.8, 10000, true);
    std::optional<serve::ServingRun> last;
    for (auto _ : state)
        last = *serve::makeServingRun(plan);
    report(state, *last, 10000);
}
BENCHMARK(simulateAlike)->Unit(benchmark::kMillisecond);

void oneStep(benchmark::State& state)
{
    const serve::ServingPlan plan = planAt(0.8, 10000);
    StepShape shape{.decodeSequences = 60, .sampledRows = 60};
    for (auto _ : state) {
        shape.decodeContext = shape.decodeContext < 4000 ? shape.decodeContext + 1 : 1000;
        benchmark::DoNotOptimize(plan.setup.pool.stepTime(shape));
    }
}
BENCHMARK(oneStep)->Unit(benchmark::kMicrosecond);

} // namespace
