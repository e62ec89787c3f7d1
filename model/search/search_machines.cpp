#include "model/resolve/money.h"
#include "model/search/judge.h"
#include "model/search/layouts.h"
#include "model/search/more_replicas.h"
#include "model/search/ranking.h"
#include "model/search/search.h"

#include <algorithm>
#include <iterator>

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

    void machine() { m_ofMachine = unknown; }
    // No service of this machine with replicas of this size or larger can matter.
    [[nodiscard]] bool over(const Deployment& d, const Layout& layout) const
    {
        const double least = total(d, layout.gpusPerReplica() * (1 + m_scenario.spares));
        return m_on && (least > m_best * kept || (least > m_ofMachine && least < unknown));
    }
    void found(const Candidate& c)
    {
        if (!c.meets)
            return;
        const double sum = total(c.deployment, c.gpus());
        m_best = std::min(m_best, sum);
        m_ofMachine = std::min(m_ofMachine, sum);
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
    double m_best = unknown;
    double m_ofMachine = unknown;
};

} // namespace

std::vector<Candidate> searchMachines(const std::vector<std::shared_ptr<const Resolved>>& machines,
                                      const Scenario& scenario, bool prune, Depth depth)
{
    if (prune)
        depth = Depth::Verdict;
    // Large memory first: a good answer early leaves out the most.
    std::vector<std::shared_ptr<const Resolved>> order = machines;
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
        return a->deployment.gpu->memoryUsable > b->deployment.gpu->memoryUsable;
    });
    std::vector<Candidate> out;
    Pruning pruning(scenario, prune);
    for (const auto& machine : order) {
        pruning.machine();
        std::vector<Candidate> ofMachine;
        for (const Layout& layout : possibleLayouts(*machine, scenario)) {
            if (pruning.over(machine->deployment, layout))
                break; // layouts come by size
            ofMachine.push_back(judge(machine, layout, scenario, false, depth));
            pruning.found(ofMachine.back());
        }
        std::vector<Candidate> larger
            = depth == Depth::Whole ? withMoreReplicas(ofMachine, scenario) : std::vector<Candidate>();
        for (std::vector<Candidate>* found : {&ofMachine, &larger})
            out.insert(out.end(), std::make_move_iterator(found->begin()),
                       std::make_move_iterator(found->end()));
    }
    return bestFirst(std::move(out), scenario.objective);
}

} // namespace headroom
