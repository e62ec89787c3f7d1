#pragma once

#include "collectives.h"

#include <cstdint>
#include <vector>

namespace headroom::twin {

// Where the experts of one layer stand: `places[rank]` lists the experts that a rank holds, copies of popular
// ones included.
struct Placement {
    int experts = 0;
    std::vector<std::vector<int>> places;

    [[nodiscard]] int ranks() const { return static_cast<int>(places.size()); }
};
// In the order of their numbers, as many on each rank, no copies; `experts` must divide.
[[nodiscard]] Placement inOrder(int experts, int ranks);
// Balanced by known popularity: `redundant` copies go to the busiest, then the heaviest copy goes to the
// least loaded rank that has room (DeepSeek's expert-parallel load balancer, its global policy).
[[nodiscard]] Placement balanced(const std::vector<double>& popularity, int redundant, int ranks);

// Shares of the routed rows: even, or exponentially distributed as public traces of routing come near to
// (docs/executor.md), in an order drawn from the seed. They add up to one.
[[nodiscard]] std::vector<double> evenPopularity(int experts);
[[nodiscard]] std::vector<double> skewedPopularity(int experts, std::uint64_t seed);

// Experts that each token of each rank chose: [rank][token][choice].
using Routing = std::vector<std::vector<std::vector<int>>>;
[[nodiscard]] Routing routed(const std::vector<double>& popularity, int chosen, int tokensPerRank, int ranks,
                             std::uint64_t seed);

// Rank on which each choice is computed: copies of an expert take turns.
[[nodiscard]] Routing ranksOf(const Routing& routing, const Placement& placement);
// Rows that each rank's experts compute; the busiest over the mean is the imbalance.
[[nodiscard]] std::vector<double> rowsOf(const Routing& targets, int ranks);
[[nodiscard]] double imbalance(const std::vector<double>& rows);

// How tokens reach their experts; combining goes the same ways back.
enum class Dispatch {
    DeepEpNormal,     // once over the network to each box, from there over the links to each GPU
    DeepEpLowLatency, // every chosen expert's copy straight, over the network even within a box
    Domain,           // straight over the links, once to each GPU (one NVLink domain)
    GatherScatter     // everybody's tokens to everybody, sums scattered back
};
// The messages of dispatching `bytes` a token.
void dispatch(Transfers& out, const Fabric& fabric, const Routing& targets, double bytes, Dispatch kind);

} // namespace headroom::twin
