#pragma once

#include "kernels/task.h"

#include <cstddef>

namespace headroom::kernels {

// What an exchange moves, and what each rank holds after it, by the definition of the operation.

[[nodiscard]] inline int ranksOf(const Task& task)
{
    return task.kernel == Kernel::SendRecv ? 2 : task.ranks;
}

// Elements of 4 bytes that a rank gives and gets.
struct Counts {
    std::size_t give = 0;
    std::size_t take = 0;
};
[[nodiscard]] inline Counts countsOf(const Task& task)
{
    const auto elements = std::size_t(task.bytes) / sizeof(float);
    if (task.kernel == Kernel::AllGather)
        return {elements, elements * std::size_t(task.ranks)};
    return {elements, elements};
}

// Small whole numbers: sums over any number of ranks are exact.
[[nodiscard]] inline float valueOf(int rank, std::size_t index)
{
    return float((index * 7 + std::size_t(rank) * 13) % 101) - 50;
}

[[nodiscard]] inline float expectedOf(const Task& task, int rank, std::size_t index)
{
    const auto elements = std::size_t(task.bytes) / sizeof(float);
    switch (task.kernel) {
    case Kernel::AllReduce: {
        float sum = 0;
        for (int r = 0; r < task.ranks; ++r)
            sum += valueOf(r, index);
        return sum;
    }
    case Kernel::AllGather:
        return valueOf(int(index / elements), index % elements);
    case Kernel::AllToAll: { // slice r of what rank r cut out for this one
        const std::size_t slice = elements / std::size_t(task.ranks);
        return valueOf(int(index / slice), std::size_t(rank) * slice + index % slice);
    }
    default: // the two ranks exchange
        return valueOf(1 - rank, index);
    }
}

} // namespace headroom::kernels
