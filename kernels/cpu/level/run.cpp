#include "kernels/cpu/cpu_levels.h"
#include "kernels/cpu/level/operators.h"

namespace headroom::kernels {

void HEADROOM_CPU_LEVEL(const Task& task, Operands& operands, CpuThreads& threads)
{
    using namespace HEADROOM_CPU_SPACE;
    switch (task.kernel) {
    case Kernel::Gemm:
        return runGemm(operands, threads);
    case Kernel::PrefillAttention:
    case Kernel::DecodeAttention:
    case Kernel::DecodeLatent:
        return runAttention(task, operands, threads);
    case Kernel::NormResidual:
        return runNorm(operands, threads);
    case Kernel::RopeAppend:
        return runRope(task, operands, threads);
    case Kernel::GatedActivation:
        return runActivation(task, operands, threads);
    case Kernel::Experts:
        return runExperts(task, operands, threads);
    case Kernel::Sampling:
        return runSampling(operands, threads);
    case Kernel::Read:
        return runRead(operands, threads);
    case Kernel::Copy:
        return runCopy(operands, threads);
    case Kernel::Empty:
        return threads.run(std::size_t(threads.count()), [](std::size_t, std::size_t) {});
    case Kernel::AllReduce:
    case Kernel::AllGather:
    case Kernel::AllToAll:
    case Kernel::SendRecv:
        return; // refused by obstacle()
    }
}

} // namespace headroom::kernels
