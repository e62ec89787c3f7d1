#pragma once

#include "model/efficiency/efficiency_set.h"
#include "model/efficiency/form_slot.h"

#include <cstdint>
#include <string_view>

namespace headroom {

// Whose kernels run the operators of a form in an engine of this `implementation`, beside what was measured.
enum class KernelOwner : std::uint8_t {
    Library, // the maker's, which the calibration timed: cublasLt, NCCL
    Own      // the engine's
};
[[nodiscard]] KernelOwner ownerOf(const FormSlot& slot, const EfficiencySet& measured,
                                  std::string_view implementation);

// The kernels of the executor (kernels/).
inline constexpr std::string_view executorKernels = "headroom";

} // namespace headroom
