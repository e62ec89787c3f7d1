#include "calib/calibration_device.h"

#include "calib/calibrate.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <optional>

namespace headroom {

namespace {

std::optional<int> cudaIndex(std::string_view text)
{
    constexpr std::string_view prefix = "cuda";
    if (!text.starts_with(prefix))
        return std::nullopt;
    text.remove_prefix(prefix.size());
    if (text.empty())
        return 0;
    int index = -1;
    const auto [end, error] = std::from_chars(text.data() + 1, text.data() + text.size(), index);
    const bool whole = text.front() == ':' && error == std::errc() && end == text.data() + text.size();
    return whole && index >= 0 ? std::optional(index) : std::nullopt;
}

} // namespace

Result<std::unique_ptr<kernels::Device>> openDevice(const std::string& text)
{
    if (text == "cpu")
        return kernels::makeCpuDevice();
    const std::optional<int> index = cudaIndex(text);
    if (!index)
        return refuse("--device", say("knows no device '{}'", text), "one of cpu, cuda:0, cuda:1, …");
    auto device = kernels::makeCudaDevice(*index);
    if (!device) // not a wrong word: a machine that lacks it
        throw CalibrationBroken(device.error().front().hint.empty()
                                    ? device.error().front().what
                                    : Message(say("{}; {}", Message(device.error().front().what),
                                                  Message(device.error().front().hint))));
    return device;
}

std::vector<CalibrationTarget> calibrationTargets()
{
    std::vector<CalibrationTarget> out{
        {.device = "cpu", .name = kernels::makeCpuDevice(1)->facts().name, .obstacle = {}}};
    const int count = kernels::cudaDeviceCount();
    for (int i = 0; i < std::max(count, 1); ++i) {
        CalibrationTarget target{.device = fmt::format("cuda:{}", i), .name = {}, .obstacle = {}};
        if (const auto device = kernels::makeCudaDevice(i))
            target.name = (*device)->facts().name;
        else
            target.obstacle = device.error().front().what;
        out.push_back(std::move(target));
    }
    return out;
}

} // namespace headroom
