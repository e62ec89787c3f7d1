#pragma once

#include "kernels/device.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::kernels {

// What a kernel cannot beat: datasheet bandwidth, the dense peak, or the time it takes to do nothing.
enum class Limit { Bandwidth, Arithmetic, Latency };

// Fractions of the limit, or microseconds; zero: none is set for this card.
struct Target {
    double must = 0;
    double stretch = 0;
};

enum class Card { A100, H100, H200, Other };

struct BenchRow {
    std::string_view number;
    std::string name;
    Limit limit = Limit::Bandwidth;
    Task task;
    std::array<Target, 4> targets{}; // by Card
};

struct Peaks {
    double bytesPerSecond = 0;
    double flops = 0;       // dense, 16 bit
    double flopsNarrow = 0; // dense, 8 bit
};

[[nodiscard]] Card cardOf(std::string_view deviceName);
[[nodiscard]] Peaks peaksOf(std::string_view deviceName); // zeros: unknown
[[nodiscard]] std::vector<BenchRow> benchRows();

// Every kernel at sizes that go wrong first: one token, ragged batches, page boundaries, empty experts,
// misaligned widths. `small`: few enough for a sanitizer.
[[nodiscard]] std::vector<Task> checkTasks(bool small);

} // namespace headroom::kernels
