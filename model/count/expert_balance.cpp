#include "model/count/expert_balance.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace headroom {
namespace {

// Standard deviation of one expert's load, over the mean load. A rank's load is a sum over its experts, so it
// deviates by this over the root of their number. docs/architecture.md, "Load of experts' ranks", derives
// both from published runs.
constexpr double deviationAsRouted = 0.44;
constexpr double deviationBalanced = 0.034;

} // namespace

namespace {

// Blom's plotting position, Tukey's lambda for the quantile.
double largestOf(int n)
{
    const double p = (n - 0.375) / (n + 0.25);
    return (std::pow(p, 0.135) - std::pow(1 - p, 0.135)) / 0.1975;
}

} // namespace

// Two powers, asked for in every layer of experts: of as many ranks as there mostly are they are a table.
double expectedLargest(int n)
{
    static const auto ofFew = [] {
        std::array<double, 129> out{};
        for (std::size_t i = 1; i < out.size(); ++i)
            out[i] = largestOf(static_cast<int>(i));
        return out;
    }();
    return n > 0 && n < static_cast<int>(ofFew.size()) ? ofFew[static_cast<std::size_t>(n)] : largestOf(n);
}

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

// Which experts are met is a draw without replacement, so that what one rank has more another has less. The
// largest of r such counts lies as far out as that of r independent ones of the variance n q (1 - q) H / (H -
// 1) with q = met / H and n = H / r: their own, n q (1 - q) (H - n) / (H - 1), times r / (r - 1) for what
// they owe one another.
double mostMet(int ranks, double held, double met)
{
    if (ranks <= 1 || held <= 1 || met <= 0)
        return met / std::max(ranks, 1);
    const double own = held / ranks;
    const double share = std::min(met / held, 1.0);
    const double variance = own * share * (1 - share) * held / (held - 1);
    return std::min({own * share + expectedLargest(ranks) * std::sqrt(variance), own, met});
}

} // namespace headroom
