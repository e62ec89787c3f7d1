#pragma once

namespace headroom {

// How one service is spread over GPUs: replicas x dp x tp x pp of them; ep spreads experts over dp x tp.
struct Layout {
    int tp = 1; // tensor parallel
    int pp = 1; // pipeline stages
    int ep = 1; // expert parallel, divides dp * tp
    int dp = 1; // data-parallel attention ranks inside a replica
    int replicas = 1;

    [[nodiscard]] constexpr int gpusPerReplica() const { return tp * pp * dp; }
    [[nodiscard]] constexpr int gpus() const { return gpusPerReplica() * replicas; }

    friend bool operator==(const Layout&, const Layout&) = default;
};

} // namespace headroom
