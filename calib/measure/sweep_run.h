#pragma once

#include "calib/measure/clock_check.h"
#include "calib/measure/point_meter.h"
#include "calib/measure/sample.h"
#include "calib/measure/samples_file.h"
#include "calib/sweep/sweep.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace headroom {

struct RunPolicy {
    TimingPolicy timing;
    Seconds budget{90};
    Seconds warmUp{3};          // an idle accelerator needs as long to raise its clocks
    int blockPoints = 60;       // between two looks at the anchors
    int looksAgain = 6;         // points of a block that are measured twice: how well figures repeat
    double allowedDrift = 0.03; // of an anchor over a block, above which the block is measured again
    std::uint64_t seed = 7;
    // Waits, so that a card that was worked hard is what it was before; empty: none waits.
    std::function<void(Seconds)> rest;
    Seconds recovery{0.1};   // after which clocks that others' work pulled down are up again
    Seconds restAfter{0.03}; // of work in one point: it rests half as long, half a second at most
};

// What a run tells after each sample; `note` is a sentence about the run itself.
struct RunEvent {
    const Sample* sample = nullptr;
    const SweepPoint* point = nullptr; // null for anchors
    Message note;
    std::size_t finished = 0;
    std::size_t planned = 0;
    Seconds spent;
    Seconds left;
};
using RunListener = std::function<void(const RunEvent&)>;

struct RunOutcome {
    std::vector<Sample> samples; // all, those it was resumed with first
    bool cancelled = false;
    bool deadline = false;
    std::vector<Message> notes;
};

// Measures the points of a sweep that `known` does not hold yet, in order, in blocks between looks at the
// anchors; a block over which the machine drifted is measured once more. Each sample goes to `writer` at
// once. Stops between two points when asked and within one when the time is up, but not before the machine's
// own points are measured; points longer than what is left are left out and said so. What fails is refused,
// and the next point is measured. Throws CalibrationBroken when the device answers no more, when its clock
// cannot be believed or the file cannot be written.
[[nodiscard]] RunOutcome runSweep(kernels::Device& device, const Sweep& sweep,
                                  const std::vector<kernels::Task>& anchors, const RunPolicy& policy,
                                  std::vector<Sample> known, SamplesWriter& writer, const HostClock& clock,
                                  std::stop_token stop, const RunListener& listener);

} // namespace headroom
