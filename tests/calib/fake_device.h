#pragma once

#include "calib/calibrate_device.h"
#include "kernels/device.h"
#include "model/catalogue/gpu.h"
#include "model/efficiency/efficiency_set.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <random>
#include <string>

namespace headroom::test {

// A device whose operators take the time that planted forms say, on a clock of its own that only its work
// moves.
class FakeDevice final : public kernels::Device {
public:
    enum class Lie : std::uint8_t { None, StandsStill, RunsSlow };

    FakeDevice();

    Gpu gpu;             // peaks of the fake: 2 TFLOP/s, 100 GB/s
    EfficiencySet truth; // what its operators take
    double noise = 0.003;
    double outliers = 0; // share of stretches that take five times as long
    Lie lie = Lie::None;
    std::function<double(double now)> slowness = [](double) { return 1.0; };
    std::function<bool(const kernels::Task&)> wrong = [](const kernels::Task&) { return false; };

    [[nodiscard]] HostClock clock() const
    {
        return [now = m_now] { return Seconds(*now); };
    }
    [[nodiscard]] Seconds exact(const kernels::Task& task) const;

    [[nodiscard]] const kernels::DeviceFacts& facts() const override { return m_facts; }
    std::function<double(double now)> clockHz = [](double) { return 1.5e9; };
    [[nodiscard]] kernels::DeviceState state() override { return {.coreClockHz = clockHz(*m_now)}; }
    [[nodiscard]] Message obstacle(const kernels::Task& task) const override
    {
        return task.kernel >= kernels::Kernel::AllReduce ? Message("has no peers") : Message();
    }
    [[nodiscard]] std::unique_ptr<kernels::Prepared> prepare(const kernels::Task& task, std::uint64_t seed,
                                                             int copies) override;
    void enqueue(kernels::Prepared&, int) override {}
    [[nodiscard]] double check(kernels::Prepared& prepared) override;
    [[nodiscard]] kernels::Stretch time(kernels::Prepared& prepared, int launches) override;
    void synchronise() override {}
    [[nodiscard]] kernels::Stretch timeSequence(const std::vector<kernels::Prepared*>& sequence,
                                                int rounds) override;

private:
    [[nodiscard]] kernels::Stretch spend(Seconds each, int launches);

    kernels::DeviceFacts m_facts;
    std::shared_ptr<double> m_now = std::make_shared<double>(0);
    std::mt19937_64 m_random{3};
};

// A layer of the plain kind, wide enough to be told from a launch.
[[nodiscard]] Llm plainModel();

// What calibrateDevice() needs for the fake: the processor's grid with eight layers held out.
[[nodiscard]] CalibrationSubject fakeSubject(const FakeDevice& device, const Llm& llm,
                                             std::uint64_t seed = 7);

// A folder that goes when the test ends.
class Folder {
public:
    Folder();
    ~Folder();
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    [[nodiscard]] std::filesystem::path file(const std::string& name) const { return m_path / name; }

private:
    std::filesystem::path m_path;
};

// What the file holds; empty where there is none.
[[nodiscard]] std::string textOf(const std::filesystem::path& file);

} // namespace headroom::test
