#pragma once

#include "kernels/links.h"

#include <memory>
#include <string>

namespace headroom::kernels {

// Exchanges through NCCL, loaded when it is first needed: between all GPUs that this process sees, or as one
// rank of a group of processes. What `bytes` of a task counts is what the planner's formulas count: the
// vector of an all-reduce, one rank's share of an all-gather, all that one rank sends in an all-to-all, the
// message of a send.
class Collectives final : public Links {
public:
    // `device`: whose rank this process is in a group of processes. With one visible device nothing is loaded
    // before a group is asked for: the library is large.
    Collectives(int device, int visibleDevices);
    ~Collectives() override;

    [[nodiscard]] std::string version() override; // empty when it is not there
    [[nodiscard]] Message problem() override;
    [[nodiscard]] std::string ticket() override;
    void join(const std::string& key, const std::string& ticket, int rank, int ranks) override;
    [[nodiscard]] std::unique_ptr<Prepared> prepareIn(const std::string& key, const Task& task) override;

    // Between the visible devices 0 to ranks - 1.
    [[nodiscard]] std::string versionHere(); // empty with fewer than two
    [[nodiscard]] Message obstacleHere(const Task& task, Bytes memory);
    [[nodiscard]] std::unique_ptr<Prepared> prepareHere(const Task& task);

    void enqueue(Prepared& prepared);
    [[nodiscard]] double check(Prepared& prepared) override; // over the ranks of this process
    [[nodiscard]] Stretch time(Prepared& prepared, int launches) override;
    void synchronise();

private:
    struct State;
    [[nodiscard]] State& loaded();

    int m_device;
    int m_visibleDevices;
    std::unique_ptr<State> m_state;
};

} // namespace headroom::kernels
