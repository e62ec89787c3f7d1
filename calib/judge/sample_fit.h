#pragma once

#include "calib/fit/form_fit.h"
#include "calib/measure/sample.h"
#include "model/efficiency/calibration_record.h"

#include <string>
#include <vector>

namespace headroom {

// All forms that the samples say something of, fitted over `prior`.
struct SampleFit {
    EfficiencySet set;
    std::vector<FormFit> forms;
    double exactError
        = 0; // mean |error| of rows left out of an exact shape's correction; 0: none was measured
    std::vector<Message> notes; // forms with too few samples
};
[[nodiscard]] SampleFit fitSamples(const Sweep& sweep, const SampleTable& table,
                                   const MeasuredMachine& machine, const Gpu& gpu, const Node& node,
                                   const EfficiencySet& prior);

} // namespace headroom
