#include "model/search/machines_to_try.h"

#include "model/resolve/money.h"
#include "model/resolve/prompt_pool.h"
#include "model/resolve/resolve.h"
#include "model/resolve/used_calibration.h"
#include "model/search/variants.h"
#include "model/yaml/catalogue.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace headroom {

namespace {

// Accelerators people rent or buy to run these engines on: the others must be named.
bool consideredUnasked(const Gpu& gpu)
{
    return (gpu.vendor == "NVIDIA" || gpu.vendor == "AMD")
        && gpu.formFactor.find("Socket") == std::string::npos;
}

std::vector<std::string> gpusToTry(const Scenario& scenario, const Catalogue& catalogue)
{
    if (!scenario.gpus.empty())
        return scenario.gpus;
    if (std::string device = deviceOfCalibration(scenario, catalogue); !device.empty())
        return {std::move(device)};
    std::vector<std::string> out;
    for (const std::string& id : catalogue.gpuIds())
        if (const auto gpu = catalogue.gpu(id); gpu && consideredUnasked(**gpu))
            out.push_back(id);
    return out;
}

Result<MachinesToTry> resolveAll(const Scenario& scenario, const Catalogue& catalogue)
{
    const std::vector<std::string> ids = gpusToTry(scenario, catalogue);
    MachinesToTry out;
    Problems problems;
    for (const std::string& id : ids) {
        Scenario one = scenario;
        one.gpus = {id};
        auto resolved = machinesOf(withPurchasePrice(one, catalogue), catalogue);
        if (resolved) {
            ++out.kinds;
            out.resolved.insert(out.resolved.end(), resolved->begin(), resolved->end());
            continue;
        }
        const bool asked = !scenario.gpus.empty() || resolved.error().front().where == "model";
        if (!asked)
            out.leftOut.push_back(say("{}: {}", id, Message(resolved.error().front().what)));
        for (Problem& problem : resolved.error())
            if (asked && std::find(problems.begin(), problems.end(), problem) == problems.end())
                problems.push_back(std::move(problem));
    }
    if (out.resolved.empty() || (!problems.empty() && !scenario.gpus.empty()))
        return refuse(problems.empty() ? Problems{{"gpu", "no accelerator of the catalogue runs this", {}}}
                                       : problems);
    return out;
}

// The accelerators that may compute prompts in a pool of their own.
Result<MachinesToTry> withPromptPool(MachinesToTry machines, const Scenario& scenario,
                                     const Catalogue& catalogue)
{
    const PrefillChoice& prefill = scenario.prefill;
    if (prefill.pools == Disaggregation::No)
        return machines;
    for (const auto& machine : machines.resolved)
        if (const Engine& engine = *machine->deployment.engine; !engine.disaggregates)
            return refuse("disaggregate", say("{} keeps prompts and decodes together", engine.name),
                          "vllm, sglang and tensorrt-llm run them apart");
    if (!prefill.gpu.empty()) {
        const Scenario other = onPromptMachine(scenario, catalogue);
        auto resolved = machinesOf(withPurchasePrice(other, catalogue), catalogue);
        if (!resolved)
            return refuse(std::move(resolved.error()));
        machines.prompting = *std::move(resolved);
    } else if (scenario.gpus.size() > 1) {
        machines.prompting = machines.resolved; // a few that were named: every pair
    }
    return machines;
}

} // namespace

Result<MachinesToTry> machinesToTry(const Scenario& scenario, const Catalogue& catalogue)
{
    return resolveAll(scenario, catalogue).and_then([&](MachinesToTry all) {
        return withPromptPool(std::move(all), scenario, catalogue);
    });
}

} // namespace headroom
