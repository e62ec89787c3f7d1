#include "model/scenario/key_groups.h"

#include <array>

namespace headroom {

namespace {

constexpr std::array groups{
    KeyGroup{"model", Code("Model and machines")},
    KeyGroup{"tp", Code("Layout of a replica")},
    KeyGroup{"weights", Code("Number types, and what `size` may try besides")},
    KeyGroup{"disaggregate", Code("Prefill on GPUs of its own")},
    KeyGroup{"prompt", Code("Load")},
    KeyGroup{"tps", Code("Targets, and what is best")},
    KeyGroup{"price", Code("Costs, with prices in US dollars")},
    KeyGroup{"calibration", Code("Engine and decoding")},
    KeyGroup{"peak-factor", Code("Reserves and limits")},
    KeyGroup{"traffic", Code("Traffic and simulation")},
};

} // namespace

std::span<const KeyGroup> keyGroups() { return groups; }

} // namespace headroom
