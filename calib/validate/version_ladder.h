#pragma once

#include "model/catalogue/engine.h"

#include <optional>
#include <set>
#include <vector>

namespace headroom {

// The year of a version class: the newest that its id, its version or one of its other names tells ("vllm
// 2024", "0.14 to 0.27 (2026)"). None of a class that tells none.
[[nodiscard]] std::optional<int> yearOf(const Engine& engine);

// The newest version that a class is of, its parts in their order: {0, 27} of "0.14 to 0.27 (2026)"; what
// stands in brackets counts for nothing. Empty of a class that tells none.
[[nodiscard]] std::vector<int> newestVersionOf(const Engine& engine);

// One of a class's fitted numbers.
struct DatedValue {
    int year = 0;
    double value = 0;
};

// By what factor a number falls in a year, in ln: each two years of one engine's classes that follow one
// another there. None of a single year.
[[nodiscard]] std::vector<double> lnGainsPerYear(const std::vector<DatedValue>& classes);

// Another class whose number is known.
struct Relative {
    DatedValue number;
    bool sameEngine = true;
    bool sameGeneration = true;        // of accelerators
    bool sameHost = true;              // compiled code as well, or Python as well
    bool samePlatform = true;          // as where the number is wanted
    std::optional<int> classesApart{}; // of one engine, by its versions: in place of the years between
};

// By how many places two classes of one engine are apart where these are all of its newest versions.
[[nodiscard]] int classesApart(const Engine& a, const Engine& b, const std::set<std::vector<int>>& versions);

// What a number is likely to be for a class of `year`: what its relatives have, each as it would be in that
// year by the `lnGain` of one, on average in ln. Classes on both sides in time so have it between them, and
// what is nearest leads beyond the ends. A relative counts `farther` as much for each year that lies between,
// and for another engine, another generation of accelerators, another platform and a host of another kind
// each. Of what a step takes a tenth: errors of rows left out by source are flat from a fifth to a twentieth
// (TPOT 11.1 to 11.2 %, throughput 12.7 to 12.9 %). `relatives`: at least one.
constexpr double fartherOfSteps = 0.1;
[[nodiscard]] double likelyIn(int year, const std::vector<Relative>& relatives, double lnGain,
                              double farther = fartherOfSteps);

} // namespace headroom
