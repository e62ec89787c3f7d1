#pragma once

#include "calib/measure/timing.h"
#include "calib/sweep/sweep.h"
#include "kernels/device.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

enum class SampleKind : std::uint8_t { Point, Repeat, Anchor };
[[nodiscard]] std::string_view sampleKindName(SampleKind kind);
[[nodiscard]] std::optional<SampleKind> sampleKindFromName(std::string_view name);

// One finished measurement: a line of the samples file.
struct Sample {
    SampleKind kind = SampleKind::Point;
    std::size_t index = 0; // in the sweep; of an anchor: which of the anchor tasks
    int block = 0;
    int attempt = 0; // 1: the block was measured again because the machine drifted
    std::string what;
    Timing timing;
    std::string refused; // why its time does not count; empty: it does
    kernels::DeviceState state;
};

// Which of several looks at a point counts. The newest, where clocks settle as a run goes on. The fastest on
// a processor: whatever else runs there, or on the guests beside it, only ever adds time.
enum class CountedLook : std::uint8_t { Newest, Fastest };
[[nodiscard]] CountedLook countedLookOf(const kernels::DeviceFacts& facts);

// What the samples of a run say: the look that counts of each point, pairs of first and second looks, drift
// of the anchors.
struct SampleTable {
    std::vector<std::optional<Sample>> points; // by index in the sweep
    std::vector<std::pair<Timing, Timing>> looks;
    std::vector<double> drifts; // largest of each block's last attempt, |ln|
    [[nodiscard]] std::size_t finished() const;
};
[[nodiscard]] SampleTable tabulate(const std::vector<Sample>& samples, std::size_t points,
                                   CountedLook counted);

} // namespace headroom
