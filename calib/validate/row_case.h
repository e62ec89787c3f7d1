#pragma once

#include "calib/validate/row_load.h"
#include "calib/validate/row_types.h"
#include "model/base/result.h"
#include "model/measured/measured_row.h"
#include "model/memory/memory_plan.h"
#include "model/resolve/resolve.h"
#include "model/scenario/scenario.h"
#include "model/yaml/catalogue.h"

#include <optional>
#include <string>
#include <variant>

namespace headroom {

// A measured row as a user would ask for it, and what came of the asking. Nothing else of the row reaches the
// prediction.
struct RowCase {
    Scenario scenario;               // every name an id, and the habits of the tool that measured
    Resolved machine;                // of that scenario
    std::optional<Resolved> prompts; // GPUs of their own for prompts
    RowLoad load;
    Message assumed;                  // what the row leaves out and was taken to be usual
    bool rateIncludesPrefill = false; // the row's "per user" rate divides by the whole time
    bool inTurn = false;              // requests go round robin to the servers, however busy they are
    bool answersAlone = false;        // prompts came from servers that the source does not state

    [[nodiscard]] const Deployment& deployment() const { return machine.deployment; }
    // The same run by another engine; `engine` must outlive it.
    [[nodiscard]] RowCase with(const Engine& engine) const;
};

// Memory of one replica with so many requests of the run's mean lengths.
[[nodiscard]] MemoryPlan memoryOf(const RowCase& run, double sequences);

// The case, or why this row cannot be predicted.
[[nodiscard]] std::variant<RowCase, Message> caseOf(const MeasuredRow& row, const Catalogue& catalogue);

// The flags of `headroom simulate` that ask for this run.
[[nodiscard]] std::string simulateCommand(const RowCase& run);

} // namespace headroom
