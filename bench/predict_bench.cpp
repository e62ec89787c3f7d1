#include "headroom_source_dir.h"
#include "model/resolve/resolve.h"
#include "model/yaml/catalogue.h"

#include <benchmark/benchmark.h>
#include <stdexcept>
#include <string>

using namespace headroom;

namespace {

const Catalogue& shipped()
{
    static const auto catalogue = Catalogue::open(HEADROOM_SOURCE_DIR);
    if (!catalogue)
        throw std::runtime_error("no catalogue at " HEADROOM_SOURCE_DIR);
    return **catalogue;
}

Resolved deployment(const std::string& model, const std::string& gpu, int tp, int pp)
{
    Scenario s;
    s.model = model;
    s.gpus = {gpu};
    s.tp = tp;
    s.pp = pp;
    s.batch = 16;
    const auto resolved = resolve(s, shipped());
    if (!resolved)
        throw std::runtime_error(resolved.error().front().what.english());
    return *resolved;
}

void predictOne(benchmark::State& state, const std::string& model, const std::string& gpu, int tp, int pp)
{
    const Resolved r = deployment(model, gpu, tp, pp);
    Load load = r.load;
    for (auto _ : state) {
        load.batch = load.batch < 64 ? load.batch + 1 : 1; // not the same answer twice
        benchmark::DoNotOptimize(predict(r.deployment, load));
    }
}
BENCHMARK_CAPTURE(predictOne, llama_70b_tp4, "llama-3.1-70b", "h100-sxm-80gb", 4, 1);
BENCHMARK_CAPTURE(predictOne, llama_405b_tp8_pp2, "llama-3.1-405b", "h100-sxm-80gb", 8, 2);
BENCHMARK_CAPTURE(predictOne, deepseek_v3_tp8, "deepseek-v3", "h200-sxm-141gb", 8, 1);

void openCatalogueAndResolve(benchmark::State& state)
{
    for (auto _ : state) {
        const auto catalogue = Catalogue::open(HEADROOM_SOURCE_DIR);
        Scenario s;
        s.model = "llama-3.1-70b";
        s.gpus = {"h100-sxm-80gb"};
        benchmark::DoNotOptimize(resolve(s, **catalogue));
    }
}
BENCHMARK(openCatalogueAndResolve)->Unit(benchmark::kMillisecond);

} // namespace
