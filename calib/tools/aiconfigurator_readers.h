#pragma once

#include "calib/tools/published_samples.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom {

// Readers of ai-dynamo/aiconfigurator's tables, one for each kind of operator.
using Samples = std::vector<OpSample>;

[[nodiscard]] Samples readProducts(const TimingTable& table, const Gpu& gpu);
[[nodiscard]] Samples readAttention(const TimingTable& table, const Gpu& gpu, bool decode);
[[nodiscard]] Samples readLatentAttention(const TimingTable& table, const Gpu& gpu, bool decode);
[[nodiscard]] Samples readCustomAllReduce(const TimingTable& table);
[[nodiscard]] Samples readNccl(const TimingTable& table);

// Timings of one type of weights, and what is to be said of those that are not among them.
struct OfOneType {
    Samples samples;
    std::string without;
};
[[nodiscard]] std::vector<OfOneType> readExperts(const TimingTable& table, const Gpu& gpu);

// The publisher's name of a type of numbers; nothing for mixed types whose arithmetic our forms do not know.
[[nodiscard]] std::optional<GemmClass> gemmClassOfName(const std::string& name);

} // namespace headroom
