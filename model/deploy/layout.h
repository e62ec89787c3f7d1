#pragma once

#include <cstdint>

namespace headroom {

// How the load of experts is dealt out over the ranks that they are spread over.
enum class ExpertBalance : std::uint8_t {
    AsRouted, // experts stay where they were loaded: some ranks meet more tokens than others
    Balanced  // a load balancer moves and copies experts (EPLB)
};

// How one service is spread over GPUs: replicas x dp x tp x pp of them; ep spreads experts over dp x tp.
struct Layout {
    int tp = 1; // tensor parallel
    int pp = 1; // pipeline stages
    int ep = 1; // expert parallel, divides dp * tp
    int dp = 1; // data-parallel attention ranks inside a replica
    int replicas = 1;
    int redundantExperts = 0; // further copies of experts, dealt out over ep with the others

    [[nodiscard]] constexpr int gpusPerReplica() const { return tp * pp * dp; }
    [[nodiscard]] constexpr int gpus() const { return gpusPerReplica() * replicas; }

    friend bool operator==(const Layout&, const Layout&) = default;
};

} // namespace headroom
