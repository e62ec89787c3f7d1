#include "model/json/plausible_size.h"

#include <vector>

namespace headroom {

namespace {

// An upper bound of the order of magnitude, in floating point.
double roughParameters(const Llm& llm)
{
    const auto hidden = static_cast<double>(llm.hidden);
    double sum
        = 2 * static_cast<double>(llm.vocab) * hidden + static_cast<double>(llm.learnedPositions) * hidden;
    std::vector<double> ofKind;
    for (const LayerKind& kind : llm.kinds) {
        const Mixer& m = kind.mixer;
        const double queries
            = double(m.queryHeads) * (m.headDim + m.qkNopeDim + m.qkRopeDim + m.valueHeadDim);
        const double keys = double(m.kvHeads) * (m.headDim + m.valueHeadDim);
        const double latent
            = double(m.qLoraRank) + m.kvLoraRank + m.qkRopeDim + double(m.indexHeads) * m.indexHeadDim;
        const double state = double(m.innerDim) + double(m.groups) * m.stateDim
            + double(m.stateHeads) * m.stateValueDim + double(m.stateKeyHeads) * m.stateKeyDim + m.stateHeads;
        const Mlp& f = kind.mlp;
        const double wide = double(f.intermediate) + double(f.experts) * double(f.expertIntermediate)
            + double(f.sharedIntermediate) + double(f.latent);
        ofKind.push_back((hidden + latent) * (4 * queries + 2 * keys + 4 * latent + 4 * state + 3 * wide)
                         + double(m.innerDim) * (double(m.convKernel) + m.stateDim + m.dtRank) * 4);
    }
    for (const std::uint8_t kind : llm.layers)
        sum += ofKind[kind];
    return sum;
}

} // namespace

bool plausibleSize(const Llm& llm) { return roughParameters(llm) <= 1e15; }

} // namespace headroom
