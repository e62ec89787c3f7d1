#pragma once

#include "model/ranges/served_spread.h"
#include "model/scenario/scenario.h"
#include "model/serve/serving_run.h"

#include <array>
#include <optional>

namespace headroom {

// What a run was played on, with the load of one replica.
struct PlayedOn {
    const Deployment& deployment;
    const Load& load;
};

// Where figures of a replay lie on 10 to 90 per cent of servers that others set up.
class ServedRanges {
public:
    // `prompts`: what computes them, where a pool of its own does.
    ServedRanges(const Scenario& scenario, const PlayedOn& decodes, const std::optional<PlayedOn>& prompts,
                 const serve::ServingPlan& plan, const serve::ServingRun& run);

    // From so many times what was played to so many times.
    [[nodiscard]] const RangeFactors& of(Metric metric, Statistic statistic = Statistic::Mean) const
    {
        return m_factors.at(static_cast<std::size_t>(metric)).at(static_cast<std::size_t>(statistic));
    }

private:
    std::array<std::array<RangeFactors, allStatistics.size()>, allMetrics.size()> m_factors{};
};

} // namespace headroom
