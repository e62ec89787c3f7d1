#pragma once

#include "kernels/device.h"
#include "kernels/task.h"

#include <memory>
#include <string>

namespace headroom::kernels {

// One process's part in exchanges between devices of several processes, one device each. A group is known to
// all its ranks by a key; whoever makes its ticket hands that to the others by means of his own. Calls of one
// group are made by all its ranks, each in the same order, and throw when they fail.
class Links {
public:
    virtual ~Links() = default;
    Links() = default;
    Links(const Links&) = delete;
    Links& operator=(const Links&) = delete;

    [[nodiscard]] virtual std::string version() = 0; // "NCCL 2.28.9"
    [[nodiscard]] virtual std::string problem() = 0; // why nothing can be exchanged here; empty: it can
    [[nodiscard]] virtual std::string ticket() = 0;  // bytes with which a new group is joined
    // Returns when all ranks have joined.
    virtual void join(const std::string& key, const std::string& ticket, int rank, int ranks) = 0;

    [[nodiscard]] virtual std::unique_ptr<Prepared> prepareIn(const std::string& key, const Task& task) = 0;
    // Of this rank's result: relative Frobenius norm of the difference from what all ranks' numbers give.
    [[nodiscard]] virtual double check(Prepared& prepared) = 0;
    [[nodiscard]] virtual Stretch time(Prepared& prepared, int launches) = 0;
};

} // namespace headroom::kernels
