#include "calib/progress_teller.h"

#include "model/cost/op_slot.h"
#include "model/efficiency/form_slot.h"

#include <algorithm>

namespace headroom {

namespace {

CalibrationPoint pointOf(const RunEvent& event, const MeasuredMachine& machine)
{
    const Sample& sample = *event.sample;
    const Achieved achieved = achievedBy(*event.point, sample.timing.perLaunch, machine);
    CalibrationPoint point{.what = sample.what,
                           .form = "held out",
                           .time = sample.timing.perLaunch,
                           .lnSpread = sample.timing.lnSpread,
                           .intensity = achieved.intensity,
                           .ofPeak = achieved.ofPeak,
                           .memoryBound = achieved.memoryBound,
                           .noisy = sample.timing.noisy,
                           .refused = sample.refused};
    if (event.point->kind == PointKind::Machine)
        point.form = "machine";
    else if (event.point->kind != PointKind::Layer)
        point.form = slotName(slotOf(kernels::workOf(event.point->tasks.front())));
    return point;
}

} // namespace

void ProgressTeller::stage(CalibrationStage stage, double fraction)
{
    m_last.stage = stage;
    m_last.fraction = std::max(m_last.fraction, fraction);
    m_last.point.reset();
    m_last.note = {};
    tell();
}

void ProgressTeller::event(const RunEvent& event, const MeasuredMachine& machine)
{
    m_last.stage = CalibrationStage::Measuring;
    m_last.finished = event.finished;
    m_last.planned = event.planned;
    m_last.spent = event.spent;
    m_last.left = event.left;
    const double points = double(event.finished) / double(std::max<std::size_t>(event.planned, 1));
    constexpr double measuring = 0.97; // the fit takes the rest
    m_last.fraction
        = measuring * std::clamp(std::max(points, event.spent.base() / m_budget.base()), 0.0, 1.0);
    m_last.point.reset();
    if (event.sample != nullptr && event.point != nullptr)
        m_last.point = pointOf(event, machine);
    m_last.note = event.note;
    tell();
}

void ProgressTeller::tell() const
{
    if (m_control.progress)
        m_control.progress(m_last.fraction, calibrationStageName(m_last.stage).text);
    if (m_listener)
        m_listener(m_last);
}

} // namespace headroom
