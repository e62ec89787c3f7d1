#pragma once

#include "kernels/device_failure.h"
#include "kernels/task.h"
#include "model/base/dtype.h"
#include "model/base/result.h"
#include "model/base/units.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace headroom::kernels {

struct DeviceFacts {
    std::string kind; // "cpu", "cuda"
    int index = 0;
    std::string name;      // "NVIDIA H200"
    std::string driver;    // empty on a CPU
    std::string libraries; // "cublasLt 13.1.0, CUDA 13.0"
    std::string uuidHash;  // tells two cards of one type apart without naming them
    double computeCapability = 0;
    int units = 0;        // multiprocessors, or cores in use
    Bytes cache;          // last level
    double coldTimes = 5; // so many caches lie between two uses of operands that shall come from memory
    Bytes memory;
    int visibleDevices = 1;
    bool timedByHost = false; // by this machine's clock, not by one of its own
};

// Clocks and limits as the device reports them; zero where it does not.
struct DeviceState {
    double coreClockHz = 0;
    double memoryClockHz = 0;
    Watts power;
    double temperatureCelsius = 0;
    std::string throttle; // reasons, empty: none or unknown
};

// Operands of one task, allocated and filled; several copies of them, so that caches do not help.
class Prepared {
public:
    virtual ~Prepared() = default;
    Prepared() = default;
    Prepared(const Prepared&) = delete;
    Prepared& operator=(const Prepared&) = delete;

    [[nodiscard]] virtual int copies() const = 0;
};

// Time of one launch within one measured stretch.
struct Stretch {
    Seconds perLaunch;
    int launches = 0;
};

class Links;

// A place where layers run. Knows no library types, so that callers build without them. Not safe from several
// threads.
class Device {
public:
    virtual ~Device() = default;
    Device() = default;
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    [[nodiscard]] virtual const DeviceFacts& facts() const = 0;
    // As it is now; after a timed stretch, as it was in the middle of that one.
    [[nodiscard]] virtual DeviceState state() = 0;
    // Empty when the device can run it, else why not ("fp8 needs compute capability 8.9").
    [[nodiscard]] virtual Message obstacle(const Task& task) const = 0;
    // Which of a family's kernels runs it; the one that the task names, where it names one.
    [[nodiscard]] virtual Variant variantOf(const Task& task) const
    {
        return task.variant.value_or(Variant{});
    }
    // After a failure: cleans up what it left behind. Empty when the device goes on, else why nothing more
    // runs here.
    [[nodiscard]] virtual std::string lost() { return {}; }

    // Allocates and fills `copies` sets of operands with random data from `seed`; 0: as many as keep caches
    // cold.
    [[nodiscard]] virtual std::unique_ptr<Prepared> prepare(const Task& task, std::uint64_t seed, int copies)
        = 0;
    // Starts one launch on set `copy`; may return before it is done.
    virtual void enqueue(Prepared& prepared, int copy) = 0;
    // Runs once with poisoned outputs and compares with the double-precision reference on the dequantised
    // operands: relative Frobenius norm of the difference, of 64 rows where the whole would take too long.
    [[nodiscard]] virtual double check(Prepared& prepared) = 0;
    // Runs `launches` launches over the copies in turn and returns the mean of one, without the cost of
    // asking.
    [[nodiscard]] virtual Stretch time(Prepared& prepared, int launches) = 0;
    virtual void synchronise() = 0;
    // Runs the operators of `sequence` one after another, `rounds` times, each round on the next copy of
    // each, and returns the mean of one round: a whole layer as an engine would run it. Here by enqueueing
    // and the host's clock; a device that records graphs replays one instead.
    [[nodiscard]] virtual Stretch timeSequence(const std::vector<Prepared*>& sequence, int rounds);
    // Exchanges with devices of other processes; null where there are none.
    [[nodiscard]] virtual Links* links() { return nullptr; }
};

// This machine's processor; 0 threads: all cores.
[[nodiscard]] std::unique_ptr<Device> makeCpuDevice(int threads = 0);

// A CUDA device, or why there is none. Two files define this: cuda/cuda_device.cpp, or cuda/cuda_absent.cpp
// in a build without the toolkit.
[[nodiscard]] Result<std::unique_ptr<Device>> makeCudaDevice(int index);

// How many a driver shows, for lists; zero without one.
[[nodiscard]] int cudaDeviceCount();

} // namespace headroom::kernels
