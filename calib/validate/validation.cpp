#include "calib/validate/validation.h"

#include "calib/validate/run_figures.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <optional>
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
    return fmt::format("{}|{}|{}|{}|{}.{}.{}.{}.{}|{}|{}|{}|{}|{}|{}|{}|{}.{}.{}", d.llm->id, d.gpu->id,
                       d.node->id, d.engine->id, d.layout.tp, d.layout.pp, d.layout.ep, d.layout.dp,
                       d.layout.replicas, int(d.weights), int(d.kv), int(run.kind), run.amount,
                       run.finiteRequests, keyOf(run.prompt), keyOf(run.output),
                       run.options.batchedTokens.value_or(0), run.options.sequences.value_or(0),
                       run.options.memoryFraction.value_or(0));
}

struct Run {
    RowCase run;
    RunFigures figures;
};

void replayAll(std::vector<Run*>& runs, const RunControl& control)
{
    // The longest first, so that no thread is left with one at the end.
    std::stable_sort(runs.begin(), runs.end(), [](const Run* a, const Run* b) {
        return a->run.amount * a->run.output.mean() > b->run.amount * b->run.output.mean();
    });
    std::atomic<std::size_t> next = 0;
    std::atomic<std::size_t> done = 0;
    const auto work = [&] {
        for (std::size_t i = next++; i < runs.size() && !control.stop.stop_requested(); i = next++) {
            runs[i]->figures = runFigures(runs[i]->run);
            ++done;
        }
    };
    std::vector<std::jthread> threads;
    for (unsigned i = 1; i < std::max(1U, std::thread::hardware_concurrency()); ++i)
        threads.emplace_back(work);
    work();
}

// Beyond rounding and clocks that boost above the datasheet.
constexpr double overLimit = 1.03;

bool beatsPhysics(const RowCase& run, const MeasuredRow& row)
{
    const double limit = physicalLimit(run, row.metric);
    const bool time
        = row.metric == Metric::Ttft || row.metric == Metric::Tpot || row.metric == Metric::Latency;
    return time ? row.value * overLimit < limit : row.value > limit * overLimit;
}

std::string causeOf(const JudgedRow& judged, const RunFigures& f)
{
    const double error = judged.error();
    const double host = f.decode.host.base() / std::max(f.decode.rate.value.base(), 1e-12);
    const double link = f.decode.link.base() / std::max(f.decode.rate.value.base(), 1e-12);
    const bool prompt = judged.row.metric == Metric::Ttft;
    if (judged.row.engineVersion.empty())
        return "engine: its version is not stated";
    if (f.source >= Source::SameFamily)
        return "operators: not timed on this accelerator";
    if (prompt && judged.run != "static batch")
        return error < 0 ? "engine: waiting or admission takes longer than replayed"
                         : "engine: prompts overlap more than replayed";
    if (host > 0.25)
        return "engine: host time is a large part of a step";
    if (link > 0.25)
        return "operators: collectives are a large part of a step";
    if (f.source == Source::Prior)
        return "operators: priors only";
    return error < 0 ? "engine: more overhead than its preset says"
                     : "data or engine: tuned beyond the preset";
}

} // namespace

ValidationReport validate(const std::vector<MeasuredRow>& rows, const Catalogue& catalogue,
                          const RunControl& control)
{
    std::map<std::string, Run> runs;
    std::vector<JudgedRow> judged;
    std::vector<Run*> runOf;
    std::vector<std::optional<RowCase>> cases;
    for (const MeasuredRow& row : rows) {
        JudgedRow out{.row = row};
        auto found = caseOf(row, catalogue);
        if (const std::string* why = std::get_if<std::string>(&found)) {
            out.whySkipped = *why;
            runOf.push_back(nullptr);
            cases.emplace_back();
        } else {
            const RowCase& run = std::get<RowCase>(found);
            out.gpu = run.deployment.gpu->id;
            out.model = run.deployment.llm->id;
            out.engine = run.deployment.engine->id;
            out.run = runName(run.kind);
            runOf.push_back(&runs.try_emplace(keyOf(run), Run{.run = run, .figures = {}}).first->second);
            cases.emplace_back(run);
        }
        judged.push_back(std::move(out));
    }
    std::vector<Run*> all;
    for (auto& [key, run] : runs)
        all.push_back(&run);
    replayAll(all, control);

    for (std::size_t i = 0; i < judged.size(); ++i) {
        JudgedRow& out = judged[i];
        if (!runOf[i])
            continue;
        const RunFigures& figures = runOf[i]->figures;
        if (!figures.refused.empty()) {
            out.whySkipped = figures.refused;
            continue;
        }
        out.predicted = figureOf(figures, *cases[i], out.row.metric);
        if (!(out.predicted.value > 0) || !(out.row.value > 0)) {
            out.whySkipped = "no positive figure to compare";
            continue;
        }
        out.impossible = beatsPhysics(*cases[i], out.row);
        if (out.impossible)
            out.whySkipped
                = "better than the hardware allows: an error of the measurement or of its description";
        else if (out.row.notes.find("tier=C") != std::string::npos)
            out.whySkipped = "marked as anomalous or ambiguous by its collector";
        out.used = out.whySkipped.empty();
        out.cause = causeOf(out, figures);
    }
    return reportOf(std::move(judged));
}

} // namespace headroom
