#pragma once

#include "calib/measure/clock_check.h"
#include "kernels/device.h"
#include "model/catalogue/gpu.h"
#include "model/efficiency/efficiency_set.h"

#include <memory>

namespace headroom::test {

// A CUDA card that never was: its operators take what published forms of its family say, and every call of
// the device takes the time that the CUDA device's way of doing it would: sets are filled, algorithms tried,
// graphs recorded and replayed as often as kernels/launch_plan.h says. All on a clock of its own.
class FakeCard final : public kernels::Device {
public:
    FakeCard(const Gpu& gpu, const EfficiencySet& forms);

    double slowness = 1;

    [[nodiscard]] HostClock clock() const
    {
        return [now = m_now] { return Seconds(*now); };
    }
    [[nodiscard]] const kernels::DeviceFacts& facts() const override { return m_facts; }
    [[nodiscard]] kernels::DeviceState state() override;
    [[nodiscard]] Message obstacle(const kernels::Task& task) const override;
    [[nodiscard]] std::unique_ptr<kernels::Prepared> prepare(const kernels::Task& task, std::uint64_t seed,
                                                             int copies) override;
    void enqueue(kernels::Prepared&, int) override {}
    [[nodiscard]] double check(kernels::Prepared& prepared) override;
    [[nodiscard]] kernels::Stretch time(kernels::Prepared& prepared, int launches) override;
    [[nodiscard]] kernels::Stretch timeSequence(const std::vector<kernels::Prepared*>& sequence,
                                                int rounds) override;
    void synchronise() override {}

private:
    [[nodiscard]] double exact(const kernels::Task& task) const;
    [[nodiscard]] Bytes cold(const kernels::Task& task) const;
    void spend(double seconds) { *m_now += seconds; }

    Gpu m_gpu;
    EfficiencySet m_forms;
    kernels::DeviceFacts m_facts;
    std::shared_ptr<double> m_now = std::make_shared<double>(0);
    std::vector<const kernels::Prepared*> m_recorded; // the sequence whose graph there is
};

} // namespace headroom::test
