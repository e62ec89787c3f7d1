#include "model/count/expert_balance.h"

#include <algorithm>
#include <cmath>

namespace headroom {
namespace {

// Standard deviation of one expert's load, over the mean load. A rank's load is a sum over its experts, so it
// deviates by this over the root of their number. docs/architecture.md, "Load of experts' ranks", derives
// both from published runs.
constexpr double deviationAsRouted = 0.44;
constexpr double deviationBalanced = 0.034;

// Expected largest of n values of a standard normal law: Blom's plotting position, Tukey's lambda for the
// quantile.
double expectedLargest(int n)
{
    const double p = (n - 0.375) / (n + 0.25);
    return (std::pow(p, 0.135) - std::pow(1 - p, 0.135)) / 0.1975;
}

} // namespace

double busiestRank(ExpertBalance balance, int ranks, double experts, double choices)
{
    if (ranks <= 1 || experts <= 0 || choices <= 0)
        return 1;
    const double popularity = balance == ExpertBalance::Balanced ? deviationBalanced : deviationAsRouted;
    // The experts that the tokens of one step choose are a draw from those popularities: its variance comes
    // on top.
    const double variance = popularity * popularity / experts + 1 / choices;
    return std::min(1 + expectedLargest(ranks) * std::sqrt(variance), double(ranks));
}

} // namespace headroom
