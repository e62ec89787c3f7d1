#pragma once

#include "calib/links/exchange.h"
#include "calib/links/rank_table.h"
#include "kernels/device.h"
#include "kernels/links.h"

#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace headroom {

// This process's part in what the leader orders: a rank of the groups it joined.
class RankWork {
public:
    RankWork(kernels::Links& links, int rank, const std::vector<RankGroup>& groups)
        : m_links(links), m_rank(rank), m_groups(groups)
    {}
    // The answer to one order: "none" where this rank has no part in it, "ok NUMBER", or "failed WHY".
    [[nodiscard]] std::string answer(const std::string& order);

private:
    [[nodiscard]] std::string carriedOut(std::istringstream& order);

    kernels::Links& m_links;
    int m_rank;
    const std::vector<RankGroup>& m_groups;
    std::map<int, std::unique_ptr<kernels::Prepared>> m_prepared;
};

// All ranks join all their groups, one after another. Throws CalibrationBroken with the first rank's reason
// that could not.
void joinGroups(Exchange& exchange, kernels::Links& links, int rank, const std::vector<RankGroup>& groups);

// The ranks of a job as one device, for its leader: everything asked of it is done by all. The other
// processes follow it until it is gone.
class RankedDevice final : public kernels::Device {
public:
    RankedDevice(Exchange& exchange, RankWork& work, kernels::DeviceFacts facts,
                 const std::vector<RankGroup>& groups, kernels::Device& own);
    ~RankedDevice() override;

    [[nodiscard]] const kernels::DeviceFacts& facts() const override { return m_facts; }
    [[nodiscard]] kernels::DeviceState state() override { return m_own.state(); }
    [[nodiscard]] Message obstacle(const kernels::Task& task) const override;
    [[nodiscard]] std::unique_ptr<kernels::Prepared> prepare(const kernels::Task& task, std::uint64_t seed,
                                                             int copies) override;
    void enqueue(kernels::Prepared&, int) override {}
    // The largest of the ranks' errors, and the longest of their times: who waits for all waits so long.
    [[nodiscard]] double check(kernels::Prepared& prepared) override;
    [[nodiscard]] kernels::Stretch time(kernels::Prepared& prepared, int launches) override;
    void synchronise() override {}

private:
    friend class RankedPrepared;
    double order(const std::string& words);

    Exchange& m_exchange;
    RankWork& m_work;
    kernels::DeviceFacts m_facts;
    std::set<std::string> m_groups;
    kernels::Device& m_own;
    std::vector<int> m_dropped; // told with the next order
    int m_next = 0;
};

// What the others do until the leader's device is gone.
void followLeader(Exchange& exchange, RankWork& work);

} // namespace headroom
