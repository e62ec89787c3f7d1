#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace headroom {

// What "best" means among the services that meet the targets. The figure that is compared stands in
// search/ranking.cpp.
enum class Objective : std::uint8_t {
    FewestGpus,
    CheapestHour,
    CheapestTokens,
    LeastEnergy,
    MostThroughput,
    MostUsers,
    FastestStream
};

// All else that differs between objectives, a row for each: an objective without one does not compile.
struct ObjectiveRow {
    std::string_view key;       // of a flag and a scenario file
    bool growsWithGpus = false; // more GPUs of one kind are always worse, which a search may rely on
    bool fillsReplicas = false; // best with every replica full, where no load was stated
};

constexpr std::optional<ObjectiveRow> objectiveRow(Objective objective)
{
    switch (objective) {
    case Objective::FewestGpus:
        return ObjectiveRow{.key = "gpus", .growsWithGpus = true};
    case Objective::CheapestHour:
        return ObjectiveRow{.key = "hour", .growsWithGpus = true};
    case Objective::CheapestTokens:
        return ObjectiveRow{.key = "tokens", .fillsReplicas = true};
    case Objective::LeastEnergy:
        return ObjectiveRow{.key = "energy", .fillsReplicas = true};
    case Objective::MostThroughput:
        return ObjectiveRow{.key = "throughput", .fillsReplicas = true};
    case Objective::MostUsers:
        return ObjectiveRow{.key = "users", .fillsReplicas = true};
    case Objective::FastestStream:
        return ObjectiveRow{.key = "speed"};
    }
    return std::nullopt; // no such objective: where a walk over all of them ends
}

constexpr bool growsWithGpus(Objective objective) { return objectiveRow(objective)->growsWithGpus; }
constexpr std::string_view objectiveKey(Objective objective) { return objectiveRow(objective)->key; }

constexpr std::optional<Objective> objectiveFromKey(std::string_view key)
{
    for (std::uint8_t i = 0; objectiveRow(static_cast<Objective>(i)); ++i)
        if (objectiveRow(static_cast<Objective>(i))->key == key)
            return static_cast<Objective>(i);
    return std::nullopt;
}

} // namespace headroom
