#pragma once

#include "calib/calibrate.h"
#include "calib/judge/machine.h"
#include "calib/measure/sweep_run.h"

namespace headroom {

// Turns what a run tells after each sample into what a person sees, and never goes backwards.
class ProgressTeller {
public:
    ProgressTeller(const RunControl& control, const CalibrationListener& listener, Seconds budget)
        : m_control(control), m_listener(listener), m_budget(budget)
    {}

    void stage(CalibrationStage stage, double fraction);
    void event(const RunEvent& event, const MeasuredMachine& machine);

private:
    void tell() const;

    const RunControl& m_control;
    const CalibrationListener& m_listener;
    Seconds m_budget;
    CalibrationProgress m_last;
};

} // namespace headroom
