#include "calib/validate/validation.h"

#include "calib/validate/contradicting_rows.h"

#include <algorithm>
#include <numeric>
#include <string>

namespace headroom {
namespace {

// Beyond rounding and clocks that boost above the datasheet.
constexpr double overLimit = 1.03;

bool beatsPhysics(const RowCase& run, const MeasuredRow& row)
{
    const double limit = physicalLimit(run, row.metric);
    const bool time = row.metric == Metric::Ttft || row.metric == Metric::Tpot
        || row.metric == Metric::InterToken || row.metric == Metric::Latency;
    return time ? row.value * overLimit < limit : row.value > limit * overLimit;
}

Message causeOf(const JudgedRow& judged, const RunFigures& f)
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
        return error < 0 ? say("engine: waiting or admission takes longer than replayed")
                         : say("engine: prompts overlap more than replayed");
    if (host > 0.25)
        return "engine: host time is a large part of a step";
    if (link > 0.25)
        return "operators: collectives are a large part of a step";
    if (f.source == Source::Prior)
        return "operators: priors only";
    return error < 0 ? say("engine: more overhead than its preset says")
                     : say("data or engine: tuned beyond the preset");
}

void judge(JudgedRow& out, const RowCase& run, const RunFigures& figures)
{
    if (!figures.refused.empty()) {
        out.whySkipped = figures.refused;
        return;
    }
    out.predicted = figureOf(figures, run, out.row);
    if (!(out.predicted.value > 0) || !(out.row.value > 0)) {
        out.whySkipped = "no positive figure to compare";
        return;
    }
    out.impossible = beatsPhysics(run, out.row);
    if (out.impossible)
        out.whySkipped = "better than the hardware allows: an error of the measurement or of its description";
    else if (out.row.notes.find("tier=C") != std::string::npos)
        out.whySkipped = "marked as anomalous or ambiguous by its collector";
    out.used = out.whySkipped.empty();
    out.cause = causeOf(out, figures);
}

} // namespace

ValidationReport validate(const std::vector<MeasuredRow>& rows, const Catalogue& catalogue,
                          const RunControl& control)
{
    return validate(prepareRuns(rows, catalogue), control);
}

ValidationReport validate(PreparedRuns prepared, const RunControl& control)
{
    std::vector<std::size_t> every(prepared.runs.size());
    std::iota(every.begin(), every.end(), std::size_t{0});
    const std::vector<RunFigures> figures = replayAll(prepared.runs, every, runFigures, control);
    for (std::size_t i = 0; i < prepared.rows.size(); ++i)
        if (prepared.runOf[i])
            judge(prepared.rows[i], *prepared.cases[i], figures[*prepared.runOf[i]]);
    markContradictions(prepared);
    return reportOf(std::move(prepared.rows));
}

} // namespace headroom
