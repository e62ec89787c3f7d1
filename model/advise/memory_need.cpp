#include "model/advise/memory_need.h"

#include "model/advise/narrower_types.h"
#include "model/count/cache.h"
#include "model/scenario/alternatives.h"
#include "model/search/layouts.h"
#include "model/yaml/catalogue.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <utility>

namespace headroom {

namespace {

// What people have or rent, one of each size of memory and the two that most have of 80 GB.
constexpr std::array usual{"geforce-rtx-4090", "l40s",           "a100-sxm-80gb",  "h100-sxm-80gb",
                           "h200-sxm-141gb",   "b200-sxm-180gb", "instinct-mi300x"};

MemoryDemand demandOf(const Load& load, double users, double context)
{
    return {.sequences = users,
            .meanContext = context, // at the end of its life: what must never be missing
            .maxContext = context,
            .batchedTokens = load.batchedTokens,
            .memoryFraction = load.memoryFraction};
}

// By bisection: a longer context never takes less.
double longestContext(const MemoryPlanner& planner, const Load& load, double users, double most)
{
    const auto fits
        = [&](double context) { return planner.plan(demandOf(load, users, std::floor(context))).fits; };
    if (!fits(1))
        return 0;
    if (fits(most))
        return most;
    double low = 1;
    double high = most;
    while (high - low > 1) {
        const double middle = std::floor((low + high) / 2);
        (fits(middle) ? low : high) = middle;
    }
    return low;
}

class Need {
public:
    Need(const Scenario& scenario, const Catalogue& catalogue) : m_scenario(scenario), m_catalogue(catalogue)
    {}

    Result<MemoryNeed> counted() &&
    {
        m_out.users = std::max(1.0, m_scenario.concurrency.value_or(m_scenario.batch.value_or(1)));
        m_out.context = m_scenario.prompt.mean() + m_scenario.output.mean();
        m_out.machineStated = m_scenario.gpuCount || !m_scenario.gpuCounts.empty();
        Problems problems;
        const bool named = !m_scenario.gpus.empty();
        const std::size_t kinds = named ? m_scenario.gpus.size() : usual.size();
        for (std::size_t i = 0; i < kinds; ++i) {
            Scenario one = named ? ofOneMachine(m_scenario, i) : m_scenario;
            if (!named)
                one.gpus = {usual.at(i)};
            auto machine = resolveMachine(one, m_catalogue);
            if (machine)
                hold(std::make_shared<const Resolved>(*std::move(machine)));
            else
                std::copy_if(machine.error().begin(), machine.error().end(), std::back_inserter(problems),
                             [&](const Problem& problem) {
                                 return std::find(problems.begin(), problems.end(), problem)
                                     == problems.end();
                             });
        }
        if (m_machines.empty() || (named && !problems.empty()))
            return refuse(std::move(problems));
        std::stable_sort(
            m_out.holders.begin(), m_out.holders.end(), [](const MemoryHolder& a, const MemoryHolder& b) {
                const auto rank = [](const MemoryHolder& h) {
                    return std::pair(h.deployment.layout.gpusPerReplica(), h.plan.perGpu.capacity.base());
                };
                return rank(a) < rank(b);
            });
        // Steps, and so activations, are as large as the card lets them be: those of the answer.
        const auto held = std::find_if(m_out.holders.begin(), m_out.holders.end(),
                                       [](const MemoryHolder& h) { return h.plan.fits; });
        count(held != m_out.holders.end() ? held->machine : m_machines.front());
        otherTypes();
        return std::move(m_out);
    }

private:
    void hold(const std::shared_ptr<const Resolved>& machine)
    {
        m_machines.push_back(machine);
        const Scenario& s = machine->scenario;
        constexpr double unlimited = 1 << 20;
        const auto published = static_cast<double>(machine->deployment.llm->maxContext);
        const double longest = std::max(published > 0 ? published : unlimited, m_out.context);
        std::optional<MemoryHolder> best;
        const std::vector<Layout> layouts = possibleLayouts(*machine, s);
        const auto tryThose = [&](auto&& among) {
            for (const Layout& layout : layouts) {
                Deployment deployment = machine->deployment;
                deployment.layout = layout;
                if (!among(layout) || !layoutProblems(deployment).empty())
                    continue;
                const MemoryPlanner planner(deployment);
                MemoryHolder one{machine, deployment,
                                 planner.plan(demandOf(machine->load, m_out.users, m_out.context)), 0};
                if (!one.plan.fits && !s.gpuCount)
                    continue;
                one.longestContext = longestContext(planner, machine->load, m_out.users, longest);
                if (!best || roomier(one, *best))
                    best = std::move(one);
                if (!s.gpuCount)
                    break; // fewest first
            }
        };
        // Five of the eight modules of a box, or cards behind its switch, hold a model in stages, but nobody
        // rents them so.
        const Deployment& one = machine->deployment;
        const int box = one.node->gpusPerNode;
        if (!s.gpuCount && !s.pp
            && (one.gpu->soldAs() == SoldAs::Box || one.node->intra.topology == LinkTopology::Switch))
            tryThose([&](const Layout& layout) { return layout.pp == 1 || layout.gpusPerReplica() > box; });
        if (!best)
            tryThose([](const Layout&) { return true; });
        if (best)
            m_out.holders.push_back(*std::move(best));
    }

    // Of so many GPUs the split that leaves the longest contexts, and if none runs, that lacks least.
    [[nodiscard]] static bool roomier(const MemoryHolder& a, const MemoryHolder& b)
    {
        if (a.deployment.layout.gpus() != b.deployment.layout.gpus()) // of those that are there, all
            return a.deployment.layout.gpus() > b.deployment.layout.gpus();
        if (a.longestContext != b.longestContext)
            return a.longestContext > b.longestContext;
        const auto missing = [](const MemoryHolder& h) {
            return h.plan.fits ? 0.0 : (h.plan.perGpu.used - h.plan.perGpu.usable).base();
        };
        return missing(a) < missing(b);
    }

    void count(const std::shared_ptr<const Resolved>& machine)
    {
        m_out.machine = machine;
        Deployment whole = machine->deployment;
        whole.layout = {};
        const MemoryPlanner planner(whole);
        const MemoryPlan all = planner.plan(demandOf(machine->load, m_out.users, m_out.context));
        m_out.weightType = whole.weights;
        m_out.kvType = whole.kv;
        m_out.weights = all.perGpu.weights;
        m_out.kvOfToken = all.kvBytesPerToken;
        m_out.kv = all.perGpu.kv;
        m_out.kvOfUser = planner.plan(demandOf(machine->load, 1, m_out.context)).perGpu.kv;
        m_out.activation = all.perGpu.activation;
        m_out.runtime = all.perGpu.runtime;
        countWindows();
        // Nothing is priced here, nor told to draw power.
        for (const Remark& remark : machine->warnings)
            if (remark.kind != RemarkKind::Price && remark.kind != RemarkKind::Power)
                m_out.warnings.push_back(remark.text);
    }

    // Why a long context takes less than its tokens times what one takes.
    void countWindows()
    {
        const Llm& llm = m_out.llm();
        for (std::size_t kind = 0; kind < llm.kinds.size(); ++kind) {
            const Mixer& mixer = llm.kinds[kind].mixer;
            const auto layers = static_cast<int>(llm.layersOfKind(kind));
            if (const std::int64_t cap = cacheCap(mixer); cap > 0) {
                m_out.windowedLayers += layers;
                m_out.window = std::max(m_out.window, cap);
            } else {
                m_out.kvOfTokenBeyond += layerKvBytesPerToken(mixer, m_out.kvType, 1) * double(layers);
            }
        }
    }

    void otherTypes()
    {
        Deployment whole = m_out.machine->deployment;
        whole.layout = {};
        for (const DType type : narrowerWeights(*whole.engine, m_out.weightType)) {
            whole.weights = type;
            const MemoryPlan plan
                = planMemory(whole, demandOf(m_out.machine->load, m_out.users, m_out.context));
            if (m_out.other.empty() || m_out.other.back().weights > plan.perGpu.weights * 1.01)
                m_out.other.push_back({type, plan.perGpu.weights});
        }
    }

    const Scenario& m_scenario;
    const Catalogue& m_catalogue;
    std::vector<std::shared_ptr<const Resolved>> m_machines;
    MemoryNeed m_out;
};

} // namespace

bool MemoryNeed::holds() const
{
    return std::any_of(holders.begin(), holders.end(), [](const MemoryHolder& h) { return h.plan.fits; });
}

Result<MemoryNeed> memoryNeed(const Scenario& scenario, const Catalogue& catalogue)
{
    if (Problems names = wrongNames(scenario, catalogue); !names.empty())
        return refuse(std::move(names));
    return Need(scenario, catalogue).counted();
}

} // namespace headroom
