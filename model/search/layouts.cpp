#include "model/search/layouts.h"

#include "model/count/weights.h"
#include "model/resolve/resolve.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <initializer_list>
#include <tuple>

namespace headroom {

namespace {

// Sizes worth trying: every size inside a box that the model's heads allow, powers of two and whole multiples
// beyond.
constexpr std::array sizes{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 24, 32, 36, 48, 64, 72, 96, 128};

// A few of the sizes, or one that was given.
class Choices {
public:
    Choices(std::initializer_list<int> given) : m_count(given.size())
    {
        std::copy(given.begin(), given.end(), m_values.begin());
    }
    void add(int size) { m_values[m_count++] = size; }
    [[nodiscard]] const int* begin() const { return m_values.data(); }
    [[nodiscard]] const int* end() const { return m_values.data() + m_count; }

private:
    std::array<int, sizes.size()> m_values{};
    std::size_t m_count;
};

Choices choices(const std::optional<int>& fixed, bool able, int most)
{
    if (fixed)
        return {*fixed};
    Choices out{1};
    for (const int size : sizes)
        if (able && size > 1 && size <= most)
            out.add(size);
    return out;
}

// Experts are kept whole on each rank (1) or spread over all ranks of the stage: engines know no size
// between.
Choices expertChoices(const Deployment& machine, const Scenario& scenario, int tp, int dp)
{
    if (scenario.ep)
        return {*scenario.ep};
    if (!machine.llm->hasExperts() || !machine.engine->expertParallel || tp * dp == 1)
        return {1};
    return dp > 1 ? Choices{tp * dp} : Choices{1, tp};
}

// Every layer exchanges all tokens twice: published servers go over boxes so with two of eight GPUs at most
// (DeepSeek on H800 and H20, Llama 405B on H100), or with as many boxes of one (DGX Spark).
constexpr int widestTensor = 16;

// Further copies where that many ranks would not share the experts evenly: the fewest that make them do.
// Engines balance experts so where they spread them wide; a few ranks take a size that divides.
int redundantExperts(const Deployment& machine, const Scenario& scenario, int ep)
{
    constexpr int wide = 16;
    if (scenario.redundantExperts > 0 || ep < wide || !machine.engine->balancesExperts)
        return scenario.redundantExperts;
    for (const LayerKind& kind : machine.llm->kinds)
        if (kind.mlp.kind == MlpKind::Moe)
            return kind.mlp.experts >= ep ? (ep - kind.mlp.experts % ep) % ep : 0;
    return 0;
}

} // namespace

bool takesWholeBoxes(const Deployment& machine, const Scenario& scenario)
{
    const bool open = !scenario.gpuCount && !scenario.tp && !scenario.pp && !scenario.dp;
    return open && machine.node->intra.topology == LinkTopology::Switch;
}

std::vector<Layout> possibleLayouts(const Deployment& machine, const Scenario& scenario)
{
    const Engine& engine = *machine.engine;
    const int box = std::max(1, machine.node->gpusPerNode);
    const bool moe = machine.llm->hasExperts();
    // Stated replicas share the stated GPUs.
    const int most = std::min(
        scenario.gpuCount ? std::max(1, *scenario.gpuCount / std::max(1, scenario.replicas.value_or(1)))
                          : mostGpusPerReplica,
        mostGpusPerReplica);
    const bool spreads = engine.dataParallelAttention && moe;
    const auto layers = static_cast<int>(machine.llm->layerCount());
    std::vector<Layout> out;
    for (const int tp :
         choices(scenario.tp, engine.tensorParallel, std::min(most, std::max(box, widestTensor)))) {
        // Over boxes it takes whole ones, and is not split further.
        const bool alone = tp > box && !scenario.tp;
        if (alone && tp % box != 0)
            continue;
        // What heads and columns refuse no other split mends; experts may be kept whole instead.
        if (!moe && !layoutObstacle(*machine.llm, {.tp = tp}).empty())
            continue;
        for (const int pp :
             choices(scenario.pp, engine.pipelineParallel && !alone, std::min({most / tp, layers, 16})))
            for (const int dp : choices(scenario.dp, spreads && pp == 1 && !alone, most / (tp * pp)))
                for (const int ep : expertChoices(machine, scenario, tp, dp)) {
                    const Layout layout{.tp = tp,
                                        .pp = pp,
                                        .ep = ep,
                                        .dp = dp,
                                        .redundantExperts = redundantExperts(machine, scenario, ep)};
                    if (layout.gpusPerReplica() > box && machine.node->inter.perGpuPerDirection.base() <= 0)
                        continue; // no network between the boxes
                    const bool fixed = scenario.tp && scenario.pp && scenario.dp;
                    if (!fixed && layout.gpusPerReplica() > most)
                        continue;
                    // Stages and data-parallel ranks fill boxes evenly, so that every group stays inside one.
                    const bool even = tp > box || box % tp == 0 || layout.gpusPerReplica() <= box;
                    const bool whole = !takesWholeBoxes(machine, scenario) || layout.gpusPerReplica() <= box
                        || layout.gpusPerReplica() % box == 0;
                    if ((fixed || even) && whole && layoutObstacle(*machine.llm, layout).empty())
                        out.push_back(layout);
                }
    }
    std::stable_sort(out.begin(), out.end(), [](const Layout& a, const Layout& b) {
        return std::tuple(a.gpusPerReplica(), a.pp, a.dp, a.ep)
            < std::tuple(b.gpusPerReplica(), b.pp, b.dp, b.ep);
    });
    return out;
}

std::vector<Layout> possibleLayouts(const Resolved& machine, const Scenario& scenario)
{
    std::vector<Layout> out = possibleLayouts(machine.deployment, scenario);
    std::erase_if(out, [&](const Layout& layout) { return layout.gpusPerReplica() <= machine.smallerBox; });
    return out;
}

Message whyNoLayout(const Deployment& machine, const Scenario& scenario)
{
    const Layout wish{.tp = scenario.tp.value_or(1),
                      .pp = scenario.pp.value_or(1),
                      .ep = scenario.ep.value_or(1),
                      .dp = scenario.dp.value_or(1),
                      .redundantExperts = scenario.redundantExperts};
    if (Message obstacle = layoutObstacle(*machine.llm, wish); !obstacle.empty())
        return obstacle;
    if (scenario.gpuCount && wish.gpusPerReplica() > *scenario.gpuCount)
        return say("the layout needs {} GPUs, there are {}", wish.gpusPerReplica(), *scenario.gpuCount);
    return possibleLayouts(machine, scenario).empty() ? Message("no layout divides this model") : Message();
}

} // namespace headroom
