// How stages follow one another in a step, and how sure that is.
#include "model/cost/spread_among.h"
#include "model/cost/stage_sums.h"
#include "model/cost/step_cost.h"
#include "model/deploy/range_parts.h"

#include <algorithm>

namespace headroom {

StepTimer::Succession StepTimer::succession(const StepShape& shape, const StepShape& part) const
{
    const bool full = m_deployment.layout.pp > 1 && m_deployment.engine->pipelineMicroBatches;
    const double ofStage = hostOfStage(part).base();
    return {.full = full,
            .decodes = full && shape.decodeSequences > 0,
            .pieces = covers(shape, part),
            .ofStage = ofStage,
            .host = hostTime(part).base() - ofStage};
}

StepTimer::Pace StepTimer::pace(const StageSeconds& stages, const Succession& parts) const
{
    Pace pace;
    double latency = 0;
    for (std::size_t i = 0; i < m_stageCount; ++i) {
        latency += (stages[i].base() + parts.ofStage) * m_stages[i].alike;
        if (stages[i] >= stages[pace.slowest])
            pace.slowest = i;
    }
    // A full pipeline takes in a micro-batch each time its slowest stage is free; one that runs a batch at a
    // time waits for all of its pieces. A decode's next token waits for its last one to leave the pipeline,
    // prompts beside it or not.
    const double slowest = stages[pace.slowest].base() + parts.ofStage;
    const double whole = latency + (parts.pieces - 1) * slowest;
    const double cadence = parts.full ? slowest * parts.pieces : whole;
    const double passing = parts.decodes ? std::max(latency, cadence) : parts.full ? latency : whole;
    pace.passing = passing + parts.host;
    pace.rate = (parts.decodes ? passing : cadence) + parts.host;
    return pace;
}

// Whole runs miss more than their operators do: what validation found of this engine comes on top.
double StepTimer::spreadOfRuns(double ofStages, const StepShape& shape) const
{
    const bool decodes = shape.decodeSequences > 0;
    const double whole = decodes ? lnSpreadOfDecodes(m_deployment) : lnSpreadOfPrompts(m_deployment);
    const double among = lnSpreadAmong(m_deployment, decodes);
    return rootSumSquare(ofStages, among > 0 ? rootSumSquare(whole, among) : whole);
}

} // namespace headroom
