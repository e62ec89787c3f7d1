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

Resolved deployment(const std::string& model, const std::string& gpu, const Layout& layout,
                    const std::string& engine)
{
    Scenario s;
    s.model = model;
    s.gpus = {gpu};
    s.engine = engine;
    s.tp = layout.tp;
    s.pp = layout.pp;
    s.dp = layout.dp;
    s.ep = layout.ep;
    s.batch = 16 * layout.dp;
    const auto resolved = resolve(s, shipped());
    if (!resolved)
        throw std::runtime_error(resolved.error().front().what.english());
    return *resolved;
}

void predictOne(benchmark::State& state, const std::string& model, const std::string& gpu,
                const Layout& layout, const std::string& engine = {}, double answer = 0)
{
    const Resolved r = deployment(model, gpu, layout, engine);
    Load load = r.load;
    if (answer > 0)
        load.outputTokens = answer;
    double ofRank = 16;
    for (auto _ : state) {
        ofRank = ofRank < 64 ? ofRank + 1 : 1; // not the same answer twice
        load.batch = ofRank * layout.dp;
        benchmark::DoNotOptimize(predict(r.deployment, load));
    }
}
BENCHMARK_CAPTURE(predictOne, llama_70b_tp4, "llama-3.1-70b", "h100-sxm-80gb", {.tp = 4});
BENCHMARK_CAPTURE(predictOne, llama_405b_tp8_pp2, "llama-3.1-405b", "h100-sxm-80gb", {.tp = 8, .pp = 2});
BENCHMARK_CAPTURE(predictOne, deepseek_v3_tp8, "deepseek-v3", "h200-sxm-141gb", {.tp = 8});
// A rank of attention on each of 32 cards, which share the experts: four boxes.
BENCHMARK_CAPTURE(predictOne, deepseek_v3_wide_ep, "deepseek-v3", "h200-sxm-141gb", {.ep = 32, .dp = 32});
// Prompts of a rank wait for those of the others.
BENCHMARK_CAPTURE(predictOne, deepseek_v3_held, "deepseek-v3", "h200-sxm-141gb", {.ep = 8, .dp = 8},
                  "tensorrt-llm");
// The steps before admission gather users of short answers.
BENCHMARK_CAPTURE(predictOne, llama_8b_gathered, "llama-3.1-8b", "h100-sxm-80gb", {}, "sglang", 3);
BENCHMARK_CAPTURE(predictOne, deepseek_v3_wide_ep_gathered, "deepseek-v3", "h200-sxm-141gb",
                  {.ep = 32, .dp = 32}, "sglang", 3);

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
