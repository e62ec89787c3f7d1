#include "model/serve/confidence.h"

#include <algorithm>
#include <cmath>

namespace headroom::serve {

namespace {

double probabilityOf(std::int64_t k, std::int64_t n, double p)
{
    if (p <= 0 || p >= 1)
        return (p <= 0 ? k == 0 : k == n) ? 1 : 0;
    const auto logFactorial = [](std::int64_t of) { return std::lgamma(static_cast<double>(of) + 1); };
    return std::exp(logFactorial(n) - logFactorial(k) - logFactorial(n - k)
                    + static_cast<double>(k) * std::log(p) + static_cast<double>(n - k) * std::log1p(-p));
}

// What lies further from the mean than this adds less than 1e-20 (Hoeffding's bound).
std::int64_t reach(std::int64_t n) { return static_cast<std::int64_t>(5 * std::sqrt(double(n))) + 5; }

// Probability of at most k successes in n.
double atMost(std::int64_t k, std::int64_t n, double p)
{
    const auto mean = static_cast<std::int64_t>(p * static_cast<double>(n));
    double sum = 0;
    for (std::int64_t i = std::max<std::int64_t>(0, mean - reach(n)); i <= std::min(k, mean + reach(n)); ++i)
        sum += i <= n ? probabilityOf(i, n, p) : 0;
    return std::min(1.0, sum);
}

// The share at which a falling function of it has become `wanted`.
template <typename Falling>
double shareWhere(const Falling& falling, double wanted)
{
    double low = 0;
    double high = 1;
    for (int halvings = 0; halvings < 40; ++halvings) // to 1e-12
        (falling((low + high) / 2) > wanted ? low : high) = (low + high) / 2;
    return (low + high) / 2;
}

} // namespace

RankInterval ranksAround(double p, std::int64_t count, double confidence)
{
    const double share = p / 100;
    const double tail = (1 - confidence) / 2;
    const auto mean = static_cast<std::int64_t>(share * static_cast<double>(count));
    RankInterval ranks;
    double below = 0; // probability that fewer than `rank` requests lie below the true percentile
    for (std::int64_t rank = std::max<std::int64_t>(1, mean - reach(count)); rank <= count; ++rank) {
        below += probabilityOf(rank - 1, count, share);
        if (below <= tail)
            ranks.low = rank;
        if (1 - below <= tail) {
            ranks.high = rank;
            break;
        }
    }
    return ranks;
}

ShareInterval shareAround(std::int64_t met, std::int64_t count, double confidence)
{
    if (count <= 0)
        return {};
    const double tail = (1 - confidence) / 2;
    ShareInterval share;
    if (met > 0)
        share.low = shareWhere([&](double p) { return atMost(met - 1, count, p); }, 1 - tail);
    if (met < count)
        share.high = shareWhere([&](double p) { return atMost(met, count, p); }, tail);
    return share;
}

} // namespace headroom::serve
