// How stages follow one another in a step, and how sure that is.
#include "model/cost/stage_sums.h"
#include "model/cost/step_cost.h"

#include <algorithm>
#include <cmath>

namespace headroom {

namespace {

// How well the stages of a pipeline keep each other busy, in ln: what makes the interval score of the
// published runs over several stages least (112 figures of 13 sources, each source with the root of its rows;
// times between tokens and throughputs alike). 0.38 held 93 to 100 % of them where 80 are meant.
constexpr double amongPipelines = 0.2;

} // namespace

StepTimer::Pace StepTimer::pace(const StageSeconds& stages, const StepShape& shape,
                                const StepShape& part) const
{
    const bool full = m_deployment.layout.pp > 1 && m_deployment.engine->pipelineMicroBatches;
    Pace pace;
    const double ofStage = hostOfStage(part).base();
    double latency = 0;
    for (std::size_t i = 0; i < m_stageCount; ++i) {
        latency += (stages[i].base() + ofStage) * m_stages[i].alike;
        if (stages[i] >= stages[pace.slowest])
            pace.slowest = i;
    }
    // A full pipeline takes in a micro-batch each time its slowest stage is free; one that runs a batch at a
    // time waits for all of its pieces. A decode's next token waits for its last one to leave the pipeline,
    // prompts beside it or not.
    const double slowest = stages[pace.slowest].base() + ofStage;
    const double pieces = covers(shape, part);
    const double whole = latency + (pieces - 1) * slowest;
    const double cadence = full ? slowest * pieces : whole;
    const bool decodes = full && shape.decodeSequences > 0;
    const double passing = decodes ? std::max(latency, cadence) : full ? latency : whole;
    const double host = hostTime(part).base() - ofStage;
    pace.passing = passing + host;
    pace.rate = (decodes ? passing : cadence) + host;
    return pace;
}

// Whole runs miss more than their operators do: what validation found of this engine comes on top.
double StepTimer::spreadOfRuns(double ofStages, const StepShape& shape) const
{
    const Engine& engine = *m_deployment.engine;
    const double whole = shape.decodeSequences > 0
        ? std::hypot(engine.lnSpreadDecode, engine.lnSpreadSourceDecode)
        : std::hypot(engine.lnSpreadPrefill, engine.lnSpreadSourcePrefill);
    return rootSumSquare(ofStages, m_deployment.layout.pp > 1 ? std::hypot(whole, amongPipelines) : whole);
}

} // namespace headroom
