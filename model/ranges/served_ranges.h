#pragma once

#include "model/ranges/served_spread.h"
#include "model/resolve/resolve.h"
#include "model/serve/serving_run.h"

namespace headroom {

// Where figures of a replay lie on 10 to 90 per cent of servers that others set up.
class ServedRanges {
public:
    // `prompts`: the machine that computes them, where a pool of its own does.
    ServedRanges(const Resolved& machine, const Resolved* prompts, const serve::ServingPlan& plan,
                 const serve::ServingRun& run);

    // So many times what was played, or as many times less.
    [[nodiscard]] double factor(Metric metric, Statistic statistic = Statistic::Mean) const;

private:
    PlayedRun m_run;
    ServedFigures m_figures;
};

} // namespace headroom
