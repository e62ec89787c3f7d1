#pragma once

#include "model/base/result.h"
#include "model/base/run_control.h"
#include "model/closed_form/prediction.h"
#include "model/scenario/scenario.h"

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

class Catalogue;

// One key of a scenario and the values it takes in turn, as text.
struct SweepAxis {
    std::string key;
    std::vector<std::string> values;
};

// "tp=1,2,4"; a key that is no key of a scenario, or a value it cannot have, is refused.
[[nodiscard]] Result<SweepAxis> sweepAxisFromText(std::string_view text);

// One combination; references are good only inside the sink.
struct SweepPoint {
    std::span<const std::size_t> choice;    // which value of each axis
    const Deployment* deployment = nullptr; // null: the combination cannot run
    const Load* load = nullptr;
    const Prediction* prediction = nullptr;
    const Message* whyNot = nullptr; // why it cannot run; null: it can
};
using SweepSink = std::function<void(const SweepPoint&)>;

constexpr std::size_t mostSweepPoints = 100'000'000;

// Predicts every combination of the axes, the last axis turning fastest, and hands each to the sink at once:
// memory does not grow with their number. Returns how many there were. Only a base scenario that is wrong for
// every combination is refused; one that cannot run is a point that says why.
[[nodiscard]] Result<std::size_t> sweep(const Scenario& base, const std::vector<SweepAxis>& axes,
                                        const Catalogue& catalogue, const SweepSink& sink,
                                        const RunControl& control = {});

} // namespace headroom
