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

// Those who decode stand first in a batch (llama.cpp tools/server/server-context.cpp, update_slots: tokens of
// slots that generate are added before those of prompts).
StepShape StepTimer::firstPiece(const StepShape& shape, const StepShape& part) const
{
    const double decoded = shape.decodeSequences * shape.decodeQueries;
    if (m_deployment.engine->pipelineMicroBatches || part == shape || decoded <= 0 || shape.prefillTokens <= 0
        || decoded > part.tokens())
        return part;
    StepShape out = part;
    out.decodeSequences = shape.decodeSequences;
    out.prefillTokens = part.tokens() - decoded;
    const double ofPrompts = out.prefillTokens / shape.prefillTokens;
    out.prefillSequences = ofPrompts > 0 ? std::max(shape.prefillSequences * ofPrompts, 1.0) : 0;
    out.prefillPast = shape.prefillPast; // nothing of this batch stands before it
    const double rows = std::min(shape.sampledRows, decoded);
    out.sampledRows = rows + (shape.sampledRows - rows) * ofPrompts;
    return out;
}

// The mean of those behind the first.
StepShape StepTimer::otherPiece(const StepShape& shape, const StepShape& first, const StepShape& part)
{
    const double others = covers(shape, part) - 1;
    StepShape out = part;
    out.decodeSequences = 0;
    out.prefillTokens = (shape.prefillTokens - first.prefillTokens) / others;
    out.prefillSequences = std::max((shape.prefillSequences - first.prefillSequences) / others, 1.0);
    // What all prompts find before them on average is told of the mean piece.
    out.prefillPast = (part.prefillPast * shape.prefillTokens - first.prefillPast * first.prefillTokens)
        / (shape.prefillTokens - first.prefillTokens);
    out.sampledRows = (shape.sampledRows - first.sampledRows) / others;
    return out;
}

double StepTimer::covers(const StepShape& shape, const StepShape& part)
{
    return shape.tokens() > 0 ? std::max(shape.tokens() / std::max(part.tokens(), 1e-9), 1.0) : 1;
}

} // namespace headroom
