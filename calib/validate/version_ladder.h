#pragma once

#include "model/catalogue/engine.h"

#include <optional>
#include <vector>

namespace headroom {

// The year of a version class: the newest that its id, its version or one of its other names tells ("vllm
// 2024", "0.14 to 0.27 (2026)"). None of a class that tells none.
[[nodiscard]] std::optional<int> yearOf(const Engine& engine);

// One of a class's fitted numbers.
struct DatedValue {
    int year = 0;
    double value = 0;
};

// By what factor a number falls in a year, in ln: each two years of one engine's classes that follow one
// another there. None of a single year.
[[nodiscard]] std::vector<double> lnGainsPerYear(const std::vector<DatedValue>& classes);

// Another class whose number is known, on the platform where one is wanted.
struct Relative {
    DatedValue number;
    bool sameEngine = true;
    bool sameGeneration = true; // of accelerators
};

// What a number is likely to be for a class of `year`: what its relatives have, each as it would be in that
// year by the `lnGain` of one, on average in ln. Classes on both sides in time so have it between them, and
// what is nearest leads beyond the ends. A relative counts a tenth for each year that lies between, a tenth
// where it is another engine and a tenth where it runs on another generation of accelerators. Errors of rows
// left out by source are flat from a fifth to a twentieth (TPOT 11.1 to 11.2 %, throughput 12.7 to 12.9 %).
// `relatives`: at least one.
[[nodiscard]] double likelyIn(int year, const std::vector<Relative>& relatives, double lnGain);

} // namespace headroom
