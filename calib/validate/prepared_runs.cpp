#include "calib/validate/prepared_runs.h"

#include <algorithm>
#include <atomic>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <string>
#include <thread>

namespace headroom {
namespace {

std::string keyOf(const LengthDistribution& lengths)
{
    return fmt::format("{}:{}:{}:{}", int(lengths.kind), lengths.mean(), lengths.low, lengths.high);
}

// Rows of one run ask for the same replay.
std::string keyOf(const RowCase& run)
{
    const Deployment& d = run.deployment;
    return fmt::format("{}|{}|{}|{}|{}.{}.{}.{}.{}|{}|{}|{}|{}|{}|{}|{}|{}.{}.{}.{}", d.llm->id, d.gpu->id,
                       d.node->id, d.engine->id, d.layout.tp, d.layout.pp, d.layout.ep, d.layout.dp,
                       d.layout.replicas, int(d.weights), int(d.kv), int(run.kind), run.amount,
                       run.finiteRequests, keyOf(run.prompt), keyOf(run.output),
                       run.options.batchedTokens.value_or(0), run.options.sequences.value_or(0),
                       run.options.memoryFraction.value_or(0), run.options.receiveInterval.value_or(0));
}

// Rows that cannot be predicted are counted with the others of their accelerator, model and engine.
void nameWhatIsKnown(JudgedRow& judged, const Catalogue& catalogue)
{
    if (const auto gpu = catalogue.findGpu(judged.row.gpu))
        judged.gpu = gpu->id;
    if (const auto model = catalogue.findModel(judged.row.model); model && model->isNamed())
        judged.model = model->id;
    if (const auto engine = engineOf(catalogue, judged.row.engine, judged.row.engineVersion))
        judged.engine = (*engine)->id;
}

} // namespace

PreparedRuns prepareRuns(const std::vector<MeasuredRow>& rows, const Catalogue& catalogue)
{
    PreparedRuns out;
    std::map<std::string, std::size_t> known;
    for (const MeasuredRow& row : rows) {
        JudgedRow judged{.row = row};
        auto found = caseOf(row, catalogue);
        if (const std::string* why = std::get_if<std::string>(&found)) {
            judged.whySkipped = *why;
            nameWhatIsKnown(judged, catalogue);
            out.runOf.emplace_back();
            out.cases.emplace_back();
        } else {
            const RowCase& run = std::get<RowCase>(found);
            judged.gpu = run.deployment.gpu->id;
            judged.model = run.deployment.llm->id;
            judged.engine = run.deployment.engine->id;
            judged.run = runName(run.kind);
            judged.assumed = run.assumed;
            const auto [place, fresh] = known.try_emplace(keyOf(run), out.runs.size());
            if (fresh)
                out.runs.push_back(run);
            out.runOf.emplace_back(place->second);
            out.cases.emplace_back(run);
        }
        out.rows.push_back(std::move(judged));
    }
    return out;
}

std::vector<RunFigures> replayAll(const std::vector<RowCase>& runs, Replay replay, const RunControl& control)
{
    // The longest first, so that no thread is left with one at the end.
    std::vector<std::size_t> order(runs.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return runs[a].amount * runs[a].output.mean() > runs[b].amount * runs[b].output.mean();
    });
    std::vector<RunFigures> figures(runs.size());
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t i = next++; i < order.size() && !control.stop.stop_requested(); i = next++)
            figures[order[i]] = replay(runs[order[i]]);
    };
    {
        std::vector<std::jthread> threads;
        for (unsigned i = 1; i < std::max(1U, std::thread::hardware_concurrency()); ++i)
            threads.emplace_back(work);
        work();
    }
    return figures;
}

} // namespace headroom
