#include "model/resolve/prompt_pool.h"

#include "model/resolve/used_calibration.h"

#include <string>
#include <utility>

namespace headroom {

namespace {

std::string idOf(const std::string& gpu, const Catalogue& catalogue)
{
    const Result<NameMatch> match = catalogue.findGpu(gpu);
    return match ? match->id : gpu;
}

} // namespace

Scenario onPromptMachine(Scenario scenario, const Catalogue& catalogue)
{
    if (scenario.prefill.gpu.empty())
        return scenario;
    const std::string id = idOf(scenario.prefill.gpu, catalogue);
    scenario.gpus = {scenario.prefill.gpu};
    scenario.node.clear();
    scenario.gpusPerBox.reset();
    scenario.compute.reset();
    if (namesCalibration(scenario.calibration) && deviceOfCalibration(scenario, catalogue) != id)
        scenario.calibration.clear(); // of another accelerator: this one's own is found by itself
    return scenario;
}

Scenario withPromptWidths(Scenario scenario)
{
    scenario.tp = scenario.prefill.tp;
    scenario.pp = scenario.prefill.pp;
    scenario.ep = scenario.prefill.ep;
    scenario.dp = scenario.prefill.dp;
    return scenario;
}

Result<Resolved> resolvePromptPool(const Scenario& scenario, const Catalogue& catalogue)
{
    Scenario pool = onPromptMachine(scenario, catalogue);
    if (pool.prefill.statesWidths())
        pool = withPromptWidths(std::move(pool));
    if (pool.ep.value_or(1) <= 1)
        pool.redundantExperts = 0; // they are of the pool whose experts are spread
    pool.replicas = pool.prefill.replicas.value_or(1);
    pool.gpuCount.reset();
    pool.maxSequences.reset(); // of those that decode
    return resolve(pool, catalogue);
}

PrefillChoice promptPoolAs(const Deployment& prompts, PrefillChoice stated)
{
    stated.gpu = prompts.gpu->id;
    stated.tp = prompts.layout.tp;
    stated.pp = prompts.layout.pp;
    stated.ep = prompts.layout.ep;
    stated.dp = prompts.layout.dp;
    stated.replicas = prompts.layout.replicas;
    return stated;
}

} // namespace headroom
