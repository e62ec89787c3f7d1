// Over all layouts of two pools.
#include "model/base/at_once.h"
#include "model/scenario/service_load.h"
#include "model/search/judge.h"
#include "model/search/layouts.h"
#include "model/search/pools.h"
#include "model/search/ranking.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <utility>

namespace headroom {

namespace {

bool sameTypes(const Deployment& a, const Deployment& b) { return a.weights == b.weights && a.kv == b.kv; }

// What the objective counts of one replica.
double costOf(const Deployment& d, Objective objective)
{
    const double gpus = d.layout.gpusPerReplica();
    return objective == Objective::CheapestHour && d.gpu->cloudPrice ? perHour(*d.gpu->cloudPrice) * gpus
                                                                     : gpus;
}
double costOf(const Candidate& c, Objective objective)
{
    return costOf(c.deployment, objective) * c.deployment.layout.replicas
        + (c.prompts ? costOf(c.prompts->deployment, objective) * c.prompts->deployment.layout.replicas : 0);
}

// Replicas of a pool that decodes when prompts cost nothing and wait for nothing: with any real pool of
// prompts it takes as many or more. None where not even then one user is served within the targets.
std::optional<int> fewestDecodes(const std::shared_ptr<const DecodingReplica>& decodes,
                                 const Scenario& scenario, bool sure)
{
    const ReplicaCurve ideal(decodes, PromptsElsewhere{});
    const Capacity capacity = ideal.capacity(scenario.targets, sure, enoughUsers(scenario));
    if (capacity.users < 1)
        return std::nullopt;
    return replicasFor(loadOf(scenario), scenario, ideal, capacity);
}

// Replicas of a pool of such units for the requests that are stated.
int fewestPrompts(const PromptUnit& unit, const Scenario& scenario)
{
    if (scenario.prefill.replicas)
        return *scenario.prefill.replicas;
    const double busy = loadOf(scenario).requestsPerSecond * unit.every().base() / busyShare(scenario);
    return std::max(1, static_cast<int>(std::ceil(busy - 1e-9))) + scenario.spares;
}

// A unit beside the least that a service of it and of some layout can cost.
struct Offer {
    const PromptUnit* unit = nullptr;
    double least = 0;
};
std::vector<Offer> offersFor(const Deployment& decode, int decodes, const std::vector<PromptUnit>& units,
                             const Scenario& scenario)
{
    std::vector<Offer> out;
    for (const PromptUnit& unit : units)
        out.push_back({&unit,
                       costOf(decode, scenario.objective) * decodes
                           + costOf(unit.deployment, scenario.objective) * fewestPrompts(unit, scenario)});
    std::stable_sort(out.begin(), out.end(),
                     [](const Offer& a, const Offer& b) { return a.least < b.least; });
    return out;
}

// A layout of a pool that decodes, and what may compute its prompts.
struct Decoding {
    const std::shared_ptr<const Resolved>* machine = nullptr;
    const std::vector<PromptUnit>* units = nullptr;
    Layout layout;
};

// Of each machine that decodes, those that may compute its prompts.
using UnitsBeside = std::vector<std::vector<PromptUnit>>;

// What is asked of every one of them.
struct PoolQuestion {
    const Scenario& scenario;
    bool sure = false;
    bool bounded = false;            // what is dearer is no better
    std::optional<double> mostWorth; // dearer than this is of no interest
};

bool samePools(const Candidate& a, const Candidate& b)
{
    return a.deployment.layout == b.deployment.layout
        && a.prompts->deployment.layout == b.prompts->deployment.layout
        && a.prompts->machine == b.prompts->machine;
}

// The best division of GPUs that are there, over all that may compute the prompts, and the surest.
std::vector<Candidate> divisions(const Decoding& decoding,
                                 const std::shared_ptr<const DecodingReplica>& replica,
                                 const PoolQuestion& asked)
{
    const Scenario& scenario = asked.scenario;
    std::optional<Candidate> best;
    std::optional<Candidate> surest;
    for (const PromptUnit& unit : *decoding.units) {
        if (decoding.layout.gpusPerReplica() + unit.deployment.layout.gpusPerReplica() > *scenario.gpuCount)
            continue;
        Divided divided = dividePools(*decoding.machine, replica, unit, scenario, asked.sure);
        if (!best || better(divided.best, *best, scenario.objective))
            best = std::move(divided.best);
        if (divided.surest && (!surest || divided.surest->confidence > surest->confidence))
            surest = std::move(divided.surest);
    }
    std::vector<Candidate> out;
    if (surest && !samePools(*best, *surest))
        out.push_back(*std::move(surest));
    if (best)
        out.insert(out.begin(), *std::move(best));
    return out;
}

// The best that it makes; none where nothing is of interest.
std::vector<Candidate> bestBeside(const Decoding& decoding, const PoolQuestion& asked)
{
    const auto& machine = *decoding.machine;
    const Scenario& scenario = asked.scenario;
    const Deployment decode = laidOut(machine->deployment, decoding.layout);
    const auto replica = std::make_shared<const DecodingReplica>(decode, machine->load);
    if (!replica->predictor().memoryAt(machine->load.batch).fits)
        return {};
    if (dividesGpus(scenario))
        return divisions(decoding, replica, asked);
    const std::optional<int> decodes
        = asked.bounded ? fewestDecodes(replica, scenario, asked.sure) : std::optional(1);
    if (!decodes && asked.mostWorth)
        return {};
    std::optional<Candidate> best;
    for (const auto& [unit, least] : offersFor(decode, decodes.value_or(1), *decoding.units, scenario)) {
        if (scenario.gpuCount
            && decoding.layout.gpusPerReplica() + unit->deployment.layout.gpusPerReplica()
                > *scenario.gpuCount)
            continue;
        if ((asked.mostWorth && least > *asked.mostWorth)
            || (asked.bounded && best && best->meets && least > costOf(*best, scenario.objective)))
            break;
        Candidate c = judgePools(machine, replica, *unit, scenario, asked.sure);
        if (!best || better(c, *best, scenario.objective))
            best = std::move(c);
        if (!decodes)
            break; // no unit makes it meet the targets: the smallest stands for all
    }
    return best ? std::vector{*std::move(best)} : std::vector<Candidate>();
}

UnitsBeside unitsBeside(const std::vector<std::shared_ptr<const Resolved>>& decoding,
                        const std::vector<std::shared_ptr<const Resolved>>& prompting,
                        const Scenario& scenario, std::size_t threads)
{
    const auto& all = prompting.empty() ? decoding : prompting;
    UnitsBeside unitsOf(all.size());
    forEachAtOnce(all.size(), threads, [&](std::size_t i) { unitsOf[i] = promptUnits(all[i], scenario); });
    if (prompting.empty())
        return unitsOf;
    UnitsBeside out(decoding.size());
    for (std::size_t i = 0; i < decoding.size(); ++i)
        for (std::size_t other = 0; other < all.size(); ++other)
            if (sameTypes(all[other]->deployment, decoding[i]->deployment)) // the cache goes over as it is
                out[i].insert(out[i].end(), unitsOf[other].begin(), unitsOf[other].end());
    return out;
}

} // namespace

std::vector<Candidate> searchPools(const std::vector<std::shared_ptr<const Resolved>>& decoding,
                                   const std::vector<std::shared_ptr<const Resolved>>& prompting,
                                   const Scenario& scenario, bool sure,
                                   const std::optional<Candidate>* toBeat, bool replaysFollow,
                                   std::size_t threads)
{
    PoolQuestion asked{scenario, sure,
                       !scenario.gpuCount && !scenario.replicas && growsWithGpus(scenario.objective)};
    // Where replays are to follow the best may turn out to be dearer than it looks.
    constexpr double mayGrow = 2;
    const double slack = replaysFollow ? mayGrow : 1;
    const auto worth = [&](const Candidate& c) { return slack * costOf(c, scenario.objective); };
    if (asked.bounded && toBeat && *toBeat && (*toBeat)->meets)
        asked.mostWorth = worth(**toBeat);
    std::map<int, UnitsBeside> units; // by redundant experts: both pools have the same
    std::vector<Decoding> all;
    for (std::size_t i = 0; i < decoding.size(); ++i)
        for (const Layout& layout : possibleLayouts(*decoding[i], scenario)) {
            const auto [beside, first] = units.try_emplace(layout.redundantExperts);
            if (first) {
                Scenario redundant = scenario;
                redundant.redundantExperts = layout.redundantExperts;
                beside->second = unitsBeside(decoding, prompting, redundant, threads);
            }
            all.push_back({&decoding[i], &beside->second[i], layout});
        }
    // Some at once know of one another nothing.
    const std::size_t atOnce = replaysFollow ? 8 : 1;
    std::vector<Candidate> out;
    for (std::size_t first = 0; first < all.size(); first += atOnce) {
        std::vector<std::vector<Candidate>> found(std::min(atOnce, all.size() - first));
        forEachAtOnce(found.size(), threads,
                      [&](std::size_t i) { found[i] = bestBeside(all[first + i], asked); });
        for (std::vector<Candidate>& ofLayout : found)
            for (Candidate& best : ofLayout) {
                if (toBeat && asked.bounded && best.meets)
                    asked.mostWorth = std::min(
                        asked.mostWorth.value_or(std::numeric_limits<double>::infinity()), worth(best));
                out.push_back(std::move(best));
            }
    }
    return out;
}

} // namespace headroom
