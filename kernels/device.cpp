#include "kernels/device.h"

#include <algorithm>
#include <chrono>

namespace headroom::kernels {

Stretch Device::timeSequence(const std::vector<Prepared*>& sequence, int rounds)
{
    using Clock = std::chrono::steady_clock;
    synchronise();
    const auto start = Clock::now();
    for (int round = 0; round < rounds; ++round)
        for (Prepared* const operands : sequence)
            enqueue(*operands, round % operands->copies());
    synchronise();
    const std::chrono::duration<double> spent = Clock::now() - start;
    return {.perLaunch = Seconds(spent.count() / std::max(rounds, 1)), .launches = rounds};
}

} // namespace headroom::kernels
