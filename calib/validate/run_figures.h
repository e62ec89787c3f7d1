#pragma once

#include "calib/validate/engine_numbers.h"
#include "calib/validate/row_case.h"
#include "model/measured/measured_row.h"
#include "model/ranges/served_spread.h"

#include <string>

namespace headroom {

// What a measured run would have shown, all metrics at once: rows of one run share it.
struct RunFigures : ServedFigures {
    Message refused;       // why there are none: does not fit, would never end
    double outputRate = 0; // tokens a second of the whole set-up
    double totalRate = 0;
    double requestRate = 0;
    double meanOutput = 1;
    double stepsPlayed = 0; // of its engine, before a new request was in one
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

// The run, as its ranges ask for it.
[[nodiscard]] PlayedRun playedRun(const RowCase& run);
// The figure of a row, in its unit, with its interval.
[[nodiscard]] Estimate<double> figureOf(const RunFigures& figures, const RowCase& run, const MeasuredRow& row,
                                        const EngineSpread& engine = {});

// What no machine of this kind can exceed: the same run with every efficiency one and no overhead. For times
// the least, for rates the most.
[[nodiscard]] double physicalLimit(const RowCase& run, Metric metric);

} // namespace headroom
