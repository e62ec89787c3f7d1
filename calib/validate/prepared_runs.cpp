#include "calib/validate/prepared_runs.h"

#include "calib/validate/engine_builds.h"
#include "calib/validate/row_engine.h"
#include "model/base/at_once.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <string>

namespace headroom {
namespace {

// Rows of one run ask for the same replay. The build's version widens ranges and changes no figure: two
// builds that are predicted alike are no alternatives.
std::string keyOf(RowCase run)
{
    run.scenario.engineVersion.clear();
    return fmt::format("{}|{}|{}|{}", simulateCommand(run), int(run.load.kind), run.load.amount,
                       run.load.finiteRequests);
}

void nameAccelerator(JudgedRow& judged, const std::string& id, const Catalogue& catalogue)
{
    judged.gpu = id;
    if (const auto gpu = catalogue.gpu(id)) {
        judged.vendor = (*gpu)->vendor;
        judged.generation = (*gpu)->family;
    }
}

// Rows that cannot be predicted are counted with the others of their accelerator, model and engine.
void nameWhatIsKnown(JudgedRow& judged, const Catalogue& catalogue)
{
    if (const auto gpu = catalogue.findGpu(judged.row.gpu))
        nameAccelerator(judged, gpu->id, catalogue);
    if (const auto model = catalogue.findModel(judged.row.model); model && model->isNamed())
        judged.model = model->id;
    if (const auto engine = engineOf(catalogue, judged.row.engine, judged.row.engineVersion))
        judged.engine = (*engine)->id;
}

// The engine whose numbers the run has: its preset, or its build for the accelerator's family or platform.
std::string classOf(const RowCase& run, const Catalogue& catalogue)
{
    const Gpu& gpu = *run.deployment().gpu;
    const auto preset = catalogue.engine(run.scenario.engine);
    if (preset)
        for (const EngineOnFamilies& on : (*preset)->onFamilies)
            if (on.holdsFor(gpu.family, gpu.platform))
                return buildName(**preset, on);
    return run.deployment().engine->id;
}

// What decides its time beside the cards themselves.
std::string_view regimeOf(const RowCase& run)
{
    const Deployment& d = run.deployment();
    constexpr int wide = 16; // ranks that share the experts of one replica
    if (run.prompts && !run.answersAlone)
        return "split pools";
    if (d.layout.pp > 1)
        return "pipeline";
    if (d.layout.ep >= wide)
        return "wide expert parallelism";
    if (d.layout.gpusPerReplica() > d.node->gpusPerNode)
        return "several boxes";
    const LinkTopology topology = d.node->intra.topology;
    if (d.layout.gpusPerReplica() > 1 && (topology == LinkTopology::Pcie || topology == LinkTopology::Pairs))
        return "GPUs on PCIe";
    return "one box";
}

} // namespace

double workOf(const RowCase& run) { return double(run.scenario.requests) * run.load.output.mean(); }

PreparedRuns prepareRuns(const std::vector<MeasuredRow>& rows, const Catalogue& catalogue)
{
    PreparedRuns out;
    std::map<std::string, std::size_t> known;
    for (const MeasuredRow& row : rows) {
        JudgedRow judged{.row = row};
        auto found = caseOf(row, catalogue);
        if (const Message* why = std::get_if<Message>(&found)) {
            judged.whySkipped = *why;
            nameWhatIsKnown(judged, catalogue);
            out.runOf.emplace_back();
            out.cases.emplace_back();
        } else {
            const RowCase& run = std::get<RowCase>(found);
            nameAccelerator(judged, run.deployment().gpu->id, catalogue);
            judged.model = run.deployment().llm->id;
            judged.engine = classOf(run, catalogue);
            judged.run = runName(run.load.kind);
            judged.regime = regimeOf(run);
            judged.assumed = run.assumed;
            const auto [place, fresh] = known.try_emplace(keyOf(run), out.runs.size());
            if (fresh)
                out.runs.push_back(run);
            out.runOf.emplace_back(place->second);
            judged.readAs = place->second;
            out.cases.emplace_back(run);
        }
        out.rows.push_back(std::move(judged));
    }
    return out;
}

std::vector<RunFigures> replayAll(const std::vector<RowCase>& runs, const std::vector<std::size_t>& places,
                                  const Replay& replay, const RunControl& control)
{
    // The longest first, so that no thread is left with one at the end.
    std::vector<std::size_t> order(places.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return workOf(runs[places[a]]) > workOf(runs[places[b]]);
    });
    std::vector<RunFigures> figures(places.size());
    forEachAtOnce(order.size(), threadsOfMachine(), [&](std::size_t i) {
        if (!control.stop.stop_requested())
            figures[order[i]] = replay(runs[places[order[i]]]);
    });
    return figures;
}

} // namespace headroom
