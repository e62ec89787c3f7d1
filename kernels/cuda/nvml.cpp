#include "kernels/cuda/nvml.h"

#include <array>
#include <string_view>

namespace headroom::kernels {

namespace {

// From NVIDIA's NVML API reference: handles are opaque, zero is success.
using NvmlDevice = void*;
using Call = int();
using HandleByBus = int(const char*, NvmlDevice*);
using ClockInfo = int(NvmlDevice, int, unsigned*);
using PowerUsage = int(NvmlDevice, unsigned*);
using Temperature = int(NvmlDevice, int, unsigned*);
using Reasons = int(NvmlDevice, unsigned long long*);
using VersionText = int(char*, unsigned);

constexpr int clockOfMultiprocessors = 1;
constexpr int clockOfMemory = 2;
constexpr int temperatureOfChip = 0;

struct Reason {
    unsigned long long bit;
    std::string_view text;
};
// nvmlClocksThrottleReasons*; idle and application clocks are not limits.
constexpr std::array reasons{Reason{0x4, "power cap"}, Reason{0x8, "hardware slowdown"},
                             Reason{0x20, "thermal (software)"}, Reason{0x40, "thermal (hardware)"},
                             Reason{0x80, "power brake"}};

} // namespace

Nvml::Nvml() : m_library({"libnvidia-ml.so.1"})
{
    auto* const init = m_library.function<Call>("nvmlInit_v2");
    m_ready = init != nullptr && init() == 0;
}

Nvml::~Nvml()
{
    auto* const shutdown = m_library.function<Call>("nvmlShutdown");
    if (m_ready && shutdown != nullptr)
        shutdown();
}

DeviceState Nvml::state(const std::string& busId) const
{
    DeviceState out;
    auto* const byBus = m_library.function<HandleByBus>("nvmlDeviceGetHandleByPciBusId_v2");
    NvmlDevice handle = nullptr;
    if (!m_ready || byBus == nullptr || byBus(busId.c_str(), &handle) != 0)
        return out;
    unsigned value = 0;
    if (auto* const clock = m_library.function<ClockInfo>("nvmlDeviceGetClockInfo")) {
        if (clock(handle, clockOfMultiprocessors, &value) == 0)
            out.coreClockHz = value * 1e6;
        if (clock(handle, clockOfMemory, &value) == 0)
            out.memoryClockHz = value * 1e6;
    }
    if (auto* const power = m_library.function<PowerUsage>("nvmlDeviceGetPowerUsage");
        power != nullptr && power(handle, &value) == 0)
        out.power = Watts(value * 1e-3);
    if (auto* const temperature = m_library.function<Temperature>("nvmlDeviceGetTemperature");
        temperature != nullptr && temperature(handle, temperatureOfChip, &value) == 0)
        out.temperatureCelsius = value;
    unsigned long long bits = 0;
    if (auto* const throttle = m_library.function<Reasons>("nvmlDeviceGetCurrentClocksThrottleReasons");
        throttle != nullptr && throttle(handle, &bits) == 0)
        for (const Reason& reason : reasons)
            if ((bits & reason.bit) != 0)
                out.throttle += (out.throttle.empty() ? "" : ", ") + std::string(reason.text);
    return out;
}

std::string Nvml::driverVersion() const
{
    auto* const version = m_library.function<VersionText>("nvmlSystemGetDriverVersion");
    std::array<char, 96> text{};
    if (!m_ready || version == nullptr || version(text.data(), unsigned(text.size())) != 0)
        return {};
    return text.data();
}

} // namespace headroom::kernels
