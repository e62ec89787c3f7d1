// DeepSeek-V4's residual streams (transformers, modular_deepseek_v4.py).
#include "model/count/operator_builder.h"

namespace headroom {

void OperatorBuilder::hyperConnections(double count) const
{
    const double streams = d.llm->residualStreams;
    if (streams == 0)
        return;
    constexpr double sites = 2; // around the mixer and around the MLP
    gemm(OpName::MixerIn, WeightPart::Norm, sites * count, rows, (2 + streams) * streams, streams * hidden);
    // At each site the streams are read for their weights, to be joined and to be mixed, and written back.
    constexpr double passes = 4;
    stream(OpName::Norm, sites * count, rows, passes * streams * hidden * act);
}

} // namespace headroom
