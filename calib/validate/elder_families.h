#pragma once

#include "calib/validate/prepared_runs.h"
#include "model/yaml/catalogue.h"

#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace headroom {

// The generation before a family of accelerators, of the same vendor and kind; the family itself where the
// catalogue has none, whose priors are then all that is left.
[[nodiscard]] inline std::string elderOf(const std::string& family)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 15> elders{{
        {"ampere-dc", "volta"},
        {"hopper", "ampere-dc"},
        {"blackwell-dc", "hopper"},
        {"ampere-ada-server", "turing"},
        {"geforce-ada", "geforce-ampere"},
        {"geforce-blackwell", "geforce-ada"},
        {"rtx-pro-blackwell", "ampere-ada-server"},
        {"gb10", "ampere-ada-server"}, // its multiprocessors came with rtx-pro-blackwell
        {"cdna3", "cdna2"},
        {"cdna4", "cdna3"},
        {"rdna4", "rdna3"},
        // No elder has timings: the nearest of the same vendor.
        {"volta", "turing"},
        {"geforce-ampere", "turing"},
        {"rdna3", "cdna2"},
        {"xe-hpc", "arc"},
    }};
    for (const auto& [younger, elder] : elders)
        if (younger == family)
            return std::string(elder);
    return family;
}

// The same runs on cards of whose generation nothing was ever timed: the specification, and the kernels of
// the generation before.
[[nodiscard]] PreparedRuns asIfUnseen(PreparedRuns prepared, const Catalogue& catalogue);

} // namespace headroom
