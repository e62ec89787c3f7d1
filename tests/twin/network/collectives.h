#pragma once

#include "transfers.h"

#include <vector>

namespace headroom::twin {

// Exchanges as sets of messages among `ranks` (their order is the order of the ring). Bytes are those of one
// rank's buffer: what all-reduce adds up, what all-gather takes from each, what all-to-all sends in all. Each
// returns, for every rank, the message that ends its part.
using Ranks = std::vector<int>;
[[nodiscard]] Ranks firstRanks(int count);

std::vector<int> ringReduceScatter(Transfers& out, const Ranks& ranks, double bytes,
                                   const std::vector<int>& after);
std::vector<int> ringAllGather(Transfers& out, const Ranks& ranks, double each,
                               const std::vector<int>& after);
std::vector<int> ringAllReduce(Transfers& out, const Ranks& ranks, double bytes);
// Each sends the whole of it to all others, who add up by themselves.
std::vector<int> oneShotAllReduce(Transfers& out, const Ranks& ranks, double bytes);
// Two binary trees, each for half of it, in pieces that follow one another: up to the root and down again.
// Who is a leaf in one is a node in the other (NCCL's double binary trees; Sanders, Speck, Traeff 2009).
std::vector<int> treeAllReduce(Transfers& out, const Ranks& ranks, double bytes, int pieces);
// The switch adds up: each rank's bytes pass its link once up and once down (NVLS), in pieces.
std::vector<int> switchAllReduce(Transfers& out, const Fabric& fabric, const Ranks& ranks, double bytes,
                                 int pieces);
// Reduce-scatter within each box, a ring among equals of all boxes, all-gather within each box; in pieces
// that follow one another, so that links and adapters work at the same time.
std::vector<int> hierarchicalAllReduce(Transfers& out, const Fabric& fabric, double bytes, int pieces);
// One ring through all GPUs for each adapter of a box, each with its share; ring k leaves and enters boxes
// through the k-th adapters.
std::vector<int> railRingsAllReduce(Transfers& out, const Fabric& fabric, double bytes);
// Equals of all boxes first, then within each box what came.
std::vector<int> hierarchicalAllGather(Transfers& out, const Fabric& fabric, double each);
// bytes[from][to], straight.
void directAllToAll(Transfers& out, const std::vector<std::vector<double>>& bytes);

} // namespace headroom::twin
