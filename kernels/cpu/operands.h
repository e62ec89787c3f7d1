#pragma once

#include "kernels/cpu/numbers.h"
#include "kernels/task.h"

#include <cstdint>
#include <vector>

namespace headroom::kernels {

// Keys and values in pages, in an order that a block table scatters over memory, as an engine's cache is.
struct PagedCache {
    Tensor keys;   // rows: (page x kv heads + head) x page tokens + slot
    Tensor values; // empty for latent attention, whose values are the first part of its keys
    int kvHeads = 0;
    int pageTokens = 0;
    std::size_t pagesPerSequence = 0;
    std::vector<int> table;           // sequence x pages -> page
    std::vector<std::int64_t> length; // tokens of each sequence, the new ones included

    [[nodiscard]] std::size_t row(std::size_t sequence, int head, std::int64_t token) const
    {
        const auto page
            = std::size_t(table[sequence * pagesPerSequence + std::size_t(token) / std::size_t(pageTokens)]);
        return (page * std::size_t(kvHeads) + std::size_t(head)) * std::size_t(pageTokens)
            + std::size_t(token) % std::size_t(pageTokens);
    }
};

// One set of everything a task reads and writes.
struct Operands {
    Tensor input;       // rows x width: activations, queries, logits
    Tensor second;      // residual of a norm; k and v of a rope
    Tensor weights;     // n x k; gate and up of all experts; norm weight
    Tensor downWeights; // experts only
    Tensor router;      // experts x hidden
    PagedCache cache;
    Tensor output;
    Tensor secondOutput;       // the sum a norm passes on
    std::vector<float> angles; // rope: position x (cos, sin) of half a head

    [[nodiscard]] std::size_t bytes() const;
};

// Uniform in [-1, 1] from `seed`, stored in the task's types. Outputs hold NaN until something writes them.
[[nodiscard]] Operands makeOperands(const Task& task, std::uint64_t seed);

// Cached tokens of one sequence before its new ones.
[[nodiscard]] std::int64_t pastOf(const Task& task, std::size_t sequence);

// Cosine and sine of every position a rope task reaches, half a head of pairs each.
[[nodiscard]] std::vector<float> ropeAngles(const Task& task);

void poison(Tensor& tensor);

// Expert e of the task is chosen with this weight before scores are added (routing skew).
[[nodiscard]] double routingBias(const Task& task, int expert);

} // namespace headroom::kernels
