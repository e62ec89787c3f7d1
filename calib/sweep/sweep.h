#pragma once

#include "calib/sweep/layer_tasks.h"
#include "kernels/device.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace headroom {

enum class PointKind : std::uint8_t { Machine, Operator, ThisModel, Layer };
[[nodiscard]] std::string_view pointKindName(PointKind kind);

// One thing to measure: an operator, or the operators of a whole layer one after another.
struct SweepPoint {
    PointKind kind = PointKind::Operator;
    std::vector<kernels::Task> tasks; // one, or a layer's in their order
    std::string what;                 // one line, unlike that of any other point
};

// A grid of tasks of one kernel, row by row.
struct TaskFamily {
    std::vector<kernels::Task> tasks;
    std::size_t columns = 1;
    int turn = 1;                     // points it gives when its turn comes
    std::vector<std::size_t> without; // cells that are not measured: too large for small cards
};

struct SweepRequest {
    std::string deviceKind = "cpu";  // or "cuda"
    std::vector<LayerCase> holdOut;  // layers no fit sees
    std::vector<LayerCase> settling; // layers timed in a burst and one after another
    const Llm* model = nullptr;      // its own matrices too
    std::uint64_t seed = 7;
};

struct Sweep {
    std::vector<SweepPoint> points;
    std::vector<Message> leftOut; // "fp8 needs compute capability 8.9: 336 points"
};

// What to measure on the device, in the order of measuring: the machine's own figures first, then operators
// family by family in turn with the held-out layers spread among them. Any prefix is a balanced design: every
// family has had its turn before any has its second. The same request gives the same order.
[[nodiscard]] Sweep sweepFor(const kernels::Device& device, const SweepRequest& request);

// A steady task that is timed again and again to see whether the machine drifts: a matrix product and a read.
[[nodiscard]] std::vector<kernels::Task> anchorTasks(const std::string& deviceKind);

// One task for each row count and width, `width` being the member that the kernel calls so.
[[nodiscard]] TaskFamily familyOfWidths(const kernels::Task& kind, std::int64_t kernels::Task::*width,
                                        std::span<const std::int64_t> rows,
                                        std::span<const std::int64_t> widths);

// The grids (docs/executor.md): small for a processor, whole for a CUDA device.
[[nodiscard]] std::vector<TaskFamily> cpuFamilies();
[[nodiscard]] std::vector<TaskFamily> cudaFamilies();
[[nodiscard]] std::vector<kernels::Task> cpuMachineTasks();
[[nodiscard]] std::vector<kernels::Task> cudaMachineTasks();
// (ranks, machines they are spread over)
using RankCount = std::pair<int, int>;
// 2, 4, 8 … below `all`, then `all` itself: of how many exchanges are measured.
[[nodiscard]] std::vector<int> rankSizes(int all);
// Every kind of exchange among every number of ranks, messages of 1 KiB to 256 MiB.
[[nodiscard]] std::vector<TaskFamily> linkFamilies(const std::vector<RankCount>& groups);
// A small and a large all-reduce among the most ranks, the large one as far as the device takes it.
[[nodiscard]] std::vector<kernels::Task> linkAnchors(const kernels::Device& device,
                                                     const std::vector<RankCount>& groups);
// Nothing but these exchanges, in the same kind of order.
[[nodiscard]] Sweep linkSweep(const kernels::Device& device, const std::vector<RankCount>& groups,
                              std::uint64_t seed);
// The matrices of one model at every number of rows that matters, tile edges included.
[[nodiscard]] std::vector<TaskFamily> modelFamilies(const Llm& model, const std::string& deviceKind);

} // namespace headroom
