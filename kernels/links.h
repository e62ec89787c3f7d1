#pragma once

#include "kernels/device.h"
#include "kernels/task.h"

#include <memory>
#include <string>

namespace headroom::kernels {

// Exchanges between the devices of several processes, one device each, as one of these processes sees them.
// All ranks of a group use the same key. The rank that makes the group's ticket passes it to the others; how
// is up to the caller. All ranks of a group make the same calls in the same order; a call throws when it
// fails.
class Links {
public:
    virtual ~Links() = default;
    Links() = default;
    Links(const Links&) = delete;
    Links& operator=(const Links&) = delete;

    [[nodiscard]] virtual std::string version() = 0; // "NCCL 2.28.9"
    [[nodiscard]] virtual Message problem() = 0;     // why nothing can be exchanged here; empty: it can
    [[nodiscard]] virtual std::string ticket() = 0;  // bytes with which a new group is joined
    // Returns when all ranks have joined.
    virtual void join(const std::string& key, const std::string& ticket, int rank, int ranks) = 0;

    [[nodiscard]] virtual std::unique_ptr<Prepared> prepareIn(const std::string& key, const Task& task) = 0;
    // Of this rank's result: relative Frobenius norm of the difference from what all ranks' numbers give.
    [[nodiscard]] virtual double check(Prepared& prepared) = 0;
    [[nodiscard]] virtual Stretch time(Prepared& prepared, int launches) = 0;
};

} // namespace headroom::kernels
