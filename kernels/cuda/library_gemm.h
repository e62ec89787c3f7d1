#pragma once

#include "kernels/cuda/device_operands.h"
#include "kernels/cuda/shared_library.h"
#include "kernels/task.h"

#include <memory>
#include <string>

namespace headroom::kernels {

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
    [[nodiscard]] std::string problem() const; // why it is not loaded

    // Picks an algorithm by timing up to `candidates` on these operands. False: no algorithm takes the shape.
    bool choose(const Task& task, DeviceOperands& operands, int candidates, cudaStream_t stream);
    void launch(const Task& task, DeviceOperands& operands, cudaStream_t stream);

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace headroom::kernels
