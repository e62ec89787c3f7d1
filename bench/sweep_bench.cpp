#include "headroom_source_dir.h"
#include "model/advise/sweep.h"
#include "model/yaml/catalogue.h"

#include <benchmark/benchmark.h>
#include <stdexcept>
#include <string>
#include <vector>

using namespace headroom;

namespace {

std::vector<std::string> upTo(int count)
{
    std::vector<std::string> values;
    for (int i = 1; i <= count; ++i)
        values.push_back(std::to_string(i));
    return values;
}

// tp x pp x batch x prompt: the argument is the number of prompts, 1,250 layouts and loads each; 800 of them
// are a million.
void sweepLayouts(benchmark::State& state)
{
    const auto catalogue = Catalogue::open(HEADROOM_SOURCE_DIR);
    if (!catalogue)
        throw std::runtime_error("no catalogue at " HEADROOM_SOURCE_DIR);
    Scenario base;
    base.model = "llama-3.1-70b";
    base.gpus = {"h100-sxm-80gb"};
    std::vector<std::string> prompts;
    for (int i = 0; i < state.range(0); ++i)
        prompts.push_back(std::to_string(64 + 16 * i));
    const std::vector<SweepAxis> axes{
        {"tp", {"1", "2", "4", "8", "16"}}, {"pp", upTo(5)}, {"batch", upTo(50)}, {"prompt", prompts}};
    std::size_t points = 0;
    double fastest = 1e9;
    for (auto _ : state)
        points += sweep(base, axes, **catalogue, [&fastest](const SweepPoint& point) {
                      if (point.prediction != nullptr)
                          fastest = std::min(fastest, point.prediction->tpot.value.base());
                  }).value();
    benchmark::DoNotOptimize(fastest);
    state.counters["layouts/s"] = benchmark::Counter(double(points), benchmark::Counter::kIsRate);
}
BENCHMARK(sweepLayouts)->Arg(8)->Arg(80)->Arg(800)->Unit(benchmark::kSecond)->Iterations(1);

} // namespace
