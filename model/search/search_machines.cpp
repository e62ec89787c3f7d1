#include "model/base/at_once.h"
#include "model/resolve/money.h"
#include "model/search/judge.h"
#include "model/search/layouts.h"
#include "model/search/more_replicas.h"
#include "model/search/ranking.h"
#include "model/search/search.h"

#include <algorithm>
#include <iterator>
#include <mutex>
#include <utility>

namespace headroom {

namespace {

// Leaves out what cannot be better than what was found. Totals grow with the size of a replica only for these
// two objectives; for the others every layout is judged.
class Pruning {
public:
    // Candidates up to twice as large as the best are kept: a buyer wants to see what stands beside the
    // answer.
    static constexpr double kept = 2;
    static constexpr double unknown = 1e300; // nothing found yet, no price: above every total

    Pruning(const Scenario& scenario, bool on)
        : m_scenario(scenario),
          m_on(on && growsWithGpus(scenario.objective) && !scenario.gpuCount && !scenario.replicas)
    {}

    // No service of this machine with replicas of this size or larger can matter.
    [[nodiscard]] bool over(const Deployment& d, const Layout& layout) const
    {
        if (!m_on)
            return false;
        const double least = total(d, layout.gpusPerReplica() * (1 + m_scenario.spares));
        return least > std::min(m_best, m_ofMachine) * kept || (least > m_ofMachine && least < unknown);
    }
    void found(const Candidate& c)
    {
        if (m_on && c.meets)
            m_ofMachine = std::min(m_ofMachine, total(c.deployment, c.gpus()));
    }
    // Of a machine: `judged` without those that are over, by what is known of all machines before; what they
    // and it are is known then.
    void keep(std::vector<Candidate>& judged)
    {
        Pruning its = *this;
        const auto over = std::find_if(judged.begin(), judged.end(), [&its](const Candidate& c) {
            if (its.over(c.machine->deployment, c.deployment.layout))
                return true;
            its.found(c);
            return false;
        });
        judged.erase(over, judged.end());
        m_best = std::min(m_best, its.m_ofMachine);
    }

private:
    [[nodiscard]] double total(const Deployment& d, int gpus) const
    {
        if (m_scenario.objective == Objective::FewestGpus)
            return gpus;
        const int perNode = std::max(1, d.node->gpusPerNode);
        const auto hour = paidHour(d, gpus, (gpus + perNode - 1) / perNode);
        return hour ? perHour(*hour) : unknown;
    }

    const Scenario& m_scenario;
    bool m_on;
    double m_best = unknown; // of machines before
    double m_ofMachine = unknown;
};

// What pruning takes, and perhaps more: `before` is of some of the machines before this one.
std::vector<Candidate> judgedOf(const std::shared_ptr<const Resolved>& machine, const Scenario& scenario,
                                Pruning before, Depth depth)
{
    std::vector<Candidate> out;
    for (const Layout& layout : possibleLayouts(*machine, scenario)) {
        if (before.over(machine->deployment, layout))
            break; // layouts come by size
        out.push_back(judge(machine, layout, scenario, false, depth));
        before.found(out.back());
    }
    return out;
}

} // namespace

std::vector<Candidate> searchMachines(const std::vector<std::shared_ptr<const Resolved>>& machines,
                                      const Scenario& scenario, bool prune, Depth depth, std::size_t threads)
{
    if (prune)
        depth = Depth::Verdict;
    // Large memory first: a good answer early leaves out the most.
    std::vector<std::shared_ptr<const Resolved>> order = machines;
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
        return a->deployment.gpu->memoryUsable > b->deployment.gpu->memoryUsable;
    });
    std::vector<std::vector<Candidate>> found(order.size());
    Pruning pruning(scenario, prune);
    std::mutex mutex; // of what follows
    std::vector<bool> judged(order.size());
    std::size_t known = 0; // machines, from the first on
    forEachAtOnce(order.size(), threads, [&](std::size_t i) {
        const Pruning before = [&] {
            const std::lock_guard lock(mutex);
            return pruning;
        }();
        std::vector<Candidate> ofMachine = judgedOf(order[i], scenario, before, depth);
        const std::lock_guard lock(mutex);
        found[i] = std::move(ofMachine);
        for (judged[i] = true; known < order.size() && judged[known]; ++known)
            pruning.keep(found[known]);
    });
    if (depth == Depth::Whole)
        forEachAtOnce(order.size(), threads, [&](std::size_t i) {
            std::vector<Candidate> larger = withMoreReplicas(found[i], scenario);
            std::move(larger.begin(), larger.end(), std::back_inserter(found[i]));
        });
    std::vector<Candidate> out;
    for (std::vector<Candidate>& ofMachine : found)
        std::move(ofMachine.begin(), ofMachine.end(), std::back_inserter(out));
    return bestFirst(std::move(out), scenario.objective);
}

} // namespace headroom
