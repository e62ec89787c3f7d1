#pragma once

#include "kernels/device.h"
#include "kernels/task.h"

#include <string>
#include <vector>

namespace headroom {

// What each process of a job told of itself.
struct RankFacts {
    std::string node; // a machine of the job: its host's name, or the launcher's number of it
    std::string host; // as a person knows it
    kernels::DeviceFacts device;
    std::string library; // "NCCL 2.28.9"
    std::string problem; // why it cannot take part; empty: it can
};
[[nodiscard]] std::string packedFacts(const RankFacts& facts);
[[nodiscard]] RankFacts unpackedFacts(const std::string& pack);

// Ranks that exchange with each other: so many, spread evenly over so many machines.
struct RankGroup {
    std::string key; // the same for all tasks of its size: groupKey()
    std::vector<int> ranks;
    int nodes = 1;
};
[[nodiscard]] std::string groupKey(int ranks, int nodes);
[[nodiscard]] std::string groupKey(const kernels::Task& task);

// Machines of one kind: as many devices of one type each.
struct NodeKind {
    std::string device;                  // "NVIDIA H200"
    std::vector<std::vector<int>> nodes; // ranks of each machine, in their order
    std::vector<RankGroup> groups;       // what is measured: inside one, from one to one, all of several
};

// Where a rank stands among those of its machine.
[[nodiscard]] int localRank(const std::vector<std::string>& nodes, int rank);

// Kinds in the order of their first rank. Groups: 2, 4, 8 and all of a machine; one of each of 2, 4, 8 and
// all machines; all of 2 and of all machines.
[[nodiscard]] std::vector<NodeKind> kindsOf(const std::vector<RankFacts>& facts);

// What keeps the job from being measured: "rank 3 on node7: no CUDA device …".
[[nodiscard]] std::vector<Message> objectionsOf(const std::vector<RankFacts>& facts);

} // namespace headroom
