#include "model/search/learned_ratios.h"

#include <algorithm>
#include <cmath>

namespace headroom {

namespace {

double octaves(double a, double b) { return std::abs(std::log2(std::max(a, 1.0) / std::max(b, 1.0))); }

} // namespace

void LearnedRatios::add(const Candidate& played)
{
    if (const std::optional<ReplayRatio> ratio = replayRatioOf(played))
        m_runs.push_back({played.machine.get(), played.deployment.layout, played.point.users, *ratio});
}

// Decides only in which order layouts are tried. What splits a layer decides how long its exchanges take, and
// stages how prompts wait: what differs in that says nothing.
double LearnedRatios::distance(const Run& run, const Candidate& c)
{
    const Layout& a = run.layout;
    const Layout& b = c.deployment.layout;
    return (run.machine == c.machine.get() ? 0 : 0.5) + octaves(a.dp, b.dp) + octaves(a.ep, b.ep) / 4
        + octaves(a.pp, b.pp) / 2 + octaves(run.users, c.point.users) / 2;
}

ReplayRatio LearnedRatios::of(const Candidate& unplayed) const
{
    double least = 0;
    const Run* nearest = nullptr;
    const Layout& layout = unplayed.deployment.layout;
    for (const Run& run : m_runs) // of runs that are as near the later one
        if (const double far = distance(run, unplayed); run.layout.tp == layout.tp
            && (run.layout.pp > 1) == (layout.pp > 1) && (nearest == nullptr || far <= least)) {
            least = far;
            nearest = &run;
        }
    if (nearest == nullptr)
        return {};
    const double alike = 1 / (1 + least);
    const auto part = [alike](double ratio) { return std::pow(std::max(ratio, 1e-3), alike); };
    return {part(nearest->ratio.ttft), part(nearest->ratio.tpot), part(nearest->ratio.latency)};
}

} // namespace headroom
