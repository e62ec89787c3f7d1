#include "calib/tools/published_routing.h"

#include "model/scenario/service_load.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>
#include <random>
#include <vector>

namespace headroom {

namespace {

// Rows of each expert.
using Counts = std::vector<double>;

RankLoad loadOf(const Counts& counts, int ranks)
{
    const std::size_t local = counts.size() / static_cast<std::size_t>(ranks);
    RankLoad heaviest;
    for (std::size_t first = 0; first + local <= counts.size(); first += local) {
        const auto begin = counts.begin() + static_cast<std::ptrdiff_t>(first);
        const auto end = begin + static_cast<std::ptrdiff_t>(local);
        const double rows = std::accumulate(begin, end, 0.0);
        if (rows > heaviest.rows)
            heaviest = {.rows = rows,
                        .experts = double(std::count_if(begin, end, [](double n) { return n > 0; })),
                        .lnSpread = 0};
    }
    return heaviest;
}

Counts balanced(int tokens, int experts, int chosen)
{
    Counts counts(static_cast<std::size_t>(experts));
    const int stride = (experts + chosen - 1) / chosen;
    for (int token = 0; token < tokens; ++token)
        for (int i = 0; i < chosen; ++i) {
            const double start = tokens >= stride ? token : double(token) * stride / tokens;
            counts[static_cast<std::size_t>(start + double(i) * stride) % counts.size()] += 1;
        }
    return counts;
}

Counts powerLaw(double exponent, int tokens, int experts, int chosen, std::mt19937_64& random)
{
    const double total = double(tokens) * chosen;
    const bool plenty = total > experts;
    const double power = 1 - exponent;
    const double low = std::pow(plenty ? 1 : 0.01, power);
    const double high = std::pow(plenty ? tokens * 0.8 : 2, power);
    std::uniform_real_distribution<double> uniform;
    Counts counts(static_cast<std::size_t>(experts));
    for (double& count : counts)
        count = std::pow((high - low) * uniform(random) + low, 1 / power);
    const double scale = total / std::accumulate(counts.begin(), counts.end(), 0.0);
    for (double& count : counts)
        count = std::round(count * scale);
    // What rounding lost or added goes to the busiest experts first, or comes from the idlest.
    std::vector<std::size_t> order(counts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return counts[a] > counts[b]; });
    double missing = total - std::accumulate(counts.begin(), counts.end(), 0.0);
    for (std::size_t i = 0; missing > 0; ++i, --missing)
        counts[order[i % order.size()]] += 1;
    for (std::size_t i = order.size(); missing<0; i = i> 1 ? i - 1 : order.size())
        if (double& count = counts[order[i - 1]]; count > 0) {
            count -= 1;
            ++missing;
        }
    return counts;
}

} // namespace

RankLoad PublishedRouting::load(std::string_view distribution, int tokens, int experts, int chosen, int ranks)
{
    const auto key = std::tuple(std::string(distribution), tokens, experts, chosen, ranks);
    if (const auto known = m_known.find(key); known != m_known.end())
        return known->second;
    RankLoad mean;
    constexpr std::string_view prefix = "power_law_";
    double exponent = 0;
    if (distribution.substr(0, prefix.size()) == prefix)
        (void)std::from_chars(distribution.data() + prefix.size(), distribution.data() + distribution.size(),
                              exponent);
    if (exponent <= 0 || exponent == 1) {
        mean = loadOf(balanced(tokens, experts, chosen), ranks);
    } else {
        std::mt19937_64 random(5); // any seed: the same table always gives the same samples
        constexpr int draws = 24;
        double rowSquares = 0;
        double expertSquares = 0;
        for (int draw = 0; draw < draws; ++draw) {
            const RankLoad one = loadOf(powerLaw(exponent, tokens, experts, chosen, random), ranks);
            mean.rows += one.rows / draws;
            mean.experts += one.experts / draws;
            rowSquares += one.rows * one.rows / draws;
            expertSquares += one.experts * one.experts / draws;
        }
        const auto spread = [](double square, double average) {
            return std::sqrt(std::max(0.0, square - average * average)) / std::max(average, 1e-9);
        };
        mean.lnSpread = std::max(spread(rowSquares, mean.rows), spread(expertSquares, mean.experts));
    }
    m_known.emplace(key, mean);
    return mean;
}

} // namespace headroom
