#pragma once

#include "kernels/cuda/device_operands.h"
#include "kernels/cuda/library_gemm.h"
#include "kernels/task.h"

#include <string>
#include <vector>

namespace headroom::kernels {

// The kernel families of one card: which takes a task, by which of its kernels, and its launches.
class Families {
public:
    Families(int computeCapability, int multiprocessors)
        : m_capability(computeCapability), m_multiprocessors(multiprocessors)
    {}

    [[nodiscard]] Message obstacle(const Task& task) const; // of all but exchanges
    [[nodiscard]] Variant variantOf(const Task& task) const;
    [[nodiscard]] std::size_t workspaceBytes(const Task& task) const;
    // What must be known before the first launch: the library's algorithm, found on these operands.
    void choose(const Task& task, std::vector<DeviceOperands>& sets, const CacheEmptier& emptied,
                cudaStream_t stream);
    void launch(const Task& task, DeviceOperands& operands, cudaStream_t stream);
    [[nodiscard]] const LibraryGemm& library() const { return m_library; }

private:
    [[nodiscard]] Message gemmObstacle(const Task& task) const;

    int m_capability;
    int m_multiprocessors;
    LibraryGemm m_library;
};

} // namespace headroom::kernels
