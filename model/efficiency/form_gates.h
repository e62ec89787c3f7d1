#pragma once

#include "model/base/message.h"
#include "model/efficiency/calibration_record.h"
#include "model/efficiency/efficiency_set.h"
#include "model/efficiency/form_slot.h"

#include <string>
#include <vector>

namespace headroom {

// The conditions of docs/executor.md on one form, held against the errors of samples whose shape was left
// out.
[[nodiscard]] std::vector<GateRecord> formGates(const FormSlot& slot, const FormRecord& record);

// "gemm fp8, mean error: 0.12, at most 0.09", for each that is not met.
[[nodiscard]] std::vector<Message> toldFailures(const std::vector<GateRecord>& gates);
[[nodiscard]] std::vector<std::string> failedGates(const std::vector<GateRecord>& gates);

// The same without the form's name: "mean error: 0.12, at most 0.09".
[[nodiscard]] std::vector<Message> missedConditions(const std::vector<GateRecord>& gates);
// "gemm fp8, mean error".
[[nodiscard]] Message gateName(const GateRecord& gate);

// Whether the form of `slot` may be believed as far as its own interval says.
[[nodiscard]] bool meetsGates(const FormSlot& slot, const FormRecord& record);

} // namespace headroom
