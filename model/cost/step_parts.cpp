// Parts that a step is run in: micro-batches of a pipeline, pieces, two that take turns.
#include "model/cost/step_cost.h"

#include <algorithm>
#include <cmath>

namespace headroom {

StepShape StepTimer::microBatch(const StepShape& shape, double lanes) const
{
    const double stages = m_deployment.layout.pp > 1 && lanes > 0 ? lanes : m_deployment.layout.pp;
    if (!m_deployment.engine->pipelineMicroBatches)
        return pieceOf(shape);
    if (stages <= 1)
        return shape;
    StepShape out = shape;
    const auto share
        = [&](double sequences) { return sequences > 0 ? std::max(sequences / stages, 1.0) : 0.0; };
    out.decodeSequences = share(shape.decodeSequences);
    out.sampledRows = share(shape.sampledRows);
    out.prefillSequences = shape.prefillSequences > 0 ? std::max(shape.prefillSequences / stages, 1.0) : 0;
    out.prefillTokens = shape.prefillSequences > 0
        ? shape.prefillTokens * out.prefillSequences / shape.prefillSequences
        : 0;
    if (shape.allTokens > 0)
        out.allTokens = shape.allTokens * out.tokens() / shape.tokens();
    return out;
}

StepShape StepTimer::halfOf(const StepShape& shape)
{
    StepShape out = shape;
    out.prefillTokens /= 2;
    out.prefillSequences /= 2;
    out.decodeSequences /= 2;
    out.sampledRows /= 2;
    out.allTokens /= 2;
    return out;
}

// Of an engine that runs one batch at a time, in pieces that follow one another through the stages.
StepShape StepTimer::pieceOf(const StepShape& shape) const
{
    const auto most = static_cast<double>(m_deployment.engine->pipelinePiece);
    if (most <= 0 || shape.tokens() <= most)
        return shape;
    const double pieces = std::ceil(shape.tokens() / most);
    StepShape out = shape;
    out.prefillTokens = shape.prefillTokens / pieces;
    out.prefillSequences = shape.prefillSequences > 0 ? std::max(shape.prefillSequences / pieces, 1.0) : 0;
    if (shape.prefillSequences > 0) // a piece of a prompt finds half of its other pieces before it
        out.prefillPast += std::max(0.0,
                                    shape.prefillTokens / shape.prefillSequences
                                        - out.prefillTokens / out.prefillSequences)
            / 2;
    out.decodeSequences = shape.decodeSequences / pieces;
    out.sampledRows = shape.sampledRows / pieces;
    if (shape.allTokens > 0)
        out.allTokens = shape.allTokens / pieces;
    return out;
}

double StepTimer::covers(const StepShape& shape, const StepShape& part)
{
    return shape.tokens() > 0 ? std::max(shape.tokens() / std::max(part.tokens(), 1e-9), 1.0) : 1;
}

} // namespace headroom
