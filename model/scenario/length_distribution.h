#pragma once

#include "model/base/result.h"

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

// Lengths of prompts or outputs in tokens, as the user wrote them.
struct LengthDistribution {
    enum class Kind : std::uint8_t { Fixed, Uniform, LogNormal, Empirical };
    Kind kind = Kind::Fixed;
    double fixed = 0;
    double low = 0; // Uniform
    double high = 0;
    double lnMean = 0; // LogNormal: parameters of the logarithm
    double lnSpread = 0;
    std::vector<double> sorted; // Empirical
    std::string text;           // as written: "lognormal:mean=1155,p99=7000"

    [[nodiscard]] double mean() const;
    [[nodiscard]] double variation() const; // standard deviation over the mean
    [[nodiscard]] double quantile(double fraction) const;
    [[nodiscard]] double sample(std::mt19937_64& random) const; // at least 1, whole

    static LengthDistribution of(double tokens);
    static LengthDistribution uniform(double low, double high);
    static LengthDistribution logNormal(double mean, double quantile,
                                        double fraction); // mean and one percentile
    static LengthDistribution logNormalOf(double mean, double lnSpread);
    static LengthDistribution empirical(std::vector<double> lengths); // at least one
    friend bool operator==(const LengthDistribution&, const LengthDistribution&) = default;
};

// "1024", "4k", "uniform:128-2048", "lognormal:mean=1155,p99=7000", "lognormal:mean=1155,spread=0.65" (of the
// logarithm), "questions:217" and "answers:162" (lengths of real conversations of that mean) or
// "file:lengths.csv". Of a file only the
// name is taken (kind Empirical without lengths): whoever may read files fills it in. The problem's `where`
// is the caller's.
[[nodiscard]] Result<LengthDistribution> lengthsFromText(std::string_view text);

} // namespace headroom
