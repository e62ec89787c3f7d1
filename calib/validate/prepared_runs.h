#pragma once

#include "calib/validate/run_figures.h"
#include "model/base/run_control.h"
#include "model/measured/judged_row.h"
#include "model/yaml/catalogue.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

namespace headroom {

// Measured rows beside the runs they come from. Rows of one run share its replay.
struct PreparedRuns {
    std::vector<JudgedRow> rows;                   // in the order they were given
    std::vector<std::optional<std::size_t>> runOf; // of each row; none where the row cannot be predicted
    std::vector<std::optional<RowCase>> cases;     // of each row
    std::vector<RowCase> runs;
};
[[nodiscard]] PreparedRuns prepareRuns(const std::vector<MeasuredRow>& rows, const Catalogue& catalogue);

// What a replay takes, to compare runs by: tokens of all answers.
[[nodiscard]] double workOf(const RowCase& run);

// These of the runs by one of the functions of run_figures.h, on all processors; the figures in the order of
// `places`.
using Replay = std::function<RunFigures(const RowCase& run)>;
[[nodiscard]] std::vector<RunFigures> replayAll(const std::vector<RowCase>& runs,
                                                const std::vector<std::size_t>& places, const Replay& replay,
                                                const RunControl& control = {});

} // namespace headroom
