#pragma once

#include "kernels/device.h"
#include "kernels/task.h"

#include <memory>
#include <string>

namespace headroom::kernels {

// Exchanges between the GPUs that this process sees, through NCCL, loaded at run time. What `bytes` of a task
// counts is what the planner's formulas count: the vector of an all-reduce, one rank's share of an
// all-gather, all that one rank sends in an all-to-all, the message of a send.
class Collectives {
public:
    // With fewer than two devices nothing is loaded: the library is large.
    explicit Collectives(int visibleDevices);
    ~Collectives();
    Collectives(const Collectives&) = delete;
    Collectives& operator=(const Collectives&) = delete;

    [[nodiscard]] std::string version() const; // "NCCL 2.28.9", empty when it is not there
    [[nodiscard]] std::string obstacle(const Task& task, int visibleDevices) const;

    // Buffers of every rank, filled with numbers from which each result follows.
    [[nodiscard]] std::unique_ptr<Prepared> prepare(const Task& task);
    void enqueue(Prepared& prepared);
    // Relative Frobenius norm of the difference from what the ranks' numbers give, over all ranks.
    [[nodiscard]] double check(Prepared& prepared);
    [[nodiscard]] Stretch time(Prepared& prepared, int launches);
    void synchronise();

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace headroom::kernels
