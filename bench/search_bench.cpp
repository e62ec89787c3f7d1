#include "headroom_source_dir.h"
#include "model/advise/size.h"
#include "model/ask/question.h"
#include "model/search/search.h"
#include "model/words/catalogue_vocabulary.h"
#include "model/yaml/catalogue.h"

#include <benchmark/benchmark.h>
#include <stdexcept>
#include <string>
#include <vector>

using namespace headroom;

namespace {

const Catalogue& shipped()
{
    static const auto catalogue = Catalogue::open(HEADROOM_SOURCE_DIR);
    if (!catalogue)
        throw std::runtime_error("no catalogue at " HEADROOM_SOURCE_DIR);
    return **catalogue;
}

Scenario question(const std::string& model, double tps, std::optional<double> users)
{
    Scenario s;
    s.model = model;
    s.targets.tokensPerSecond = tps;
    s.concurrency = users;
    return s;
}

// The whole catalogue for one model: all accelerators and layouts.
void searchEverything(benchmark::State& state, const Scenario& scenario, const SearchOptions& options)
{
    for (auto _ : state) {
        const auto plan = size(scenario, shipped(), options);
        state.counters["layouts"] = static_cast<double>((*plan)->evaluated);
        benchmark::DoNotOptimize(plan);
    }
}
const SearchOptions closedForm{.prune = true, .simulate = false, .explain = false};
const SearchOptions complete{};
BENCHMARK_CAPTURE(searchEverything, dense_closed_form, question("llama-3.1-70b", 20, std::nullopt),
                  closedForm)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(searchEverything, dense_users_closed_form, question("llama-3.1-70b", 20, 100), closedForm)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(searchEverything, experts_closed_form, question("deepseek-r1", 20, std::nullopt),
                  closedForm)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(searchEverything, experts_users_closed_form, question("deepseek-r1", 20, 100), closedForm)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(searchEverything, dense_users_simulated, question("llama-3.1-70b", 20, 100), complete)
    ->Unit(benchmark::kMillisecond);

// Growth with the number of accelerators.
void searchSome(benchmark::State& state)
{
    Scenario scenario = question("llama-3.1-70b", 20, 100);
    std::vector<std::string> able;
    for (const std::string& id : shipped().gpuIds()) {
        Scenario one = scenario;
        one.gpus = {id};
        if (resolveMachine(one, shipped()))
            able.push_back(id);
    }
    // Evenly over the whole list, so that every size holds the same mix of large and small cards.
    const auto count = static_cast<std::size_t>(state.range(0));
    for (std::size_t i = 0; i < count; ++i)
        scenario.gpus.push_back(able[i * able.size() / count]);
    for (auto _ : state)
        benchmark::DoNotOptimize(size(scenario, shipped(), closedForm));
    state.SetComplexityN(state.range(0));
}
BENCHMARK(searchSome)->RangeMultiplier(2)->Range(8, 32)->Unit(benchmark::kMillisecond)->Complexity();

void readQuestion(benchmark::State& state)
{
    const ask::Vocabulary vocabulary = vocabularyOf(shipped());
    for (auto _ : state)
        benchmark::DoNotOptimize(ask::read(
            "cheapest way to serve DeepSeek R1 fp8 to 500 users, 8k prompts, p95 TTFT under 2s", vocabulary));
}
BENCHMARK(readQuestion)->Unit(benchmark::kMillisecond);

} // namespace
