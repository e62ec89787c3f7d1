#pragma once

#include "model/base/kinds_with_rows.h"

#include <array>
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
    std::string_view visibleDevices; // variable: which devices of a box a process sees; empty: none
    std::string_view kubernetes;     // what its device plugin calls one; empty: none
};

constexpr std::optional<PlatformRow> platformRow(Platform platform)
{
    switch (platform) {
    case Platform::Cuda:
        return PlatformRow{.word = "cuda",
                           .name = "CUDA",
                           .usualEngines = {"vllm", "llama-cpp", "sglang", "tensorrt-llm"},
                           .visibleDevices = "CUDA_VISIBLE_DEVICES",
                           .kubernetes = "nvidia.com/gpu"};
    case Platform::Rocm:
        return PlatformRow{.word = "rocm",
                           .name = "ROCm",
                           .usualEngines = {"vllm", "llama-cpp", "sglang"},
                           .visibleDevices = "HIP_VISIBLE_DEVICES",
                           .kubernetes = "amd.com/gpu"};
    case Platform::Xpu:
        return PlatformRow{.word = "xpu",
                           .name = "Intel XPU",
                           .usualEngines = {"vllm", "llama-cpp"},
                           .visibleDevices = "ZE_AFFINITY_MASK",
                           .kubernetes = "gpu.intel.com/xe"};
    case Platform::Gaudi:
        return PlatformRow{.word = "gaudi",
                           .name = "Gaudi",
                           .usualEngines = {"vllm", "optimum-habana"},
                           .visibleDevices = "HABANA_VISIBLE_MODULES",
                           .kubernetes = "habana.ai/gaudi"};
    case Platform::Tpu:
        return PlatformRow{.word = "tpu",
                           .name = "TPU",
                           .usualEngines = {"vllm-tpu"},
                           .visibleDevices = "TPU_VISIBLE_CHIPS",
                           .kubernetes = "google.com/tpu"};
    case Platform::Neuron:
        return PlatformRow{.word = "neuron",
                           .name = "Neuron",
                           .usualEngines = {"neuron"},
                           .kubernetes = "aws.amazon.com/neuron"};
    case Platform::Metal:
        return PlatformRow{.word = "metal", .name = "Metal", .usualEngines = {"llama-cpp", "mlx-lm"}};
    case Platform::Cann:
        return PlatformRow{.word = "cann",
                           .name = "CANN",
                           .usualEngines = {"vllm", "llama-cpp"},
                           .visibleDevices = "ASCEND_RT_VISIBLE_DEVICES",
                           .kubernetes = "huawei.com/Ascend910"};
    case Platform::Cpu:
        return PlatformRow{.word = "cpu", .name = "CPU", .usualEngines = {"llama-cpp", "vllm"}};
    case Platform::Other:
        return PlatformRow{.word = "other", .name = "other", .usualEngines = {"ideal"}};
    }
    return std::nullopt; // no such platform: where a walk over all of them ends
}

constexpr std::string_view platformName(Platform platform) { return platformRow(platform)->name; }

inline constexpr auto allPlatforms = kindsWithRows<platformRow>;

} // namespace headroom
