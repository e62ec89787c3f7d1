#include "kernels/cuda/library_gemm.h"
#include "kernels/cuda/weight_only.h"

namespace headroom::kernels {

// In the library's place: 16-bit products by the project's own kernel, int8 ones by the definition of the
// result.
struct LibraryGemm::State {};

LibraryGemm::LibraryGemm() = default;
LibraryGemm::~LibraryGemm() = default;
bool LibraryGemm::loaded() const { return true; }
std::string LibraryGemm::version() const { return "emulated"; }
Message LibraryGemm::problem() const { return {}; }
bool LibraryGemm::choose(const Task&, std::vector<DeviceOperands>&, const CacheEmptier&, cudaStream_t)
{
    return true;
}

void LibraryGemm::launch(const Task& task, DeviceOperands& o, cudaStream_t stream)
{
    if (task.activations != DType::Int8) {
        Task own = task;
        own.variant.reset();
        own.variant = weightOnlyVariant(own, 6);
        own.variant->parts = 1; // the workspace is the library's
        return launchWeightOnly(own, o, 6, stream);
    }
    const auto* const x = o.input.bytes.as<std::int8_t>();
    const auto* const w = o.weights.bytes.as<std::int8_t>();
    auto* const out = o.workspace.as<std::int32_t>();
    for (std::int64_t i = 0; i < task.m * task.n; ++i) {
        out[i] = 0;
        for (std::int64_t j = 0; j < task.k; ++j)
            out[i] += x[i / task.n * task.k + j] * w[i % task.n * task.k + j];
    }
}

} // namespace headroom::kernels
