#pragma once

#include "calib/measure/clock_check.h"
#include "calib/measure/sample.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace headroom {

// Steady tasks that are timed again and again, to see whether the machine drifts. One that the device cannot
// run is left out and said so; without any of them drift and clock go unchecked.
class RunAnchors {
public:
    using Teller = std::function<void(Message)>;

    RunAnchors(kernels::Device& device, const std::vector<kernels::Task>& tasks, const TimingPolicy& policy,
               std::uint64_t seed, Teller note);

    [[nodiscard]] bool empty() const { return m_anchors.empty(); }
    // Runs the first for so long that clocks rise; the time of one launch of it.
    [[nodiscard]] Seconds warmUp(Seconds time, const HostClock& clock, const std::function<bool()>& over);
    // Why the device's clock cannot be believed; empty: it can. `once`: a launch of the first anchor.
    [[nodiscard]] Message clockObjectionNow(Seconds once, const HostClock& clock);
    struct Look {
        double drift = 0; // largest change since the last look, |ln|
        std::vector<Sample> samples;
        std::vector<kernels::Task> tasks; // of the samples
    };
    // One that moved by more than `allowed` is timed again, and the nearer of both counts: what disturbs one
    // look is no drift. Throws CalibrationBroken when a time is none.
    [[nodiscard]] Look look(double allowed);

private:
    struct Anchor {
        std::size_t index = 0;
        kernels::Task task;
        std::unique_ptr<kernels::Prepared> operands;
        double last = 0;
    };
    [[nodiscard]] Sample timed(Anchor& anchor);
    // `work` on each anchor; those on which it fails are left out.
    void onEach(const std::function<void(Anchor&)>& work);

    kernels::Device& m_device;
    TimingPolicy m_policy;
    Teller m_note;
    std::vector<Anchor> m_anchors;
};

} // namespace headroom
