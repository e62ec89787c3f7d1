#pragma once

#include "model/base/result.h"

#include <functional>
#include <string>

namespace headroom {

// This process among those that a launcher started together.
struct Launched {
    int rank = 0;
    int ranks = 1;
    std::string by;         // "Open MPI", "Slurm"; empty: nobody, it was started alone
    std::string job;        // unlike that of any other job of the launcher, as far as it tells
    bool oneMachine = true; // the launcher tells of no other; without its word, there is none
    std::string node;       // which machine of the job, where the launcher numbers them; else empty
};

// What the launcher left in the environment: mpirun of Open MPI, MPICH and their kin, srun, torchrun.
// Refused: numbers that are none. `variable` is std::getenv outside tests.
[[nodiscard]] Result<Launched> launchedFrom(const std::function<const char*(const char*)>& variable);

} // namespace headroom
