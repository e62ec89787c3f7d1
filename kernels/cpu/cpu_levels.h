#pragma once

#include "kernels/cpu/cpu_threads.h"
#include "kernels/cpu/operands.h"

// A task run once on one set of operands with the vector instructions of a level of x86-64 (System V ABI,
// "micro-architecture levels"); the base is whatever the compiler assumes.
namespace headroom::kernels {

void runOnBase(const Task& task, Operands& operands, CpuThreads& threads);
void runOnV3(const Task& task, Operands& operands, CpuThreads& threads); // AVX2 and FMA
void runOnV4(const Task& task, Operands& operands, CpuThreads& threads); // AVX-512

} // namespace headroom::kernels
