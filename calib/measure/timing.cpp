#include "calib/measure/timing.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace headroom {

double medianOf(std::vector<double> values)
{
    assert(!values.empty());
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

std::vector<double> StoppingRule::kept() const
{
    std::vector<double> sorted = m_stretches;
    std::sort(sorted.begin(), sorted.end());
    const double wanted = std::ceil(m_policy.kept * static_cast<double>(sorted.size()));
    sorted.resize(std::max<std::size_t>(static_cast<std::size_t>(wanted), 1));
    return sorted;
}

double StoppingRule::spread() const
{
    constexpr double normal = 1.4826; // standard deviation of a normal over its median absolute deviation
    const std::vector<double> stretches = kept();
    const double median = medianOf(stretches);
    std::vector<double> deviations;
    for (const double stretch : stretches)
        deviations.push_back(std::abs(stretch - median));
    return median > 0 ? normal * medianOf(std::move(deviations)) / median : 0;
}

bool StoppingRule::enough() const
{
    const auto replays = static_cast<std::size_t>(std::max(m_policy.replays, 1));
    if (m_stretches.empty() || m_stretches.size() % replays != 0)
        return false;
    return m_stretches.size() >= replays * static_cast<std::size_t>(m_policy.mostRounds)
        || spread() <= m_policy.accepted;
}

Timing StoppingRule::timing(int launches) const
{
    const auto replays = static_cast<std::size_t>(std::max(m_policy.replays, 1));
    Timing out{.perLaunch = {}, .lnSpread = 0, .rounds = 0, .launches = launches, .noisy = false};
    if (m_stretches.empty())
        return out;
    out.perLaunch = Seconds(medianOf(kept()));
    out.lnSpread = spread();
    out.rounds = static_cast<int>((m_stretches.size() + replays - 1) / replays);
    out.noisy = out.lnSpread > m_policy.accepted;
    return out;
}

int replaysFor(const TimingPolicy& policy, Seconds stretch)
{
    if (!(policy.longestRound.base() > 0) || !(stretch.base() > 0))
        return policy.replays;
    const double fitting = policy.longestRound / stretch;
    return static_cast<int>(
        std::clamp(fitting, double(std::min(policy.fewest, policy.replays)), double(policy.replays)));
}

int launchesFor(const TimingPolicy& policy, Seconds once)
{
    constexpr double most = 100000; // an empty launch of 20 ns would still end in 2 ms
    if (!(once.base() > 0))
        return 1;
    return static_cast<int>(std::clamp(std::ceil(policy.stretch / once), 1.0, most));
}

} // namespace headroom
