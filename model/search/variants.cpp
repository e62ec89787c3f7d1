#include "model/search/variants.h"

#include "model/resolve/usual_box.h"
#include "model/yaml/catalogue.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace headroom {

namespace {

// Steps an engine is tuned in: a chunk that hardly delays decodes to one that fills the matrix units, and
// sequences from few to more than any default.
constexpr std::array<std::int64_t, 4> chunks{512, 2048, 8192, 16384};
constexpr std::array<std::int64_t, 3> batchLimits{64, 256, 1024};

template <typename T>
std::vector<std::optional<T>> withOthers(const std::optional<T>& stated, const std::vector<T>& others)
{
    std::vector<std::optional<T>> out{stated};
    for (const T& other : others)
        if (!stated || other != *stated)
            out.emplace_back(other);
    return out;
}

std::vector<Scenario> variantsOf(const Scenario& scenario)
{
    const bool tune = scenario.allowed.tune;
    const std::vector<std::int64_t> tunedChunks(chunks.begin(), chunks.end());
    const std::vector<std::int64_t> tunedLimits(batchLimits.begin(), batchLimits.end());
    const std::vector<std::int64_t> none;
    std::vector<Scenario> out;
    for (const auto& weights : withOthers(scenario.weights, scenario.allowed.weights))
        for (const auto& kv : withOthers(scenario.kv, scenario.allowed.kv))
            for (const auto& chunk : withOthers(scenario.maxBatchedTokens,
                                                tune && !scenario.maxBatchedTokens ? tunedChunks : none))
                for (const auto& limit :
                     withOthers(scenario.maxSequences, tune && !scenario.maxSequences ? tunedLimits : none)) {
                    Scenario one = scenario;
                    one.weights = weights;
                    one.kv = kv;
                    one.maxBatchedTokens = chunk;
                    one.maxSequences = limit;
                    // Arithmetic that was stated is kept; what follows the weights follows the new ones.
                    out.push_back(std::move(one));
                }
    return out;
}

int differences(const Deployment& a, const Deployment& b)
{
    return int(a.weights != b.weights) + int(a.kv != b.kv)
        + int(a.engine->maxBatchedTokens != b.engine->maxBatchedTokens)
        + int(a.engine->maxSequences != b.engine->maxSequences);
}

void describe(Resolved& variant, const Resolved& stated)
{
    const Deployment& d = variant.deployment;
    const Deployment& s = stated.deployment;
    variant.assumptions = stated.assumptions;
    if (d.weights != s.weights || d.kv != s.kv)
        variant.assumptions.push_back(
            say("{} weights and {} KV cache, as was allowed", asIs(name(d.weights)), asIs(name(d.kv))));
    if (d.engine->maxBatchedTokens != s.engine->maxBatchedTokens
        || d.engine->maxSequences != s.engine->maxSequences)
        variant.assumptions.push_back(
            say("{} set to {} tokens in a step and {} sequences at once, as was allowed", d.engine->name,
                d.engine->maxBatchedTokens, d.engine->maxSequences));
}

// Every other choice of types and settings that the user allows.
void addDeviations(std::vector<std::shared_ptr<const Resolved>>& machines, const Scenario& scenario,
                   const Catalogue& catalogue)
{
    if (scenario.allowed == AllowedDeviations{})
        return;
    const Resolved& first = *machines.front();
    for (Scenario& one : variantsOf(scenario)) {
        Result<Resolved> variant = resolveMachine(one, catalogue);
        // This card or this engine does not run it: another engine was not allowed.
        if (!variant || variant->scenario.engine != first.scenario.engine)
            continue;
        const bool known = std::any_of(machines.begin(), machines.end(), [&](const auto& other) {
            return differences(other->deployment, variant->deployment) == 0;
        });
        if (known)
            continue;
        variant->deviations = differences(first.deployment, variant->deployment);
        describe(*variant, first);
        machines.push_back(std::make_shared<const Resolved>(*std::move(variant)));
    }
}

// Where nobody said what the GPUs stand in or how many there are, replicas too large for the usual machine
// are tried in a server of eight as well, where there is one with these cards.
void addLargerBoxes(std::vector<std::shared_ptr<const Resolved>>& machines, const Catalogue& catalogue)
{
    constexpr int server = 8;
    const std::size_t usual = machines.size();
    for (std::size_t i = 0; i < usual; ++i) {
        const Resolved& machine = *machines[i];
        const Node& box = *machine.deployment.node;
        if (box.gpusPerNode >= server)
            continue;
        const auto larger = usualBox(catalogue, *machine.deployment.gpu, server);
        if (!larger || (*larger)->gpusPerNode <= box.gpusPerNode)
            continue;
        Resolved other = machine;
        other.deployment.node = *larger;
        other.scenario.node = (*larger)->id;
        standInOwnStorage(other);
        other.smallerBox = box.gpusPerNode;
        for (Remark& remark : other.assumptions)
            if (remark.kind == RemarkKind::Box)
                remark.text = boxText(*machine.deployment.gpu, **larger);
        machines.push_back(std::make_shared<const Resolved>(std::move(other)));
    }
}

} // namespace

Result<std::vector<std::shared_ptr<const Resolved>>> machinesOf(const Scenario& scenario,
                                                                const Catalogue& catalogue)
{
    Result<Resolved> stated = resolveMachine(scenario, catalogue);
    if (!stated)
        return refuse(std::move(stated.error()));
    std::vector<std::shared_ptr<const Resolved>> out{std::make_shared<const Resolved>(*std::move(stated))};
    addDeviations(out, scenario, catalogue);
    if (scenario.node.empty() && !scenario.gpuCount && !scenario.gpusPerBox)
        addLargerBoxes(out, catalogue);
    return out;
}

Scenario asTuned(Scenario scenario, const Engine& answer)
{
    if (!scenario.allowed.tune)
        return scenario;
    scenario.allowed.tune = false;
    // A budget that the engine makes up by the load was not chosen: stated, it would no longer follow it.
    const bool follows = answer.latent.promptsPerStep > 0;
    if (answer.maxBatchedTokens > 0 && !follows) // 0: the engine knows no such limit
        scenario.maxBatchedTokens = answer.maxBatchedTokens;
    if (answer.maxSequences > 0)
        scenario.maxSequences = answer.maxSequences;
    return scenario;
}

} // namespace headroom
