#pragma once

#include "model/efficiency/efficiency_set.h"
#include "model/efficiency/form_slot.h"

#include <cstdint>
#include <string_view>

namespace headroom {

// Whose kernels a form of a calibration times.
enum class KernelOwner : std::uint8_t {
    Library, // the maker's, which every engine calls: cublasLt, NCCL
    Own      // of the set's `implementation`: another engine has others
};
[[nodiscard]] KernelOwner ownerOf(const FormSlot& slot, const EfficiencySet& measured);

// The kernels of the executor (kernels/).
inline constexpr std::string_view executorKernels = "headroom";

} // namespace headroom
