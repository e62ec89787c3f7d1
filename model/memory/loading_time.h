#pragma once

#include "model/deploy/deployment.h"

#include <optional>

namespace headroom {

// How long the weights of a replica take to come into its GPUs. The engine's own start (captures,
// compilations) comes on top.
struct LoadingTime {
    Seconds fromStorage;    // every box reads its share of the checkpoint and copies it on meanwhile
    Seconds fromHostMemory; // where the checkpoint is in the boxes' memory already
    bool boundByStorage = true;
};
// None where nothing is known of the box's storage or of its link to the GPUs.
[[nodiscard]] std::optional<LoadingTime> loadingTime(const Deployment& deployment);

} // namespace headroom
