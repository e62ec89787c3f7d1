#pragma once

#include "model/catalogue/engine.h"

#include <optional>
#include <string>

namespace headroom {

// Settings of the server that a row states in place of its engine's defaults, as the engines spell them.
struct LaunchOptions {
    std::optional<double> batchedTokens;   // of one step
    std::optional<double> sequences;       // running at once
    std::optional<double> memoryFraction;  // of the engine's own memory base
    std::optional<double> receiveInterval; // steps between two looks at what has arrived

    [[nodiscard]] bool any() const { return batchedTokens || sequences || memoryFraction || receiveInterval; }
    friend bool operator==(const LaunchOptions&, const LaunchOptions&) = default;
};
[[nodiscard]] LaunchOptions launchOptions(const std::string& notes);
[[nodiscard]] Engine launchedWith(const Engine& engine, const LaunchOptions& options);

} // namespace headroom
