#pragma once

#include "calib/validate/engine_numbers.h"
#include "calib/validate/row_case.h"
#include "model/cost/step_cost.h"
#include "model/measured/measured_row.h"
#include "model/search/prompt_wait.h"
#include "model/serve/measures.h"

#include <string>

namespace headroom {

// What whole runs of an engine miss beyond the spread of their operators, as in its file.
struct EngineSpread {
    double prefill = 0;
    double decode = 0;
};

// What a measured run would have shown, all metrics at once: rows of one run share it.
struct RunFigures {
    std::string refused; // why there are none: does not fit, would never end
    serve::Spread ttft, tpot, interToken, latency;
    Seconds gapAtWork; // as in serve::Measures
    Seconds gap;
    double outputRate = 0; // tokens a second of the whole set-up
    double totalRate = 0;
    double requestRate = 0;
    double meanOutput = 1;
    double lnSpreadPrefill
        = 0; // standard deviation of ln(measured / predicted) that operators and engine answer for
    double lnSpreadDecode = 0;
    double lnSpreadFirst = 0; // of the former the engine's part
    Source source = Source::Prior;
    WaitingPrompt atPrompts; // of a service with two pools; else without a wait
    StepCost prefill;        // one prompt alone
    StepCost decode;         // the running batch
    double batch = 0;        // sequences in that batch, one replica
    double stepsPlayed = 0;  // of its engine, before a new request was in one
    double servers = 1;      // that take a request in, one after the other
};
// Through the simulator that `headroom simulate` runs, to the bit.
[[nodiscard]] RunFigures runFigures(const RowCase& run);
// For a fit, which tries many engines: the same with times of steps rounded to a grid of some per cent...
[[nodiscard]] RunFigures replayed(const RowCase& run);
// ...and what an engine does before it looks at a request on top: its host time, and by how many of its steps
// that is more than what was played.
[[nodiscard]] RunFigures admitted(RunFigures figures, const EngineTimes& engine);
// A row's figure alone of a run so admitted.
[[nodiscard]] double admittedValue(const RunFigures& figures, const RowCase& run, const MeasuredRow& row,
                                   const EngineTimes& engine);

// Share of the metric's time that prompts take: it decides whose spread counts.
[[nodiscard]] double prefillShare(const RunFigures& figures, Metric metric, Statistic statistic);
// Standard deviation of ln(measured / predicted); `engine` comes on top of what the figures hold already.
[[nodiscard]] double lnSpreadOf(const RunFigures& figures, const RowCase& run, Metric metric,
                                Statistic statistic, const EngineSpread& engine = {});
// The figure of a row, in its unit, with its interval.
[[nodiscard]] Estimate<double> figureOf(const RunFigures& figures, const RowCase& run, const MeasuredRow& row,
                                        const EngineSpread& engine = {});

// What no machine of this kind can exceed: the same run with every efficiency one and no overhead. For times
// the least, for rates the most.
[[nodiscard]] double physicalLimit(const RowCase& run, Metric metric);

} // namespace headroom
