#pragma once

#include "model/base/result.h"
#include "model/resolve/resolve.h"
#include "model/scenario/scenario.h"

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace headroom {

class Catalogue;

// What a search goes through: each accelerator in each of its machines, resolved.
struct MachinesToTry {
    std::vector<std::shared_ptr<const Resolved>> resolved;
    std::vector<std::shared_ptr<const Resolved>> prompting; // empty: the one that decodes
    std::size_t kinds = 0;                                  // accelerators among the first
    std::vector<Message> leftOut;                           // with the reason
};

// The accelerators that were named, or those of the catalogue that people rent or buy; those that may compute
// prompts in a pool of their own, where there may be one.
[[nodiscard]] Result<MachinesToTry> machinesToTry(const Scenario& scenario, const Catalogue& catalogue);

} // namespace headroom
