#pragma once

#include "model/base/units.h"
#include "model/efficiency/efficiency_set.h"
#include "model/report/columns.h"
#include "model/words/text.h"

#include <cstddef>
#include <string>
#include <vector>

namespace headroom {

// A whole layer that no fit saw, with the 90 % interval it was foretold with.
struct LayerComparison {
    std::string what;
    Seconds measured;
    Seconds predicted;
    Seconds low;
    Seconds high;
};

// What a run of `calibrate` tells beside the file it wrote.
struct CalibrationSummary {
    std::string file;
    std::string samples;
    bool cancelled = false;
    bool deadline = false;
    std::size_t measured = 0;
    std::size_t planned = 0;
    std::vector<LayerComparison> layers;
    std::vector<std::string> refused;
    std::vector<Message> notes;
};

// Every fitted form of several sets with its held-out errors, and whether it is to be trusted or why not.
[[nodiscard]] Table calibratedForms(const std::vector<EfficiencySet>& sets);

// A calibration as a table of forms with their errors, the machine, the conditions and the gates.
[[nodiscard]] std::string calibrationText(const EfficiencySet& set, ask::Language language);
[[nodiscard]] std::string calibrationText(const EfficiencySet& set, const CalibrationSummary& run,
                                          ask::Language language);

} // namespace headroom
