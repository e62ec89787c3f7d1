#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace headroom {

// The software that programs an accelerator: an engine runs where it has a build for it.
enum class Platform : std::uint8_t {
    Cuda,
    Rocm,
    Xpu, // Intel's GPUs
    Gaudi,
    Tpu,
    Neuron,
    Metal,
    Cann, // Huawei's Ascend
    Cpu,
    Other // none that an engine of the catalogue is built for
};

// All that differs between platforms, a row for each: one without it does not compile.
struct PlatformRow {
    std::string_view word; // in files
    std::string_view name; // as people write it
    // Engines that are taken where none was named, the most used first; a later one for weights that those
    // before it do not run.
    std::array<std::string_view, 4> usualEngines;
};

constexpr std::optional<PlatformRow> platformRow(Platform platform)
{
    switch (platform) {
    case Platform::Cuda:
        return PlatformRow{"cuda", "CUDA", {"vllm", "llama-cpp", "sglang", "tensorrt-llm"}};
    case Platform::Rocm:
        return PlatformRow{"rocm", "ROCm", {"vllm", "llama-cpp", "sglang"}};
    case Platform::Xpu:
        return PlatformRow{"xpu", "Intel XPU", {"vllm", "llama-cpp"}};
    case Platform::Gaudi:
        return PlatformRow{"gaudi", "Gaudi", {"vllm", "optimum-habana"}};
    case Platform::Tpu:
        return PlatformRow{"tpu", "TPU", {"vllm-tpu"}};
    case Platform::Neuron:
        return PlatformRow{"neuron", "Neuron", {"neuron"}};
    case Platform::Metal:
        return PlatformRow{"metal", "Metal", {"llama-cpp", "mlx-lm"}};
    case Platform::Cann:
        return PlatformRow{"cann", "CANN", {"vllm", "llama-cpp"}};
    case Platform::Cpu:
        return PlatformRow{"cpu", "CPU", {"llama-cpp", "vllm"}};
    case Platform::Other:
        return PlatformRow{"other", "other", {"ideal"}};
    }
    return std::nullopt; // no such platform: where a walk over all of them ends
}

constexpr std::string_view platformName(Platform platform) { return platformRow(platform)->name; }

inline constexpr std::size_t platformCount = [] {
    std::uint8_t count = 0;
    while (platformRow(static_cast<Platform>(count)))
        ++count;
    return std::size_t{count};
}();

// Every platform, in order.
inline constexpr auto allPlatforms = [] {
    std::array<Platform, platformCount> all{};
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = static_cast<Platform>(i);
    return all;
}();

} // namespace headroom
