#pragma once

#include "model/catalogue/engine.h"
#include "model/measured/measured_row.h"
#include "model/ranges/run_kind.h"
#include "model/scenario/length_distribution.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace headroom {

struct RowLoad {
    RunKind kind = RunKind::ClosedLoop;
    double amount = 1;         // sequences, users, requests or requests a second of the whole set-up
    double finiteRequests = 0; // how many the run had; 0: not said
    std::string arrivals;      // of an open loop, as scenarios write it
    double offered = 0;        // of a closed loop that a load tool's bound makes of arrivals: their rate
    double mostInFlight = 0;   // of an open loop that is bounded, but not held, by one; 0: not said
    LengthDistribution prompt = LengthDistribution::of(1024);
    LengthDistribution output = LengthDistribution::of(256);
    bool lengthsGuessed = false; // of real texts only the mean is stated
};
// The load, or why it cannot be predicted.
[[nodiscard]] std::variant<RowLoad, Message> rowLoadOf(const MeasuredRow& row, const Engine& engine);

} // namespace headroom
