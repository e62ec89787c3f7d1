#pragma once

#include "kernels/cpu/cpu_threads.h"
#include "kernels/cpu/operands.h"

#include <Eigen/Core>

#include <cstddef>
#include <span>
#include <vector>

// Compiled once for each level of the processor's vector instructions, in a namespace of that level's own and
// with Eigen's under that level's name, so that no code of one level is taken for another's (cpu_levels.h).
namespace headroom::kernels::HEADROOM_CPU_SPACE {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixView = Eigen::Map<const Matrix>;

// A 32-bit tensor is used where it lies; a narrower one is widened into `scratch`.
[[nodiscard]] const float* widened(const Tensor& tensor, std::size_t row, std::size_t rows,
                                   std::vector<float>& scratch);
// out (m x rows of weights in [begin, end)) = x * weights^T for a share of the weights' rows.
void multiplyShare(const float* x, std::size_t m, const Tensor& weights, std::size_t begin, std::size_t end,
                   float* out, std::size_t outStride);
void storeRows(Tensor& to, const std::vector<float>& values, std::size_t begin, std::size_t end);
// SwiGLU of (gate, up) side by side, or the error-function GELU of one branch; in place in the first `width`.
void activateRow(std::span<float> x, std::size_t width, bool gated);

void runGemm(Operands& operands, CpuThreads& threads);
void runAttention(const Task& task, Operands& operands, CpuThreads& threads);
void runExperts(const Task& task, Operands& operands, CpuThreads& threads);
void runNorm(Operands& operands, CpuThreads& threads);
void runRope(const Task& task, Operands& operands, CpuThreads& threads);
void runActivation(const Task& task, Operands& operands, CpuThreads& threads);
void runSampling(Operands& operands, CpuThreads& threads);
void runRead(Operands& operands, CpuThreads& threads);
void runCopy(Operands& operands, CpuThreads& threads);

} // namespace headroom::kernels::HEADROOM_CPU_SPACE
