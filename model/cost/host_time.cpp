#include "model/cost/step_cost.h"
#include "model/deploy/boxes.h"

namespace headroom {

Seconds StepTimer::hostTime(const StepShape& shape) const
{
    const Engine& engine = *m_deployment.engine;
    // Each data-parallel rank has a scheduler of its own for its own sequences (vLLM: an engine core a rank;
    // SGLang: a scheduler a rank; TensorRT-LLM: attention DP deals requests to the ranks' executors).
    const double sequences = (shape.decodeSequences + shape.prefillSequences) / m_deployment.layout.dp;
    const Layout& layout = m_deployment.layout;
    const double called = layout.tp * layout.pp - 1; // the first runs beside the scheduler
    const Seconds network = spansBoxes(m_deployment) ? engine.boxesHostTime : Seconds{};
    return (engine.stepHostTime + engine.stepHostTimePerSequence * sequences + engine.rankHostTime * called
            + network)
        * (1 - engine.hostOverlap);
}

// Else it works on the next micro-batch's while the GPU computes this one, and only the last of a round is
// seen.
Seconds StepTimer::hostOfStage(const StepShape& shape) const
{
    const Engine& engine = *m_deployment.engine;
    const bool waits
        = m_deployment.layout.pp > 1 && engine.pipelineMicroBatches && engine.pipelineWaitsForHost;
    return waits ? hostTime(shape) : Seconds{};
}

} // namespace headroom
