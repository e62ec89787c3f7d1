#pragma once

#include "kernels/cuda/device_operands.h"
#include "kernels/cuda/shared_library.h"
#include "kernels/task.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace headroom::kernels {

// Starts what empties the device's caches of operands; nothing where these may stay.
using CacheEmptier = std::function<void()>;

// Matrix products through cublasLt, loaded at run time: best of the heuristics' algorithms for each shape,
// found once.
class LibraryGemm {
public:
    LibraryGemm();
    ~LibraryGemm();
    LibraryGemm(const LibraryGemm&) = delete;
    LibraryGemm& operator=(const LibraryGemm&) = delete;

    [[nodiscard]] bool loaded() const;
    [[nodiscard]] std::string version() const; // "cublasLt 13.1.0"
    [[nodiscard]] Message problem() const;     // why it is not loaded

    // Picks an algorithm by timing the library's candidates over these sets in turn. False: none takes the
    // shape.
    bool choose(const Task& task, std::vector<DeviceOperands>& sets, const CacheEmptier& emptied,
                cudaStream_t stream);
    void launch(const Task& task, DeviceOperands& operands, cudaStream_t stream);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace headroom::kernels
