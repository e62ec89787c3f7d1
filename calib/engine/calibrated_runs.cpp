#include "calib/engine/calibrated_runs.h"

#include "model/resolve/used_calibration.h"

#include <algorithm>

namespace headroom {

namespace {

bool use(RowCase& run, const EfficiencySet& measured, std::vector<Message>& told)
{
    if (run.deployment().gpu->id != measured.gpu)
        return false;
    const std::size_t assumed = run.machine.assumptions.size();
    const std::size_t warned = run.machine.warnings.size();
    useCalibration(run.machine, measured);
    const auto tell = [&](const std::vector<Remark>& remarks, std::size_t from) {
        for (std::size_t i = from; i < remarks.size(); ++i)
            if (std::find(told.begin(), told.end(), remarks[i].text) == told.end())
                told.push_back(remarks[i].text);
    };
    tell(run.machine.assumptions, assumed);
    tell(run.machine.warnings, warned);
    return true;
}

} // namespace

CalibratedRuns calibrateRuns(PreparedRuns& runs, const EfficiencySet& measured)
{
    CalibratedRuns out;
    for (std::optional<RowCase>& run : runs.cases)
        if (run)
            use(*run, measured, out.told);
    for (RowCase& run : runs.runs)
        out.count += use(run, measured, out.told) ? 1U : 0U;
    return out;
}

} // namespace headroom
