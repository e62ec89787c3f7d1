#pragma once

#include "kernels/cpu/cpu_threads.h"
#include "kernels/cpu/operands.h"

namespace headroom::kernels {

// Runs a task once on one set of operands, in single precision with all threads. What a launch is on a CPU.
// With the best vector instructions that this processor has.
void runOnCpu(const Task& task, Operands& operands, CpuThreads& threads);
[[nodiscard]] const char* cpuLevelName(); // "x86-64-v3"

} // namespace headroom::kernels
