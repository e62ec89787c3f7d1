#include "kernels/cpu/cpu_levels.h"

#include "kernels/cpu/cpu_operators.h"

#ifdef HEADROOM_CPU_LEVELS
#include <cpuid.h>
#endif

namespace headroom::kernels {

namespace {

struct Level {
    void (*run)(const Task&, Operands&, CpuThreads&);
    const char* name;
};

#ifdef HEADROOM_CPU_LEVELS
// Clang has no name for it in __builtin_cpu_supports before version 17.
bool convertsHalves()
{
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    return __get_cpuid(1, &a, &b, &c, &d) != 0 && (c & bit_F16C) != 0;
}
#endif

Level bestLevel()
{
#ifdef HEADROOM_CPU_LEVELS
    __builtin_cpu_init();
    const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
        && __builtin_cpu_supports("bmi2") && convertsHalves();
    const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
        && __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq")
        && __builtin_cpu_supports("avx512vl");
    if (v4)
        return {runOnV4, "x86-64-v4"};
    if (v3)
        return {runOnV3, "x86-64-v3"};
#endif
    return {runOnBase, "baseline"};
}

const Level& level()
{
    static const Level best = bestLevel();
    return best;
}

} // namespace

void runOnCpu(const Task& task, Operands& operands, CpuThreads& threads)
{
    level().run(task, operands, threads);
}

const char* cpuLevelName() { return level().name; }

} // namespace headroom::kernels
