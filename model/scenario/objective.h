#pragma once

#include "model/base/joined_names.h"
#include "model/base/kinds_with_rows.h"

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
    std::string_view
        key; // of a flag, a scenario file and the words of a question (resources/ask/words.tsv, "Goal")
    std::string_view english; // as people say it
    std::string_view chinese;
    bool growsWithGpus = false; // more GPUs of one kind are always worse, which a search may rely on
    bool fillsReplicas = false; // best with every replica full, where no load was stated
};

constexpr std::optional<ObjectiveRow> objectiveRow(Objective objective)
{
    switch (objective) {
    case Objective::FewestGpus:
        return ObjectiveRow{
            .key = "gpus", .english = "fewest GPUs", .chinese = "GPU 数量最少", .growsWithGpus = true};
    case Objective::CheapestHour:
        return ObjectiveRow{.key = "hour",
                            .english = "lowest cost per hour",
                            .chinese = "每小时成本最低",
                            .growsWithGpus = true};
    case Objective::CheapestTokens:
        return ObjectiveRow{.key = "tokens",
                            .english = "lowest cost per token",
                            .chinese = "每 token 成本最低",
                            .fillsReplicas = true};
    case Objective::LeastEnergy:
        return ObjectiveRow{
            .key = "energy", .english = "lowest energy", .chinese = "能耗最低", .fillsReplicas = true};
    case Objective::MostThroughput:
        return ObjectiveRow{.key = "throughput",
                            .english = "highest throughput",
                            .chinese = "吞吐最高",
                            .fillsReplicas = true};
    case Objective::MostUsers:
        return ObjectiveRow{
            .key = "users", .english = "most users", .chinese = "用户最多", .fillsReplicas = true};
    case Objective::FastestStream:
        return ObjectiveRow{.key = "speed", .english = "fastest for one user", .chinese = "单用户速度最快"};
    }
    return std::nullopt; // no such objective: where a walk over all of them ends
}

constexpr bool growsWithGpus(Objective objective) { return objectiveRow(objective)->growsWithGpus; }
constexpr std::string_view objectiveKey(Objective objective) { return objectiveRow(objective)->key; }

inline constexpr auto allObjectives = kindsWithRows<objectiveRow>;

constexpr std::optional<Objective> objectiveFromKey(std::string_view key)
{
    return kindNamed(allObjectives, objectiveKey, key);
}

// "gpus, hour, tokens …": for help texts and refusals.
inline constexpr auto objectiveKeys = joinedNames(allObjectives, objectiveKey, ", ");
inline constexpr auto objectiveChoices = joinedNames(allObjectives, objectiveKey, "|"); // of a help text

} // namespace headroom
